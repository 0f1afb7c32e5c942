#include "causeway/formats/onnx/parse.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/element_types.h"
#include "causeway/formats/onnx/parse_tensor.h"
#include "causeway/formats/onnx/wire.h"
#include "onnx_proto/onnx.pb.h"

namespace causeway::formats::onnx {
namespace {

using namespace onnx_proto;

// Field numbers of onnx.proto, and of the newer ones that the messages here do not know.
constexpr uint32_t kModelGraph = 7, kGraphInitializer = 5, kTensorRawData = 9;
constexpr uint32_t kNodeOverload = 8, kNodeMetadata = 9, kNodeDevices = 10;
constexpr uint32_t kFunctionDefaults = 11, kFunctionValueInfo = 12, kFunctionOverload = 13, kFunctionMetadata = 14;
constexpr uint32_t kGraphMetadata = 16, kTensorMetadata = 16, kValueInfoMetadata = 4, kModelDevices = 26;
constexpr int kGraphDepth = 16;
constexpr const char* kNotModel =
    "it is no whole ONNX model: its bytes do not follow each other as a protobuf message's do.";

/// A model without the raw_data of its graph's initializers, and where each of these lies.
struct Skeleton {
  std::string message;
  std::vector<std::optional<std::string_view>> raw;
};

std::optional<std::string_view> without_raw_data(std::string& to, std::string_view tensor, bool& is_broken) {
  std::optional<std::string_view> raw;
  WireReader reader(tensor);
  for (WireField field; reader.next(field);) {
    if (field.number == kTensorRawData && field.kind == WireField::Bytes) {
      raw = field.bytes;
    } else {
      to.append(field.all);
    }
  }
  is_broken = is_broken || reader.is_broken();
  return raw;
}

std::optional<Skeleton> skeleton_of(std::string_view model) {
  Skeleton skeleton;
  bool is_broken = false;
  WireReader reader(model);
  for (WireField field; reader.next(field);) {
    if (field.number != kModelGraph || field.kind != WireField::Bytes) {
      skeleton.message.append(field.all);
      continue;
    }
    std::string graph;
    WireReader inside(field.bytes);
    for (WireField part; inside.next(part);) {
      if (part.number != kGraphInitializer || part.kind != WireField::Bytes) {
        graph.append(part.all);
        continue;
      }
      std::string tensor;
      skeleton.raw.push_back(without_raw_data(tensor, part.bytes, is_broken));
      put_bytes(graph, kGraphInitializer, tensor);
    }
    is_broken = is_broken || inside.is_broken();
    put_bytes(skeleton.message, kModelGraph, graph);
  }
  if (is_broken || reader.is_broken()) return std::nullopt;
  return skeleton;
}

Properties properties_of(std::string_view unknown, uint32_t number) {
  Properties properties;
  WireReader reader(unknown);
  for (WireField field; reader.next(field);) {
    StringStringEntryProto entry;
    if (field.number != number || field.kind != WireField::Bytes) continue;
    if (entry.ParseFromArray(field.bytes.data(), static_cast<int>(field.bytes.size()))) {
      properties.emplace_back(entry.key(), entry.value());
    }
  }
  return properties;
}

std::string text_in(std::string_view unknown, uint32_t number) {
  std::string text;
  WireReader reader(unknown);
  for (WireField field; reader.next(field);) {
    if (field.number == number && field.kind == WireField::Bytes) text = field.bytes;
  }
  return text;
}

class Parser {
 public:
  Parser(const ByteSource& source, std::vector<Fault>& faults, std::vector<std::string>& notes)
      : tensors_(source, notes), faults_(faults), notes_(notes) {}

