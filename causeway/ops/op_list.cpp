#include "causeway/ops/op_list.h"

#include <algorithm>
#include <array>

namespace causeway::ops {
namespace {

template <class S>
constexpr OpRow row_of() {
  return {S::kName, [](Settings settings) { return Op(with_settings<S>(std::move(settings))); }, requires {&S::training;
}
, requires { &S::turned; }
};  // namespace
}  // namespace causeway::ops

template <class... S>
constexpr std::array<OpRow, sizeof...(S)> rows_of(OpTypes<S...>) {
  return {row_of<S>()...};
}

constexpr auto kRows = rows_of(AllOps{});

}  // namespace

std::span<const OpRow> all_ops() { return kRows; }

std::optional<Op> make_op(std::string_view name, Settings settings) {
  const auto row = std::lower_bound(kRows.begin(), kRows.end(), name,
                                    [](const OpRow& row, std::string_view wanted) { return row.name < wanted; });
  if (row == kRows.end() || row->name != name) return std::nullopt;
  return row->make(std::move(settings));
}

}  // namespace causeway::ops
