#include "causeway/formats/safetensors/writer.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/atomic_file.h"

namespace causeway::formats::safetensors {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr size_t kMostHeader = 100'000'000;

std::vector<const WrittenTensor*> in_order(std::span<const WrittenTensor> tensors, TensorOrder order) {
  std::vector<const WrittenTensor*> sorted;
  sorted.reserve(tensors.size());
  for (const WrittenTensor& tensor : tensors) sorted.push_back(&tensor);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const WrittenTensor* a, const WrittenTensor* b) {
    const size_t size_a = size_of(a->numbers.dtype()), size_b = size_of(b->numbers.dtype());
    if (size_a != size_b || order == TensorOrder::AsGiven) return size_a > size_b;
    return a->name < b->name;
  });
  return sorted;
}

void append_text(std::string& to, std::string_view text) { to += Json(text).dump(); }

std::string header_of(const Metadata& metadata, std::span<const WrittenTensor* const> tensors) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (header.back() != '{') header += ',';
      append_text(header, key);
      header += ':';
      append_text(header, value);
    }
    header += '}';
  }
  size_t begin = 0;
  for (const WrittenTensor* tensor : tensors) {
    if (header.size() > 1) header += ',';
    append_text(header, tensor->name);
    header += ":{\"dtype\":\"";
    header += kind_of(tensor->numbers.dtype()).name;
    header += "\",\"shape\":[";
    for (const int64_t length : tensor->turn.lengths_in_file(tensor->numbers.lengths())) {
      if (header.back() != '[') header += ',';
      header += std::to_string(length);
    }
    const size_t end = begin + tensor->numbers.size_bytes();
    header += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    begin = end;
  }
  return header + "}";
}

}  // namespace

void write_safetensors(const std::string& path, const Metadata& metadata, std::span<const WrittenTensor> tensors,
                       const SafetensorsLayout& layout) {
  const std::vector<const WrittenTensor*> sorted = in_order(tensors, layout.order);
  std::string header = header_of(metadata, sorted);
  const size_t multiple = layout.header_multiple;
  header.append((multiple - (kLengthBytes + header.size()) % multiple) % multiple, ' ');
  if (header.size() > kMostHeader) {
    throw Refused(escaped(path), "its header would take " + std::to_string(header.size()) + " bytes, and at most " +
                                     std::to_string(kMostHeader) + " are read.");
  }
  AtomicFile file(path);
  const uint64_t length = header.size();
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const WrittenTensor* tensor : sorted) {
    file.write(tensor->turn.is_identity() ? tensor->numbers.bytes() : tensor->turn.to_file(tensor->numbers).bytes());
  }
  file.commit();
}

}  // namespace causeway::formats::safetensors