  FileModel parse(const ModelProto& model, const std::vector<std::optional<std::string_view>>& raw) {
    known_fields("ModelProto", model.unknown_fields(), {kModelDevices});
    FileModel parsed{.ir_version = model.ir_version(),
                     .opsets = opsets_of(model.opset_import()),
                     .producer_name = model.producer_name(),
                     .producer_version = model.producer_version()};
    if (parsed.ir_version < 3 || parsed.ir_version > 14) {
      faults_.push_back(
          {"the file", "it is of IR version " + std::to_string(parsed.ir_version) + ", and 3 to 14 are read."});
    }
    for (const StringStringEntryProto& entry : model.metadata_props()) {
      parsed.metadata.emplace_back(entry.key(), entry.value());
    }
    if (model.training_info_size() > 0) notes_.push_back("'training_info' is stated in the file and not read.");
    if (model.graph().quantization_annotation_size() > 0) {
      notes_.push_back("'quantization_annotation' is stated in the file and not read.");
    }
    parsed.graph = graph_of(model.graph(), raw, "", 0);
    for (const FunctionProto& function : model.functions()) parsed.functions.push_back(function_of(function));
    tensors_.report_missing_files(faults_);
    return parsed;
  }

 private:
  // A field that no message here has and that is none of `read` would be passed over, and might decide an answer.
  void known_fields(const char* message, std::string_view unknown, std::initializer_list<uint32_t> read) {
    WireReader reader(unknown);
    for (WireField field; reader.next(field);) {
      if (std::find(read.begin(), read.end(), field.number) != read.end()) {
        if ((field.number == kModelDevices && read.size() == 1) || (field.number == kNodeDevices && read.size() == 3)) {
          note_once("sharding over devices is stated and not used.");
        }
        continue;
      }
      const Fault fault{"the file", std::string("the message ") + message + " holds field " +
                                        std::to_string(field.number) + ", which no IR read here has."};
      if (std::find(faults_.begin(), faults_.end(), fault) == faults_.end()) faults_.push_back(fault);
    }
  }

  void note_once(const std::string& note) {
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }

  template <class Imports>
  Opsets opsets_of(const Imports& imports) {
    Opsets opsets;
    for (const OperatorSetIdProto& import : imports) {
      if (!opsets.emplace(plain_domain(import.domain()), import.version()).second) {
        faults_.push_back({"the file", "it imports the operators of " + quoted(import.domain()) + " twice."});
      }
    }
    const auto own = opsets.find("");
    if (own != opsets.end() && (own->second < 1 || own->second > 28)) {
      faults_.push_back({"the file", "it asks for opset " + std::to_string(own->second) + ", and 1 to 28 are read."});
    }
    return opsets;
  }

  FileGraph graph_of(const GraphProto& graph, const std::vector<std::optional<std::string_view>>& raw,
                     const std::string& place, int depth) {
    known_fields("GraphProto", graph.unknown_fields(), {kGraphMetadata});
    FileGraph parsed{.name = graph.name()};
    for (int i = 0; i < graph.initializer_size(); ++i) {
      const TensorProto& tensor = graph.initializer(i);
      known_fields("TensorProto", tensor.unknown_fields(), {kTensorMetadata});
      const auto at = static_cast<size_t>(i);
      FileTensor initializer = tensors_.parse(tensor, at < raw.size() ? raw[at] : std::nullopt);
      if (!initializer.refused.empty()) {
        faults_.push_back({place + "initializer " + quoted(initializer.name), initializer.refused});
      }
      parsed.initializers.push_back(std::move(initializer));
    }
    for (const SparseTensorProto& sparse : graph.sparse_initializer()) {
      faults_.push_back({place + "initializer " + quoted(sparse.values().name()),
                         "it is a sparse tensor, and only dense ones are read."});
    }
    for (const ValueInfoProto& door : graph.input()) parsed.inputs.push_back(door_of(door));
    for (const ValueInfoProto& door : graph.output()) parsed.outputs.push_back(door_of(door));
    for (const NodeProto& node : graph.node()) {
      parsed.nodes.push_back(node_of(node, depth));
      parsed.nodes.back().place = parsed.nodes.size() - 1;
    }
    return parsed;
  }

