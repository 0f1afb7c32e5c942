#include "causeway/nn/cell_activation.h"

#include <algorithm>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_words.h"

namespace causeway::nn {
namespace {

using ops::CellFunction, ops::CellFunctionKind;

/// A word, the function it is, and the names of that function's numbers with what the word takes unless stated.
struct Row {
  std::string_view word;
  CellFunction function;
  std::string_view alpha = {}, beta = {};
};

/// Where a function has two words, the one it is written by comes first.
constexpr Row kRows[] = {
    {"tanh", {CellFunctionKind::Tanh}},
    {"sigmoid", {CellFunctionKind::Sigmoid}},
    {"relu", {CellFunctionKind::Relu}},
    {"linear", {CellFunctionKind::Linear}},
    {"hard_sigmoid", {CellFunctionKind::HardSigmoid, 1.0f / 6, 0.5f}},
    {"leaky_relu", {CellFunctionKind::LeakyRelu, 0.2f}, "negative_slope"},
    {"elu", {CellFunctionKind::Elu}, "alpha"},
    {"selu", {CellFunctionKind::Selu}},
    {"celu", {CellFunctionKind::Celu}, "alpha"},
    {"softplus", {CellFunctionKind::Softplus}},
    {"softsign", {CellFunctionKind::Softsign}},
    {"relu6", {CellFunctionKind::Relu6}},
    {"gelu", {CellFunctionKind::Gelu}},
    {"silu", {CellFunctionKind::Silu}},
    {"swish", {CellFunctionKind::Silu}},
    {"mish", {CellFunctionKind::Mish}},
    {"exponential", {CellFunctionKind::Exponential}},
    {"log_sigmoid", {CellFunctionKind::LogSigmoid}},
    {"hard_silu", {CellFunctionKind::HardSilu}},
    {"hard_swish", {CellFunctionKind::HardSilu}},
    {"hard_tanh", {CellFunctionKind::HardTanh}},
    {"tanh_shrink", {CellFunctionKind::TanhShrink}},
    {"soft_shrink", {CellFunctionKind::SoftShrink, 0.5f}, "threshold"},
    {"hard_shrink", {CellFunctionKind::HardShrink, 0.5f}, "threshold"},
    {"threshold", {CellFunctionKind::Threshold}, "threshold", "default_value"},
    {"squareplus", {CellFunctionKind::Squareplus, 4.0f}, "b"},
    {"sparse_plus", {CellFunctionKind::SparsePlus}},
    {"sparse_sigmoid", {CellFunctionKind::SparseSigmoid}},
};

const Row& row_of(const std::string& word) {
  const auto* at = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.word == word; });
  if (at != std::end(kRows)) return *at;
  std::vector<std::string_view> words;
  for (const Row& row : kRows) words.push_back(row.word);
  const std::string nearest = nearest_word(word, words);
  unfit("is " + quoted(word) + ", and a cell takes no such activation: they work element by element and have no slot." +
        (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
}

}  // namespace

void read_setting(const Json& json, CellActivation& into) {
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) unfit("is no activation's word, nor an object with its \"kind\".");
  const Row& row = row_of(kind->text());
  into.function = row.function;
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.members()) {
    if (name == "kind") continue;
    if (name == "approximate" && row.word == "gelu") {
      bool approximate = false;
      read_setting(value, approximate);
      if (approximate) into.function.kind = CellFunctionKind::GeluTanh;
    } else if (!row.alpha.empty() && name == row.alpha) {
      read_setting(value, into.function.alpha);
    } else if (!row.beta.empty() && name == row.beta) {
      read_setting(value, into.function.beta);
    } else {
      unfit("has the setting " + quoted(name) + ", and " + quoted(row.word) + " in a cell has none of this name.");
    }
  }
}

Json write_setting(const CellActivation& value) {
  const bool is_tanh_form = value.function.kind == CellFunctionKind::GeluTanh;
  const CellFunctionKind kind = is_tanh_form ? CellFunctionKind::Gelu : value.function.kind;
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) { return each.function.kind == kind; });
  if (row == std::end(kRows)) return words_of(kind)[static_cast<size_t>(kind)];
  Json json{Json::Object{}};
  json.set("kind", row->word);
  if (is_tanh_form) json.set("approximate", true);
  if (!row->alpha.empty() && value.function.alpha != row->function.alpha) {
    json.set(row->alpha, write_setting(value.function.alpha));
  }
  if (!row->beta.empty() && value.function.beta != row->function.beta) {
    json.set(row->beta, write_setting(value.function.beta));
  }
  return json.members().size() == 1 ? Json(row->word) : json;
}

}  // namespace causeway::nn
