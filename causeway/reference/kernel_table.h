#pragma once

#include <span>
#include <string_view>

#include "causeway/reference/reference.h"

namespace causeway::reference {

/// One op's kernel, by the op's name.
struct KernelRow {
  std::string_view name;
  Kernel kernel = nullptr;
};

/// A row from a function `void kernel(const ops::Conv&, Views inputs, Views outputs)`.
template <auto kFunction>
struct RowOf;
template <class S, void (*kFunction)(const S&, Views, Views)>
struct RowOf<kFunction> {
  static constexpr KernelRow kRow = {
      S::kName, [](const Op& op, Views inputs, Views outputs) { kFunction(*op.as<S>(), inputs, outputs); }};
};
template <auto kFunction>
constexpr KernelRow row() {
  return RowOf<kFunction>::kRow;
}

/// Ops that work element by element (elementwise.cpp).
std::span<const KernelRow> elementwise_kernels();

}  // namespace causeway::reference
