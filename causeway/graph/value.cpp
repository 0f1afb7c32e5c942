#include "causeway/graph/value.h"

#include "causeway/graph/graph.h"

namespace causeway {

Type Type::of(const Tensor& tensor) {
  Type type = open(tensor);
  if (tensor.size() > kKnownNumbers) return type;
  type.known = tensor;
  if ((tensor.dtype() == DType::Int64 || tensor.dtype() == DType::Int32) && tensor.rank() <= 1) {
    type.known_dims.emplace();
    for (int64_t i = 0; i < tensor.size(); ++i) type.known_dims->push_back(tensor.integer_at(i));
  }
  return type;
}

std::string Type::text() const { return std::string(name_of(dtype)) + " " + shape.text(); }

const Type& Value::type() const { return data_->type; }
Value::Kind Value::kind() const { return data_->kind; }
const Node* Value::node() const { return data_->node; }
size_t Value::output_index() const { return data_->output_index; }
const std::string& Value::name() const { return data_->name; }
size_t Value::index() const { return data_->index; }

GraphBuilder& Value::graph() const {
  CAUSEWAY_CHECK(data_ && data_->builder, "ops are added while the graph is being built");
  return *data_->builder;
}

}  // namespace causeway
