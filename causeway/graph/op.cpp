#include "causeway/graph/op.h"

#include "causeway/base/check.h"
#include "causeway/graph/graph.h"

namespace causeway {
namespace {

/// The order among the last `rank` axes, where these stay the last ones.
std::optional<Axes> order_of_last(size_t rank, const Axes& axes) {
  const size_t lead = axes.size() - rank;
  Axes last;
  for (size_t i = lead; i < axes.size(); ++i) {
    if (axes[i] < lead) return std::nullopt;
    last.push_back(axes[i] - lead);
  }
  return last;
}

/// Every input and output in the same order. An input of lower rank can stand in it where its axes stay the last ones.
std::optional<Turned> turned_by_elements(const Op& op, const Node& node, const Axes& axes) {
  Turned turned{op, {}, {axes}, {}};
  for (const Value& input : node.inputs) {
    if (!input) {
      turned.inputs.push_back({});
      continue;
    }
    if (!input.shape().has_rank() || input.shape().rank() > axes.size()) return std::nullopt;
    std::optional<Axes> order = order_of_last(input.shape().rank(), axes);
    if (!order && input.shape().count() == Dim(1)) order.emplace();
    if (!order) return std::nullopt;
    turned.inputs.push_back(*std::move(order));
  }
  return turned;
}

}  // namespace

std::string Op::text() const {
  std::string text(name());
  std::string inner;
  for (const NamedSetting& setting : settings()) {
    if (std::holds_alternative<std::monostate>(setting.value)) continue;
    if (!inner.empty()) inner += ", ";
    inner += setting.name + "=" + setting_text(setting.value);
  }
  return inner.empty() ? text : text + "(" + inner + ")";
}

Values Op::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  if (!rules_->gradient) unfit(std::string(no_gradient()));
  return rules_->gradient(settings_.get(), graph, node, dy);
}

std::optional<Values> Op::training(GraphBuilder& graph, const Node& node) const {
  return rules_->training ? rules_->training(settings_.get(), graph, node) : std::nullopt;
}

std::optional<Turned> Op::turned(const Node& node, const Axes& axes) const {
  if (keeps() == Keeps::Elements) return turned_by_elements(*this, node, axes);
  return rules_->turned ? rules_->turned(settings_.get(), node, axes) : std::nullopt;
}

Values Op::expanded(GraphBuilder& graph, const Values& inputs) const {
  CAUSEWAY_CHECK(is_expanded(), "an op that other nodes stand for");
  return rules_->expanded(settings_.get(), graph, inputs);
}

std::vector<size_t> Op::decided_by() const {
  return is_expanded() ? rules_->decided_by(settings_.get()) : std::vector<size_t>();
}

bool operator==(const Op& a, const Op& b) {
  if (a.rules_ != b.rules_) return false;
  return a.settings_ == b.settings_ || a.settings() == b.settings();
}

Axes inverse(const Axes& axes) {
  Axes undone(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) undone[axes[i]] = i;
  return undone;
}

Axes composed(const Axes& first, const Axes& then) {
  if (first.empty()) return then;
  if (then.empty()) return first;
  CAUSEWAY_CHECK(first.size() == then.size(), "two orders of one rank");
  Axes both(then.size());
  for (size_t i = 0; i < then.size(); ++i) both[i] = first[then[i]];
  return both;
}

bool is_identity(const Axes& axes) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != i) return false;
  }
  return true;
}

}  // namespace causeway
