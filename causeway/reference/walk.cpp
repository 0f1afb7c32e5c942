#include "causeway/reference/walk.h"

#include <string>

#include "causeway/base/fault.h"

namespace causeway::reference {

PerAxis::PerAxis(std::span<const int64_t> numbers) {
  for (const int64_t number : numbers) push(number);
}

PerAxis::PerAxis(size_t rank, int64_t number) {
  for (size_t axis = 0; axis < rank; ++axis) push(number);
}

void PerAxis::push(int64_t number) {
  if (rank_ == kMaxRank) unfit("a tensor of more than " + std::to_string(kMaxRank) + " axes is not computed here.");
  numbers_[rank_++] = number;
}

int64_t PerAxis::product() const {
  int64_t product = 1;
  for (size_t axis = 0; axis < rank_; ++axis) product *= numbers_[axis];
  return product;
}

PerAxis strides_of(std::span<const int64_t> lengths) {
  PerAxis strides(lengths.size());
  int64_t stride = 1;
  for (size_t axis = lengths.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= lengths[axis];
  }
  return strides;
}

PerAxis broadcast_strides(std::span<const int64_t> lengths, std::span<const int64_t> to) {
  PerAxis strides(to.size());
  int64_t stride = 1;
  for (size_t behind = 1; behind <= lengths.size(); ++behind) {
    const int64_t length = lengths[lengths.size() - behind];
    if (length != 1) strides[to.size() - behind] = stride;
    stride *= length;
  }
  return strides;
}

}  // namespace causeway::reference
