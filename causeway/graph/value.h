#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "causeway/tensor/shape.h"
#include "causeway/tensor/tensor.h"

namespace causeway {

class GraphBuilder;
struct Node;
struct ValueData;

/// What is known of a value before it is computed.
struct Type {
  DType dtype = DType::Unknown;
  Shape shape;
  /// Its numbers, where they are known and at most kKnownNumbers.
  std::optional<Tensor> known = std::nullopt;
  /// A whole-number scalar or list whose entries are lengths, as far as they are known: what shape arithmetic is
  /// followed by while lengths are still open.
  std::optional<std::vector<Dim>> known_dims = std::nullopt;

  static constexpr int64_t kKnownNumbers = 1024;
  /// The type of a tensor, its numbers known where they are few.
  static Type of(const Tensor& tensor);
  /// The same, its numbers not known.
  static Type open(const Tensor& tensor) { return {tensor.dtype(), tensor.shape()}; }
  /// "float32 [N, 3]".
  std::string text() const;
};
using Types = std::vector<Type>;

/// A handle to one value of a graph: an input, a slot or an output of a node. Empty where an optional input or output is
/// absent. It is good as long as its builder, or a copy of the finished graph, lives.
class Value {
 public:
  enum class Kind { Input, Slot, Output };

  Value() = default;

  explicit operator bool() const { return data_ != nullptr; }
  const Type& type() const;
  DType dtype() const { return type().dtype; }
  const Shape& shape() const { return type().shape; }

  Kind kind() const;
  /// The node that makes it; null for an input or a slot.
  const Node* node() const;
  /// Which of its node's outputs it is.
  size_t output_index() const;
  /// An input's name or a slot's path; "" for an output of a node.
  const std::string& name() const;
  /// Its place among the graph's values, from 0 and without gaps once the graph is finished.
  size_t index() const;
  /// The builder, while the graph is being built.
  GraphBuilder& graph() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  friend class GraphBuilder;
  friend struct std::hash<Value>;
  explicit Value(ValueData* data) : data_(data) {}
  ValueData* data_ = nullptr;
};
using Values = std::vector<Value>;

}  // namespace causeway

template <>
struct std::hash<causeway::Value> {
  size_t operator()(const causeway::Value& value) const noexcept { return std::hash<const void*>{}(value.data_); }
};
