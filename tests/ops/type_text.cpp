#include "tests/ops/type_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace causeway::tests {
namespace {

std::vector<Dim> dims_in(std::string_view list) {
  std::vector<Dim> dims;
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    const std::string_view entry = list.substr(0, comma);
    if (entry.empty()) break;
    const bool is_negative = entry[0] == '-';
    const std::optional<Dim> dim = entry == "?" ? Dim() : Dim::parse(is_negative ? entry.substr(1) : entry);
    if (!dim) ADD_FAILURE() << entry << " is no length.";
    dims.push_back(is_negative ? Dim(0) - dim.value_or(Dim()) : dim.value_or(Dim()));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return dims;
}

Type list_of(DType dtype, const std::vector<Dim>& dims, bool is_scalar) {
  Type type{dtype, is_scalar ? Shape(std::vector<Dim>()) : Shape{static_cast<int64_t>(dims.size())}};
  type.known_dims = dims;
  std::vector<int64_t> numbers;
  for (const Dim& dim : dims) {
    if (!dim.is_number()) return type;
    numbers.push_back(dim.number());
  }
  type.known = Tensor::of<int64_t>(type.shape.lengths(), numbers).converted(dtype);
  return type;
}

}  // namespace

Type type_of_text(std::string_view text) {
  const size_t space = text.find(' ');
  const std::string_view dtype_name = text.substr(0, space), rest = text.substr(space + 1);
  const DType dtype = dtype_name == "?" ? DType::Unknown : dtype_named(dtype_name).value_or(DType::Unknown);
  if (rest == "[…]") return {dtype, {}};
  const size_t end = rest.find_first_of("]}");
  const std::vector<Dim> dims = dims_in(rest.substr(1, end - 1));
  return rest[0] == '{' ? list_of(dtype, dims, rest.ends_with('!')) : Type{dtype, dims};
}

std::string text_of_type(const Type& type) {
  std::string text = type.text();
  if (!type.known_dims) return text;
  text += " {";
  for (size_t i = 0; i < type.known_dims->size(); ++i) text += (i > 0 ? ", " : "") + (*type.known_dims)[i].text();
  return text + "}";
}

}  // namespace causeway::tests
