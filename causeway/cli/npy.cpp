#include "causeway/cli/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>

#include "causeway/base/byte_reader.h"
#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"

namespace causeway::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kLongestHeader = 1 << 16;
constexpr size_t kMostAxes = 32;

struct Kind {
  std::string_view code;
  DType dtype;
};
constexpr Kind kKinds[] = {{"f4", DType::Float32}, {"f8", DType::Float64}, {"f2", DType::Float16},
                           {"i8", DType::Int64},   {"i4", DType::Int32},   {"i2", DType::Int16},
                           {"i1", DType::Int8},    {"u8", DType::UInt64},  {"u4", DType::UInt32},
                           {"u2", DType::UInt16},  {"u1", DType::UInt8},   {"b1", DType::Bool}};

// The header is a Python dictionary of three keys: 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4).
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  struct Header {
    std::string descr;
    bool fortran = false;
    std::vector<int64_t> lengths;
  };

  Header read() {
    Header header;
    bool seen[3] = {};
    expect('{');
    while (!accepts('}')) {
      const std::string key = text();
      expect(':');
      const size_t which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (which == 3 || seen[which]) broken();
      seen[which] = true;
      if (which == 0) header.descr = text();
      if (which == 1) header.fortran = truth();
      if (which == 2) header.lengths = shape();
      if (!accepts(',')) {
        expect('}');
        break;
      }
    }
    if (!seen[0] || !seen[1] || !seen[2]) broken();
    skip_spaces();
    if (at_ < text_.size()) unfit("its header goes on behind its dictionary: " + quoted(text_.substr(at_)) + ".");
    return header;
  }

 private:
  [[noreturn]] static void broken() { unfit("its header is no dictionary of 'descr', 'fortran_order' and 'shape'."); }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accepts(char letter) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }
  void expect(char letter) {
    if (!accepts(letter)) broken();
  }
  std::string text() {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) broken();
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) broken();
    const std::string found(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return found;
  }
  bool truth() {
    skip_spaces();
    for (const auto& [word, value] :
         {std::pair(std::string_view("True"), true), std::pair(std::string_view("False"), false)}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    broken();
  }
  std::vector<int64_t> shape() {
    std::vector<int64_t> lengths;
    expect('(');
    while (!accepts(')')) {
      skip_spaces();
      int64_t length = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), length);
      if (error != std::errc() || length < 0 || lengths.size() >= kMostAxes) broken();
      at_ = static_cast<size_t>(end - text_.data());
      accepts('L');
      lengths.push_back(length);
      if (!accepts(',')) {
        expect(')');
        break;
      }
    }
    return lengths;
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<DType> dtype_of_code(std::string_view code) {
  for (const Kind& kind : kKinds) {
    if (kind.code == code) return kind.dtype;
  }
  return std::nullopt;
}

void swap_bytes(std::span<std::byte> bytes, size_t width) {
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    std::reverse(bytes.begin() + at, bytes.begin() + at + width);
}

}  // namespace

bool claims_npy(std::span<const std::byte> file) {
  return file.size() >= kMagic.size() && std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

Tensor read_npy(std::span<const std::byte> file) {
  if (!claims_npy(file)) unfit("it does not begin as an array of NumPy.");
  ByteReader reader(file, kMagic.size());
  const uint8_t major = reader.u8();
  reader.u8();
  if (major < 1 || major > 3) unfit("it is of version " + std::to_string(major) + ", and 1 to 3 are read.");
  const size_t length = major == 1 ? reader.u16() : reader.u32();
  if (length > kLongestHeader) unfit("its header would take " + std::to_string(length) + " bytes.");
  std::string_view text = reader.text(length);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const HeaderReader::Header header = HeaderReader(text).read();
  const std::string_view descr = header.descr;
  const std::optional<DType> dtype = descr.size() == 3 ? dtype_of_code(descr.substr(1)) : std::nullopt;
  if (!dtype || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    unfit("its elements are " + quoted(descr) + "; floats, whole numbers and booleans are read.");
  }
  const size_t width = size_of(*dtype);
  const std::optional<int64_t> count = checked_product(header.lengths);
  const std::optional<int64_t> bytes = count ? checked_multiply(*count, static_cast<int64_t>(width)) : std::nullopt;
  if (!bytes) unfit("its shape is " + text_of(header.lengths) + ", and no array has it.");
  if (static_cast<uint64_t>(*bytes) != reader.left()) {
    unfit("it is " + std::string(name_of(*dtype)) + " " + text_of(header.lengths) + ", which takes " +
          std::to_string(*bytes) + " bytes, and " + std::to_string(reader.left()) + " stand behind its header.");
  }
  std::vector<int64_t> lengths = header.lengths;
  if (header.fortran) std::reverse(lengths.begin(), lengths.end());
  Tensor tensor = Tensor::uninitialized(*dtype, lengths);
  const std::span<const std::byte> from = reader.take(static_cast<size_t>(*bytes));
  const std::span<std::byte> to(static_cast<std::byte*>(tensor.mutable_data()), from.size());
  std::copy(from.begin(), from.end(), to.begin());
  if (descr[0] == '>' && width > 1) swap_bytes(to, width);
  if (*dtype == DType::Bool) {
    for (std::byte& truth : to) truth = truth == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  if (!header.fortran || lengths.size() < 2) return tensor;
  std::vector<size_t> axes(lengths.size());
  std::iota(axes.rbegin(), axes.rend(), size_t{0});
  return tensor.permuted(axes);
}

std::string npy_of(const Tensor& tensor) {
  std::string code = "f4";
  for (const Kind& kind : kKinds) {
    if (kind.dtype == tensor.dtype()) code = kind.code;
  }
  const bool one_byte = size_of(tensor.dtype()) == 1;
  std::string header =
      "{'descr': '" + std::string(one_byte ? "|" : "<") + code + "', 'fortran_order': False, 'shape': (";
  for (size_t axis = 0; axis < tensor.rank(); ++axis) {
    header += std::to_string(tensor.lengths()[axis]) + (axis + 1 < tensor.rank() ? ", "
                                                        : tensor.rank() == 1     ? ","
                                                                                 : "");
  }
  header += "), }";
  constexpr size_t kBefore = 10, kMultiple = 64;
  header.append((kMultiple - (kBefore + header.size() + 1) % kMultiple) % kMultiple, ' ');
  header += '\n';
  std::string file(kMagic);
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes());
  return file;
}

}  // namespace causeway::cli
