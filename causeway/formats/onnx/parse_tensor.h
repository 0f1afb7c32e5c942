#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/onnx/model.h"

namespace onnx_proto {
class TensorProto;
}

namespace causeway::formats::onnx {

/// More than NumPy or PyTorch has, and few enough for work that takes the square of them.
constexpr int kMostAxes = 64;
std::string too_many_axes(int axes);

/// Reads TensorProtos of one file: their dtype, lengths and numbers, which lie in the message, in a part of the file
/// that the message was parsed without, or in another file beside it. Sizes are checked before memory is taken.
class TensorParser {
 public:
  TensorParser(const ByteSource& source, std::vector<std::string>& notes) : source_(source), notes_(notes) {}

  /// `raw`: where its raw_data lies in the source, when the message was parsed without it. What cannot be read is said
  /// in the tensor's `refused`.
  FileTensor parse(const onnx_proto::TensorProto& tensor, std::optional<std::string_view> raw = std::nullopt);

  /// A fault for each file that could not be opened, with the tensors it should hold.
  void report_missing_files(std::vector<Fault>& faults) const;

 private:
  struct DataFile {
    std::optional<ByteSource> source = std::nullopt;
    std::string fault = {}, first_tensor = {};
    size_t tensors = 0;
  };

  Tensor numbers_of(const onnx_proto::TensorProto& tensor, std::optional<std::string_view> raw);
  Tensor external(const onnx_proto::TensorProto& tensor, DType dtype, const std::vector<int64_t>& lengths,
                  size_t size_bytes);
  DataFile& data_file(const std::string& location);

  const ByteSource& source_;
  std::vector<std::string>& notes_;
  std::map<std::string, DataFile> files_;
};

}  // namespace causeway::formats::onnx