  FileDoor door_of(const ValueInfoProto& door) {
    known_fields("ValueInfoProto", door.unknown_fields(), {kValueInfoMetadata});
    FileDoor parsed{.name = door.name()};
    if (!door.has_type()) return parsed;
    if (!door.type().has_tensor_type()) {
      parsed.refused = "it is no tensor, and only tensors are read.";
      return parsed;
    }
    const TypeProto_Tensor& type = door.type().tensor_type();
    parsed.dtype = dtype_of_element_type(type.elem_type());
    if (parsed.dtype == DType::Unknown && type.elem_type() != 0) parsed.refused = not_read("it", type.elem_type());
    if (!type.has_shape()) return parsed;
    if (type.shape().dim_size() > kMostAxes) {
      parsed.refused = too_many_axes(type.shape().dim_size());
      return parsed;
    }
    std::vector<Dim> dims;
    std::vector<int64_t> numbers;
    for (const TensorShapeProto_Dimension& dim : type.shape().dim()) {
      if (dim.has_dim_value()) {
        numbers.push_back(dim.dim_value());
        dims.emplace_back(dim.dim_value());
      } else {
        dims.push_back(dim.dim_param().empty() ? Dim() : Dim::named(dim.dim_param()));
      }
    }
    if (!checked_product(numbers)) {
      parsed.refused = "its lengths are " + Shape(dims).text() + ", and no tensor has these.";
      return parsed;
    }
    parsed.shape = std::move(dims);
    return parsed;
  }

  FileNode node_of(const NodeProto& node, int depth) {
    known_fields("NodeProto", node.unknown_fields(), {kNodeOverload, kNodeMetadata, kNodeDevices});
    FileNode parsed{.name = node.name(),
                    .op = node.op_type(),
                    .domain = plain_domain(node.domain()),
                    .overload = text_in(node.unknown_fields(), kNodeOverload),
                    .inputs = {node.input().begin(), node.input().end()},
                    .outputs = {node.output().begin(), node.output().end()}};
    parsed.metadata = properties_of(node.unknown_fields(), kNodeMetadata);
    for (const AttributeProto& attribute : node.attribute()) {
      parsed.attributes.push_back(attribute_of(attribute, node.name(), depth));
    }
    return parsed;
  }

  // Files of old say no type; then the field that is set is what it is.
  static AttributeProto::AttributeType type_of(const AttributeProto& attribute) {
    if (attribute.type() != AttributeProto::UNDEFINED) return attribute.type();
    if (attribute.has_f()) return AttributeProto::FLOAT;
    if (attribute.has_i()) return AttributeProto::INT;
    if (attribute.has_s()) return AttributeProto::STRING;
    if (attribute.has_t()) return AttributeProto::TENSOR;
    if (attribute.has_g()) return AttributeProto::GRAPH;
    if (attribute.floats_size() > 0) return AttributeProto::FLOATS;
    if (attribute.strings_size() > 0) return AttributeProto::STRINGS;
    return AttributeProto::INTS;
  }

  Attribute attribute_of(const AttributeProto& attribute, const std::string& node, int depth) {
    known_fields("AttributeProto", attribute.unknown_fields(), {});
    Attribute parsed{.name = attribute.name(), .from = attribute.ref_attr_name()};
    using Kind = Attribute::Kind;
    switch (type_of(attribute)) {
      case AttributeProto::FLOAT:
        parsed.kind = Kind::Real;
        parsed.real = attribute.f();
        break;
      case AttributeProto::INT:
        parsed.kind = Kind::Integer;
        parsed.integer = attribute.i();
        break;
      case AttributeProto::STRING:
        parsed.kind = Kind::Text;
        parsed.text = attribute.s();
        break;
      case AttributeProto::TENSOR:
        parsed.kind = Kind::Tensor;
        parsed.tensor = std::make_shared<const FileTensor>(tensors_.parse(attribute.t()));
        break;
      case AttributeProto::GRAPH:
        parsed.kind = Kind::Graph;
        if (depth + 1 > kGraphDepth) {
          faults_.push_back({"node " + quoted(node),
                             "graphs lie more than " + std::to_string(kGraphDepth) + " deep in each other there."});
        } else {
          parsed.graph = std::make_shared<const FileGraph>(
              graph_of(attribute.g(), {}, "node " + quoted(node) + ", inner ", depth + 1));
        }
        break;
      case AttributeProto::FLOATS:
        parsed.kind = Kind::Reals;
        parsed.reals = {attribute.floats().begin(), attribute.floats().end()};
        break;
      case AttributeProto::INTS:
        parsed.kind = Kind::Integers;
        parsed.integers = {attribute.ints().begin(), attribute.ints().end()};
        break;
      case AttributeProto::STRINGS:
        parsed.kind = Kind::Texts;
        parsed.texts = {attribute.strings().begin(), attribute.strings().end()};
        break;
      default:
        parsed.kind = Kind::Other;
    }
    return parsed;
  }

