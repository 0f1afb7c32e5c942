#include "causeway/ops/op_list.h"

#include <algorithm>
#include <array>

#include "causeway/ops/windowed.h"

namespace causeway::ops {
namespace {

template <class S>
concept Trains = requires {
  &S::training;
};
template <class S>
concept KeepsElements = S::kKeeps == Keeps::Elements;
template <class S>
concept Turns = KeepsElements<S> || requires {
  &S::turned;
};

template <class S>
constexpr OpRow row_of() {
  return {S::kName, [](Settings settings) { return Op(with_settings<S>(std::move(settings))); }, Trains<S>, Turns<S>};
}

template <class... S>
constexpr std::array<OpRow, sizeof...(S)> rows_of(OpTypes<S...>) {
  return {row_of<S>()...};
}

constexpr auto kRows = rows_of(AllOps{});

template <class S>
std::optional<WindowAxes> window_axes_of(const Op& op) {
  if constexpr (requires(const S& settings) {
                  settings.window;
                  settings.layout;
                }) {
    if (const S* settings = op.as<S>()) return WindowAxes{settings->window.rank(), settings->layout};
  }
  return std::nullopt;
}

template <class... S>
std::optional<WindowAxes> first_window_axes(const Op& op, OpTypes<S...>) {
  std::optional<WindowAxes> found;
  static_cast<void>(((found = window_axes_of<S>(op)) || ...));
  return found;
}

}  // namespace

std::optional<WindowAxes> window_axes(const Op& op) { return first_window_axes(op, AllOps{}); }

std::span<const OpRow> all_ops() { return kRows; }

std::optional<Op> make_op(std::string_view name, Settings settings) {
  const auto row = std::lower_bound(kRows.begin(), kRows.end(), name,
                                    [](const OpRow& row, std::string_view wanted) { return row.name < wanted; });
  if (row == kRows.end() || row->name != name) return std::nullopt;
  return row->make(std::move(settings));
}

}  // namespace causeway::ops
