#include "causeway/nn/loss_list.h"

#include <algorithm>

#include "causeway/base/quoted.h"

namespace causeway::nn {
namespace {

template <class... S>
struct LossTypes {};

using AllLosses = LossTypes<BinaryCrossentropy, BinaryFocalCrossentropy, CategoricalCrossentropy, EarthMoversDistance,
                            Hinge, Huber, MeanAbsoluteError, MeanSquaredError, Poisson, SparseCategoricalCrossentropy>;

// What words state of a loss: its own settings, its weight, and where it asks, what the network ends in.
template <class S>
struct Stated : S, LossWeight {
  std::optional<bool> from_logits;

  static void settings(auto&& each) {
    S::settings(
        [&]<class Field>(std::string_view name, Field S::*field) { each(name, static_cast<Field Stated::*>(field)); });
    LossWeight::settings([&]<class Field>(std::string_view name, Field LossWeight::*field) {
      each(name, static_cast<Field Stated::*>(field));
    });
    if constexpr (requires { S::kSaysLogits; }) each("from_logits", &Stated::from_logits);
  }
};

template <class S>
LossRow row_of() {
  const auto read = [](const Json& object, const std::string& where, std::vector<Fault>& faults) {
    SettingReader reader(object, std::string(S::kName), where, faults);
    const auto stated = reader.template read<Stated<S>>({"kind"});
    const Loss loss(static_cast<const S&>(stated), static_cast<const LossWeight&>(stated));
    try {
      loss.fits();
    } catch (const Unfit& unfit) {
      faults.push_back({place_in(where, object), std::string(S::kName) + ": " + unfit.what()});
    }
    return StatedLoss{loss, stated.from_logits};
  };
  return {S::kName, read, Loss(S{})};
}

template <class... S>
std::vector<LossRow> rows_of(LossTypes<S...>) {
  return {row_of<S>()...};
}

std::string no_loss(std::string_view word) {
  std::vector<std::string_view> words;
  std::string known;
  for (const LossRow& row : all_losses()) {
    words.push_back(row.word);
    known += (known.empty() ? "" : ", ") + std::string(row.word);
  }
  const std::string nearest = nearest_word(word, words);
  return quoted(word) + " is no loss." + (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + ".") +
         " Known are " + known + ".";
}

}  // namespace

std::span<const LossRow> all_losses() {
  static const std::vector<LossRow> kRows = rows_of(AllLosses{});
  return kRows;
}

const LossRow* loss_row(std::string_view word) {
  for (const LossRow& row : all_losses()) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

std::optional<StatedLoss> read_loss(const Json& json, const std::string& where, std::vector<Fault>& faults) {
  const auto say = [&](const Json& at, std::string what) { faults.push_back({place_in(where, at), std::move(what)}); };
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) {
    say(json,
        "a loss is a word, or an object with its \"kind\", and " + std::string(json.kind_name()) + " stands here.");
    return std::nullopt;
  }
  const LossRow* row = loss_row(kind->text());
  if (!row) {
    say(*kind, no_loss(kind->text()));
    return std::nullopt;
  }
  if (!json.is_object()) return StatedLoss{row->plain, std::nullopt};
  const size_t before = faults.size();
  StatedLoss stated = row->read(json, where, faults);
  if (faults.size() > before) return std::nullopt;
  return stated;
}

Json write_loss(const Loss& loss) {
  Json::Object members{{"kind", std::string(loss.name())}};
  for (auto& member : loss.settings()) members.push_back(std::move(member));
  for (auto& member : written_settings(loss.weight(), /*all=*/true)) members.push_back(std::move(member));
  return members;
}

}  // namespace causeway::nn
