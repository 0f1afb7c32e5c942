#include "causeway/formats/onnx/serialize.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "causeway/formats/onnx/element_types.h"
#include "causeway/formats/onnx/wire.h"
#include "onnx_proto/onnx.pb.h"

namespace causeway::formats::onnx {
namespace {

using namespace onnx_proto;

constexpr uint32_t kNodeMetadata = 9;

void put_tensor(TensorProto& to, const FileTensor& tensor) {
  to.set_name(tensor.name);
  to.set_data_type(element_type_of(tensor.numbers->dtype()));
  for (const int64_t length : tensor.numbers->lengths()) to.add_dims(length);
}

void put_numbers(TensorProto& to, const Tensor& numbers) { to.set_raw_data(numbers.data(), numbers.size_bytes()); }

void put_property(TensorProto& to, const std::string& key, const std::string& value) {
  StringStringEntryProto& entry = *to.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

void put_door(ValueInfoProto& to, const FileDoor& door) {
  to.set_name(door.name);
  TypeProto_Tensor& type = *to.mutable_type()->mutable_tensor_type();
  type.set_elem_type(element_type_of(door.dtype));
  if (!door.shape.has_rank()) return;
  TensorShapeProto& shape = *type.mutable_shape();
  for (const Dim& dim : *door.shape.dims) {
    TensorShapeProto_Dimension& made = *shape.add_dim();
    if (dim.is_number()) {
      made.set_dim_value(dim.number());
    } else if (dim.is_symbolic()) {
      const std::vector<std::string> names = dim.names();
      made.set_dim_param(dim == Dim::named(names[0]) ? names[0] : dim.text());
    }
  }
}

void put_attribute(AttributeProto& to, const Attribute& attribute) {
  using Kind = Attribute::Kind;
  to.set_name(attribute.name);
  switch (attribute.kind) {
    case Kind::Real:
      to.set_type(AttributeProto::FLOAT);
      to.set_f(attribute.real);
      break;
    case Kind::Integer:
      to.set_type(AttributeProto::INT);
      to.set_i(attribute.integer);
      break;
    case Kind::Text:
      to.set_type(AttributeProto::STRING);
      to.set_s(attribute.text);
      break;
    case Kind::Integers:
      to.set_type(AttributeProto::INTS);
      for (const int64_t value : attribute.integers) to.add_ints(value);
      break;
    case Kind::Reals:
      to.set_type(AttributeProto::FLOATS);
      for (const float value : attribute.reals) to.add_floats(value);
      break;
    case Kind::Texts:
      to.set_type(AttributeProto::STRINGS);
      for (const std::string& value : attribute.texts) to.add_strings(value);
      break;
    case Kind::Tensor:
      to.set_type(AttributeProto::TENSOR);
      put_tensor(*to.mutable_t(), *attribute.tensor);
      put_numbers(*to.mutable_t(), *attribute.tensor->numbers);
      break;
    default:
      CAUSEWAY_CHECK(false, "an attribute of that kind is written");
  }
}

void put_node(NodeProto& to, const FileNode& node, bool with_metadata) {
  for (const std::string& input : node.inputs) to.add_input(input);
  for (const std::string& output : node.outputs) to.add_output(output);
  to.set_name(node.name);
  to.set_op_type(node.op);
  if (!node.domain.empty()) to.set_domain(node.domain);
  for (const Attribute& attribute : node.attributes) put_attribute(*to.add_attribute(), attribute);
  if (!with_metadata) return;
  // The messages here are older than this field of a node.
  for (const auto& [key, value] : node.metadata) {
    StringStringEntryProto entry;
    entry.set_key(key);
    entry.set_value(value);
    put_bytes(*to.mutable_unknown_fields(), kNodeMetadata, entry.SerializeAsString());
  }
}

}  // namespace

uint64_t message_size(const FileModel& model) {
  uint64_t size = 4096;
  for (const FileTensor& tensor : model.graph.initializers)
    size += tensor.numbers->size_bytes() + tensor.name.size() + 64;
  for (const FileNode& node : model.graph.nodes) {
    size += 256;
    for (const Attribute& attribute : node.attributes) {
      size += 64 + 10 * attribute.integers.size() + (attribute.tensor ? attribute.tensor->numbers->size_bytes() : 0);
    }
  }
  return size;
}

std::string serialized(const FileModel& model, const std::string& data_file,
                       const std::map<size_t, DataPlace>& places) {
  ModelProto to;
  to.set_ir_version(model.ir_version);
  to.set_producer_name(model.producer_name);
  to.set_producer_version(model.producer_version);
  for (const auto& [domain, version] : model.opsets) {
    OperatorSetIdProto& import = *to.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  for (const auto& [key, value] : model.metadata) {
    StringStringEntryProto& entry = *to.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  GraphProto& graph = *to.mutable_graph();
  graph.set_name(model.graph.name);
  for (const FileNode& node : model.graph.nodes) {
    put_node(*graph.add_node(), node, model.ir_version >= kNodeMetadataIr);
  }
  for (const FileDoor& door : model.graph.inputs) put_door(*graph.add_input(), door);
  for (const FileDoor& door : model.graph.outputs) put_door(*graph.add_output(), door);
  for (size_t i = 0; i < model.graph.initializers.size(); ++i) {
    const FileTensor& tensor = model.graph.initializers[i];
    // To IR 3 an initializer is an input that has a value.
    if (model.ir_version < 4) {
      put_door(*graph.add_input(), {tensor.name, tensor.numbers->dtype(), tensor.numbers->shape()});
    }
    TensorProto& made = *graph.add_initializer();
    put_tensor(made, tensor);
    const auto place = places.find(i);
    if (place == places.end()) {
      put_numbers(made, *tensor.numbers);
      continue;
    }
    made.set_data_location(TensorProto::EXTERNAL);
    put_property(made, "location", data_file);
    put_property(made, "offset", std::to_string(place->second.offset));
    put_property(made, "length", std::to_string(place->second.length));
  }
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  CAUSEWAY_CHECK(to.SerializeToCodedStream(&coded), "a model below 2 GiB is serialized");
  coded.Trim();
  return bytes;
}

}  // namespace causeway::formats::onnx
