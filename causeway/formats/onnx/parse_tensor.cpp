#include "causeway/formats/onnx/parse_tensor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/element_types.h"
#include "causeway/tensor/dtype_switch.h"
#include "onnx_proto/onnx.pb.h"

namespace causeway::formats::onnx {
namespace {

using onnx_proto::TensorProto;

std::string typed(DType dtype, const std::vector<int64_t>& lengths) {
  return std::string(name_of(dtype)) + " " + text_of(lengths);
}

/// The stored element as T: half widths are stored as their bits, small integers in wider ones.
template <class T, class Stored>
T element(Stored stored) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T{static_cast<uint16_t>(stored)};
  } else if constexpr (std::is_same_v<T, bool>) {
    return stored != 0;
  } else {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, Stored>) {
      if (!std::in_range<T>(stored)) {
        unfit("it holds " + std::to_string(stored) + ", which is no " + std::string(name_of(dtype_of<T>)) + ".");
      }
    }
    return static_cast<T>(stored);
  }
}

template <class T, class Field>
Tensor gathered(const std::vector<int64_t>& lengths, int64_t count, const Field& stored) {
  if (stored.size() != count) {
    unfit("it holds " + std::to_string(stored.size()) + " numbers, and " + typed(dtype_of<T>, lengths) + " has " +
          std::to_string(count) + ".");
  }
  Tensor numbers = Tensor::uninitialized(dtype_of<T>, lengths);
  T* to = static_cast<T*>(numbers.mutable_data());
  for (const auto each : stored) *to++ = element<T>(each);
  return numbers;
}

Tensor typed_numbers(const TensorProto& tensor, DType dtype, const std::vector<int64_t>& lengths, int64_t count) {
  return with_type(dtype, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, float>) {
      return gathered<T>(lengths, count, tensor.float_data());
    } else if constexpr (std::is_same_v<T, double>) {
      return gathered<T>(lengths, count, tensor.double_data());
    } else if constexpr (std::is_same_v<T, int64_t>) {
      return gathered<T>(lengths, count, tensor.int64_data());
    } else if constexpr (std::is_same_v<T, uint64_t> || std::is_same_v<T, uint32_t>) {
      return gathered<T>(lengths, count, tensor.uint64_data());
    } else {
      return gathered<T>(lengths, count, tensor.int32_data());
    }
  });
}

bool has_typed_numbers(const TensorProto& tensor) {
  return tensor.float_data_size() > 0 || tensor.int32_data_size() > 0 || tensor.int64_data_size() > 0 ||
         tensor.double_data_size() > 0 || tensor.uint64_data_size() > 0 || tensor.string_data_size() > 0;
}

void expect_size(size_t size_bytes, DType dtype, const std::vector<int64_t>& lengths, size_t wanted) {
  if (size_bytes == wanted) return;
  unfit("it holds " + std::to_string(size_bytes) + " bytes, and " + typed(dtype, lengths) + " takes " +
        std::to_string(wanted) + ".");
}

/// Bytes of bool are 0 or 1 here; a file may hold others.
Tensor truths(Tensor numbers) {
  if (numbers.dtype() != DType::Bool) return numbers;
  const auto* bytes = static_cast<const uint8_t*>(numbers.data());
  if (std::none_of(bytes, bytes + numbers.size(), [](uint8_t byte) { return byte > 1; })) return numbers;
  auto* to = static_cast<uint8_t*>(numbers.mutable_data());
  for (int64_t i = 0; i < numbers.size(); ++i) to[i] = to[i] != 0 ? 1 : 0;
  return numbers;
}

/// A plain non-negative decimal below 2^63.
size_t plain_number(const std::string& key, const std::string& text) {
  uint64_t number = 0;
  bool fits = !text.empty() && text.size() <= 19;
  for (const char letter : text) {
    fits = fits && letter >= '0' && letter <= '9';
    if (fits) number = number * 10 + static_cast<uint64_t>(letter - '0');
  }
  if (!fits || number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    unfit("its " + quoted(key) + " is " + quoted(text) + ", and a plain number from 0 to 2^63 - 1 is read.");
  }
  return number;
}

struct ExternalPlace {
  std::string location;
  size_t offset = 0;
  std::optional<size_t> length;
  bool has_basepath = false;
};

ExternalPlace external_place(const TensorProto& tensor) {
  ExternalPlace place;
  std::map<std::string, std::string> by_key;
  for (const onnx_proto::StringStringEntryProto& entry : tensor.external_data()) {
    if (!by_key.emplace(entry.key(), entry.value()).second)
      unfit("its " + quoted(entry.key()) + " stands there twice.");
    if (entry.key() == "location") {
      place.location = entry.value();
    } else if (entry.key() == "offset") {
      place.offset = plain_number(entry.key(), entry.value());
    } else if (entry.key() == "length") {
      place.length = plain_number(entry.key(), entry.value());
    } else if (entry.key() == "basepath") {
      place.has_basepath = true;
    } else if (entry.key() != "checksum") {
      unfit("its external data has the key " + quoted(entry.key()) +
            "; 'location', 'offset', 'length' and 'checksum' are read.");
    }
  }
  if (!by_key.count("location")) unfit("its numbers lie in another file, and no 'location' names it.");
  return place;
}

}  // namespace

