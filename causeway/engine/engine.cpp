#include "causeway/engine/engine.h"

#include <algorithm>

namespace causeway {
namespace {

int compared(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) return a.dtype() < b.dtype() ? -1 : 1;
  if (a.lengths() != b.lengths()) return a.lengths() < b.lengths() ? -1 : 1;
  const auto left = a.bytes(), right = b.bytes();
  const auto [at, other] = std::mismatch(left.begin(), left.end(), right.begin());
  if (at == left.end()) return 0;
  return *at < *other ? -1 : 1;
}

}  // namespace

bool operator<(const Binding& a, const Binding& b) {
  if (a.lengths != b.lengths) return a.lengths < b.lengths;
  return std::lexicographical_compare(
      a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), [](const auto& left, const auto& right) {
        return left.first != right.first ? left.first < right.first : compared(left.second, right.second) < 0;
      });
}

}  // namespace causeway
