#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "causeway/tensor/shape.h"
#include "causeway/tensor/tensor.h"

namespace causeway::formats::onnx {

// An ONNX model as plain structs: what parse.h makes of a file and serialize.h makes a file of. The names are ONNX's.

struct FileGraph;
using Properties = std::vector<std::pair<std::string, std::string>>;

/// A named tensor: its numbers, or the sentence why they are not read ("" where the fault stands elsewhere).
struct FileTensor {
  std::string name = {};
  std::optional<Tensor> numbers = {};
  std::string refused = {};
};

/// One attribute. What the kind does not use is empty.
struct Attribute {
  enum class Kind { None, Real, Integer, Text, Tensor, Graph, Reals, Integers, Texts, Other };

  std::string name = {};
  Kind kind = Kind::None;
  float real = 0;
  int64_t integer = 0;
  std::string text = {};
  std::vector<float> reals = {};
  std::vector<int64_t> integers = {};
  std::vector<std::string> texts = {};
  std::shared_ptr<const FileTensor> tensor = {};
  std::shared_ptr<const FileGraph> graph = {};
  /// Inside a function: the attribute of the function it takes its value from.
  std::string from = {};
};

struct FileNode {
  std::string name = {}, op = {}, domain = {}, overload = {};
  std::vector<std::string> inputs = {}, outputs = {};
  std::vector<Attribute> attributes = {};
  Properties metadata = {};
  /// Its place in its graph as written, from 0.
  size_t place = 0;
};

/// A door as the file declares it. A dtype that is none of ours is kept as its name, in `refused`.
struct FileDoor {
  std::string name = {};
  DType dtype = DType::Unknown;
  Shape shape = {};
  std::string refused = {};
};

struct FileGraph {
  std::string name = {};
  std::vector<FileNode> nodes = {};
  std::vector<FileTensor> initializers = {};
  std::vector<FileDoor> inputs = {}, outputs = {};
};

using Opsets = std::map<std::string, int64_t, std::less<>>;

struct FileFunction {
  std::string name = {}, domain = {}, overload = {};
  std::vector<std::string> inputs = {}, outputs = {}, attributes = {};
  /// Attributes with a value for where the call has none.
  std::vector<Attribute> defaults = {};
  std::vector<FileNode> nodes = {};
  Opsets opsets = {};
};

struct FileModel {
  int64_t ir_version = 0;
  /// By domain; ai.onnx is "".
  Opsets opsets = {};
  std::string producer_name = {}, producer_version = {};
  Properties metadata = {};
  FileGraph graph = {};
  std::vector<FileFunction> functions = {};
};

/// A domain as it is compared: ai.onnx is "".
inline std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }
/// "Gelu", "com.microsoft.Gelu".
std::string full_op(const FileNode& node);
const std::string* find(const Properties& properties, std::string_view key);

}  // namespace causeway::formats::onnx