  FileFunction function_of(const FunctionProto& function) {
    known_fields("FunctionProto", function.unknown_fields(),
                 {kFunctionDefaults, kFunctionValueInfo, kFunctionOverload, kFunctionMetadata});
    FileFunction parsed{.name = function.name(),
                        .domain = plain_domain(function.domain()),
                        .overload = text_in(function.unknown_fields(), kFunctionOverload),
                        .inputs = {function.input().begin(), function.input().end()},
                        .outputs = {function.output().begin(), function.output().end()},
                        .attributes = {function.attribute().begin(), function.attribute().end()}};
    parsed.opsets = opsets_of(function.opset_import());
    WireReader reader(function.unknown_fields());
    for (WireField field; reader.next(field);) {
      AttributeProto value;
      if (field.number != kFunctionDefaults || field.kind != WireField::Bytes) continue;
      if (value.ParseFromArray(field.bytes.data(), static_cast<int>(field.bytes.size()))) {
        parsed.defaults.push_back(attribute_of(value, function.name(), 0));
      } else {
        faults_.push_back({"function " + quoted(function.name()), "a default of its attributes cannot be read."});
      }
    }
    for (const NodeProto& node : function.node()) {
      parsed.nodes.push_back(node_of(node, 0));
      parsed.nodes.back().place = parsed.nodes.size() - 1;
    }
    return parsed;
  }

  TensorParser tensors_;
  std::vector<Fault>& faults_;
  std::vector<std::string>& notes_;
};

}  // namespace

bool looks_like_model(const ByteSource& source) {
  bool has_graph = false, has_version = false;
  WireReader reader(source.text());
  for (WireField field; reader.next(field);) {
    has_graph = has_graph || (field.number == kModelGraph && field.kind == WireField::Bytes);
    has_version = has_version || (field.number == 1 && field.kind == WireField::Varint);
  }
  return !reader.is_broken() && has_graph && has_version;
}

FileModel parse_model(const ByteSource& source, std::vector<Fault>& faults, std::vector<std::string>& notes) {
  constexpr auto kMostBytes = static_cast<size_t>(std::numeric_limits<int32_t>::max());
  if (source.size() > kMostBytes) {
    throw Refused("the file",
                  "it has " + std::to_string(source.size()) +
                      " bytes, and a protobuf message has less than 2^31. Save its numbers as external data.");
  }
  ModelProto model;
  std::vector<std::optional<std::string_view>> raw;
  {
    std::optional<Skeleton> skeleton = skeleton_of(source.text());
    if (!skeleton) throw Refused("the file", kNotModel);
    raw = std::move(skeleton->raw);
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(skeleton->message.data()),
                                                  static_cast<int>(skeleton->message.size()));
    stream.SetRecursionLimit(100);
    if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
      throw Refused("the file", std::string(kNotModel) + " (Messages may lie at most 100 deep in each other.)");
    }
  }
  if (!model.has_graph()) throw Refused("the file", "it has no graph.");
  return Parser(source, faults, notes).parse(model, raw);
}

}  // namespace causeway::formats::onnx
