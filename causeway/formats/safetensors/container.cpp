#include "causeway/formats/safetensors/container.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "causeway/base/byte_reader.h"
#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/safetensors/header.h"

namespace causeway::formats::safetensors {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMostHeader = 100'000'000;

std::string place_of(const StatedTensor& tensor) { return "tensor " + quoted(tensor.name); }

std::string range_of(const StatedTensor& tensor) {
  return "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
}

/// Each range on its own: within the data, and as long as shape and kind say.
void check_ranges(const Header& header, uint64_t data_size, std::vector<Fault>& faults) {
  for (const StatedTensor& tensor : header.tensors) {
    const std::optional<int64_t> count = checked_product(tensor.lengths);
    const std::optional<int64_t> bytes = count ? bytes_of(*tensor.kind, *count) : std::nullopt;
    std::string what;
    if (!count || (!bytes && tensor.kind->bits % 8 == 0)) {
      what =
          "its shape " + text_of(std::span<const int64_t>(tensor.lengths)) + " is of more numbers than can be counted.";
    } else if (!bytes) {
      what = "its shape " + text_of(std::span<const int64_t>(tensor.lengths)) + " of " +
             std::string(tensor.kind->name) + " fills no whole number of bytes.";
    } else if (tensor.begin > tensor.end || tensor.end > data_size) {
      what =
          "its 'data_offsets' are " + range_of(tensor) + ", and the data is " + std::to_string(data_size) + " bytes.";
    } else if (tensor.end - tensor.begin != static_cast<uint64_t>(*bytes)) {
      what = "its 'data_offsets' " + range_of(tensor) + " span " + std::to_string(tensor.end - tensor.begin) +
             " bytes, and its shape " + text_of(std::span<const int64_t>(tensor.lengths)) + " of " +
             std::string(tensor.kind->name) + " takes " + std::to_string(*bytes) + ".";
    }
    if (!what.empty()) faults.push_back({place_of(tensor), std::move(what)});
  }
}

/// All ranges together: sorted by their begin they follow one another from the first byte of the data to the last.
void check_cover(const Header& header, uint64_t data_size, std::vector<Fault>& faults) {
  std::vector<uint32_t> order(header.tensors.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const StatedTensor &first = header.tensors[a], &second = header.tensors[b];
    return std::pair(first.begin, first.end) < std::pair(second.begin, second.end);
  });
  uint64_t covered = 0;
  const StatedTensor* last = nullptr;
  for (const uint32_t at : order) {
    const StatedTensor& tensor = header.tensors[at];
    if (tensor.begin < covered) {
      faults.push_back({place_of(tensor), "its 'data_offsets' " + range_of(tensor) + " overlap those of " +
                                              quoted(last->name) + ", " + range_of(*last) + "."});
    } else if (tensor.begin > covered) {
      faults.push_back({place_of(tensor), "its 'data_offsets' begin at " + std::to_string(tensor.begin) + ", and the " +
                                              std::to_string(tensor.begin - covered) +
                                              " bytes before belong to no tensor."});
    }
    if (!last || tensor.end >= covered) last = &tensor;
    covered = std::max(covered, tensor.end);
  }
  if (covered != data_size) {
    const std::string left = std::to_string(data_size - covered) + " bytes of the data belong to no tensor.";
    faults.push_back(last ? Fault{place_of(*last), "it is the last, and behind it " + left} : Fault{"header", left});
  }
}

std::string_view header_text(const ByteSource& source) {
  if (source.size() < kLengthBytes) {
    throw Refused("header", "the file is " + std::to_string(source.size()) + " bytes, and the first " +
                                std::to_string(kLengthBytes) + " state the length of the header.");
  }
  const uint64_t length = ByteReader(source.bytes()).u64();
  const uint64_t left = source.size() - kLengthBytes;
  if (length > kMostHeader) {
    throw Refused("header", "it is stated as " + std::to_string(length) + " bytes, and at most " +
                                std::to_string(kMostHeader) + " are read.");
  }
  if (length > left) {
    throw Refused("header", "it is stated as " + std::to_string(length) + " bytes, and the file holds " +
                                std::to_string(left) + ".");
  }
  if (length == 0) throw Refused("header", "it is empty, and a JSON object stands there.");
  return source.text().substr(kLengthBytes, static_cast<size_t>(length));
}

}  // namespace

Tensor StoredTensor::tensor() const {
  CAUSEWAY_CHECK(kind->dtype != DType::Unknown, "only a kind that has a dtype here makes a tensor");
  if (kind->dtype == DType::Bool &&
      std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte > std::byte{1}; })) {
    unfit(quoted(name) + " is bool, and holds a byte that is neither 0 nor 1.");
  }
  if (reinterpret_cast<uintptr_t>(bytes.data()) % size_of(kind->dtype) == 0) {
    return Tensor::over(kind->dtype, lengths, bytes.data(), owner);
  }
  Tensor copy = Tensor::uninitialized(kind->dtype, lengths);
  std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(copy.mutable_data()));
  return copy;
}

const std::string* SafetensorsFile::find_metadata(std::string_view key) const {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool claims_safetensors(const ByteSource& source) {
  if (source.size() <= kLengthBytes) return false;
  const std::string_view header = source.text().substr(kLengthBytes);
  const size_t start = header.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && header[start] == '{';
}

SafetensorsFile read_safetensors(const ByteSource& source) {
  const std::string_view text = header_text(source);
  Header header = parse_header(text);
  const size_t data_begin = kLengthBytes + text.size();
  const uint64_t data_size = source.size() - data_begin;
  std::vector<Fault> faults = std::move(header.faults);
  check_ranges(header, data_size, faults);
  // A faulty entry leaves a gap of its own making, which is not worth a second line.
  if (faults.empty()) check_cover(header, data_size, faults);
  refuse_if_any(std::move(faults));

  SafetensorsFile file;
  file.metadata = std::move(header.metadata);
  file.tensors.reserve(header.tensors.size());
  for (StatedTensor& tensor : header.tensors) {
    const size_t begin = data_begin + static_cast<size_t>(tensor.begin);
    file.tensors.push_back({std::move(tensor.name), tensor.kind, std::move(tensor.lengths),
                            source.bytes().subspan(begin, static_cast<size_t>(tensor.end - tensor.begin)),
                            source.owner()});
  }
  return file;
}

}  // namespace causeway::formats::safetensors