std::string too_many_axes(int axes) {
  return "it has " + std::to_string(axes) + " axes, and at most " + std::to_string(kMostAxes) + " are read.";
}

FileTensor TensorParser::parse(const TensorProto& tensor, std::optional<std::string_view> raw) {
  FileTensor parsed{.name = tensor.name()};
  try {
    parsed.numbers = truths(numbers_of(tensor, raw));
  } catch (const Unfit& unfit) {
    parsed.refused = unfit.what();
  }
  return parsed;
}

Tensor TensorParser::numbers_of(const TensorProto& tensor, std::optional<std::string_view> raw) {
  const DType dtype = dtype_of_element_type(tensor.data_type());
  if (dtype == DType::Unknown) unfit(not_read("it", tensor.data_type()));
  if (tensor.has_segment()) unfit("it is a segment of a tensor, and only whole ones are read.");
  if (tensor.dims_size() > kMostAxes) unfit(too_many_axes(tensor.dims_size()));
  const std::vector<int64_t> lengths(tensor.dims().begin(), tensor.dims().end());
  const std::optional<int64_t> count = checked_product(lengths);
  const std::optional<int64_t> size =
      count ? checked_multiply(*count, static_cast<int64_t>(size_of(dtype))) : std::nullopt;
  if (!size) unfit("its lengths are " + text_of(lengths) + ", and no tensor has these.");
  const auto size_bytes = static_cast<size_t>(*size);
  const bool is_external = tensor.data_location() == TensorProto::EXTERNAL;
  if (!raw && tensor.has_raw_data()) raw = tensor.raw_data();
  if (is_external + raw.has_value() + has_typed_numbers(tensor) > 1) unfit("its numbers stand in two places.");
  if (is_external) return external(tensor, dtype, lengths, size_bytes);
  if (!raw) return typed_numbers(tensor, dtype, lengths, *count);
  expect_size(raw->size(), dtype, lengths, size_bytes);
  const std::string_view all = source_.text();
  if (std::greater_equal<>()(raw->data(), all.data()) && std::less<>()(raw->data(), all.data() + all.size())) {
    return source_.tensor(dtype, lengths, static_cast<size_t>(raw->data() - all.data()));
  }
  Tensor numbers = Tensor::uninitialized(dtype, lengths);
  if (size_bytes > 0) std::memcpy(numbers.mutable_data(), raw->data(), size_bytes);
  return numbers;
}

TensorParser::DataFile& TensorParser::data_file(const std::string& location) {
  const auto [at, is_new] = files_.try_emplace(location);
  DataFile& file = at->second;
  if (!is_new) return file;
  try {
    if (source_.has_folder()) file.source = source_.open_beside(location);
  } catch (const Unfit& unfit) {
    file.fault = unfit.what();
  } catch (const Refused& refused) {
    file.fault = refused.faults().front().what;
  }
  return file;
}

Tensor TensorParser::external(const TensorProto& tensor, DType dtype, const std::vector<int64_t>& lengths,
                              size_t size_bytes) {
  const ExternalPlace place = external_place(tensor);
  if (place.has_basepath) {
    const std::string note = "'basepath' of external data is not used: data files lie beside the graph.";
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }
  DataFile& file = data_file(place.location);
  if (!file.source) {
    if (file.tensors++ == 0) file.first_tensor = tensor.name();
    unfit("");  // the file has a fault of its own
  }
  if (place.offset > file.source->size()) {
    unfit("it begins at byte " + std::to_string(place.offset) + " of " + quoted(place.location) + ", which has " +
          std::to_string(file.source->size()) + ".");
  }
  const size_t length = place.length.value_or(file.source->size() - place.offset);
  if (length > file.source->size() - place.offset) {
    unfit("it reaches from byte " + std::to_string(place.offset) + " over " + std::to_string(length) + " bytes of " +
          quoted(place.location) + ", which has " + std::to_string(file.source->size()) + ".");
  }
  // Without a length the tensor's own is meant where the file goes on behind it.
  if (place.length || length < size_bytes) expect_size(length, dtype, lengths, size_bytes);
  return file.source->tensor(dtype, lengths, place.offset);
}

void TensorParser::report_missing_files(std::vector<Fault>& faults) const {
  for (const auto& [location, file] : files_) {
    if (file.source) continue;
    const std::string tensors = std::to_string(file.tensors) + (file.tensors == 1 ? " tensor is" : " tensors are") +
                                " kept in it (" + quoted(file.first_tensor) + " first).";
    if (file.fault.empty()) {
      faults.push_back(
          {"the file", quoted(location) + " is beside no file: " + tensors + " Read the graph from its folder."});
    } else {
      faults.push_back({"the file", file.fault + " " + tensors});
    }
  }
}

}  // namespace causeway::formats::onnx
