#include "causeway/nn/losses.h"

#include <array>
#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_words.h"
#include "causeway/ops/build.h"

namespace causeway {
namespace {

// Faults of one kind past this many are counted and not listed.
constexpr size_t kListed = 20;

// The mean over all axes but the first.
Value per_row(Value elements) {
  std::vector<int64_t> axes;
  for (size_t axis = 1; axis < elements.shape().rank(); ++axis) axes.push_back(static_cast<int64_t>(axis));
  return axes.empty() ? elements : ops::reduce_mean(elements, axes);
}

// Collects faults by row and column, the first of them and then a count.
class AnswerFaults {
 public:
  explicit AnswerFaults(const Tensor& answers)
      : columns_(answers.rank() == 0 || answers.lengths()[0] == 0 ? 1 : answers.size() / answers.lengths()[0]) {}

  void add(int64_t element, const std::string& what) {
    add_row(element / columns_, "column " + std::to_string(element % columns_) + " " + what);
  }
  void add_row(int64_t row, const std::string& what) {
    if (++count_ <= kListed) faults_.push_back({"answers, row " + std::to_string(row), what});
  }
  std::vector<Fault> take() {
    if (count_ > kListed) faults_.push_back({"answers", "and " + std::to_string(count_ - kListed) + " more."});
    return std::move(faults_);
  }

 private:
  int64_t columns_;
  size_t count_ = 0;
  std::vector<Fault> faults_;
};

std::vector<Fault> not_finite(const Tensor& answers) {
  AnswerFaults faults(answers);
  const std::span<const float> values = answers.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    faults.add(static_cast<int64_t>(i), "is " + text_of(values[i]) + ", and an answer is finite.");
  }
  return faults.take();
}

std::vector<Fault> not_shares(const Tensor& answers) {
  AnswerFaults faults(answers);
  const int64_t classes = answers.rank() == 0 ? 0 : answers.lengths().back();
  if (classes < 2) {
    return {
        {"answers", "they are " + text_of(answers.lengths()) + ", and a categorical loss takes two classes or more."}};
  }
  const std::span<const float> values = answers.values<float>();
  const int64_t vectors = answers.size() / classes;
  const int64_t rows = answers.lengths()[0];
  for (int64_t v = 0; v < vectors; ++v) {
    double sum = 0;
    bool finite = true;
    for (int64_t c = 0; c < classes; ++c) {
      const float share = values[static_cast<size_t>(v * classes + c)];
      finite = finite && std::isfinite(share);
      sum += share;
      if (!(share >= 0)) faults.add(v * classes + c, "is " + text_of(share) + ", and a share is at least 0.");
    }
    if (finite && std::fabs(sum - 1) > 1e-6 * static_cast<double>(classes)) {
      faults.add_row(rows == 0 ? 0 : v / (vectors / rows),
                     "its shares sum to " + text_of(sum) + ", and they sum to 1.");
    }
  }
  return faults.take();
}

Value smoothed(Value answers, float smoothing, double shared) {
  if (smoothing == 0) return answers;
  return ops::shifted(ops::scale(answers, 1 - smoothing), smoothing / shared);
}

Value categorical_rows(Value logits, Value answers) {
  return per_row(ops::neg(ops::reduce_sum(ops::mul(answers, ops::log_softmax(logits)), {-1})));
}

}  // namespace

Value BinaryCrossentropy::rows(Value logits, Value answers) const {
  const Value chances = smoothed(answers, label_smoothing, 2);
  return per_row(ops::sub(ops::softplus(logits), ops::mul(chances, logits)));
}

Value BinaryCrossentropy::answer(Value logits) const { return ops::sigmoid(logits); }

std::vector<Fault> BinaryCrossentropy::check(const Tensor& answers) const {
  AnswerFaults faults(answers);
  const std::span<const float> values = answers.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0 && values[i] <= 1) continue;
    faults.add(static_cast<int64_t>(i), "is " + text_of(values[i]) + ", and a chance lies in [0, 1].");
  }
  return faults.take();
}

Value CategoricalCrossentropy::rows(Value logits, Value answers) const {
  if (label_smoothing == 0) return categorical_rows(logits, answers);
  const Dim& classes = logits.shape().at(-1);
  if (!classes.is_number()) unfit("label smoothing needs the number of classes, and it is open.");
  return categorical_rows(logits, smoothed(answers, label_smoothing, static_cast<double>(classes.number())));
}

Value CategoricalCrossentropy::answer(Value logits) const { return ops::softmax(logits); }
std::vector<Fault> CategoricalCrossentropy::check(const Tensor& answers) const { return not_shares(answers); }

Value SparseCategoricalCrossentropy::rows(Value logits, Value answers) const {
  return categorical_rows(logits, answers);
}

Value SparseCategoricalCrossentropy::answer(Value logits) const { return ops::softmax(logits); }
std::vector<Fault> SparseCategoricalCrossentropy::check(const Tensor& answers) const { return not_shares(answers); }

Value MeanSquaredError::rows(Value logits, Value answers) const {
  return per_row(ops::square(ops::sub(logits, answers)));
}
std::vector<Fault> MeanSquaredError::check(const Tensor& answers) const { return not_finite(answers); }

Value MeanAbsoluteError::rows(Value logits, Value answers) const {
  return per_row(ops::abs(ops::sub(logits, answers)));
}
std::vector<Fault> MeanAbsoluteError::check(const Tensor& answers) const { return not_finite(answers); }

namespace nn {
namespace {

constexpr std::array<std::string_view, 5> kWords{"binary_crossentropy", "categorical_crossentropy",
                                                 "mean_absolute_error", "mean_squared_error",
                                                 "sparse_categorical_crossentropy"};

Loss with_smoothing(std::string_view word, float smoothing) {
  if (word == BinaryCrossentropy::kName) return BinaryCrossentropy{smoothing};
  return CategoricalCrossentropy{smoothing};
}

}  // namespace

std::span<const std::string_view> loss_words() { return kWords; }

std::optional<Loss> loss_named(std::string_view word) {
  if (word == BinaryCrossentropy::kName) return BinaryCrossentropy{};
  if (word == CategoricalCrossentropy::kName) return CategoricalCrossentropy{};
  if (word == SparseCategoricalCrossentropy::kName) return SparseCategoricalCrossentropy{};
  if (word == MeanSquaredError::kName) return MeanSquaredError{};
  if (word == MeanAbsoluteError::kName) return MeanAbsoluteError{};
  return std::nullopt;
}

std::optional<StatedLoss> read_loss(const Json& json, const std::string& where, std::vector<Fault>& faults) {
  const auto say = [&](const Json& at, std::string what) { faults.push_back({place_in(where, at), std::move(what)}); };
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) {
    say(json,
        "a loss is a word, or an object with its \"kind\", and " + std::string(json.kind_name()) + " stands here.");
    return std::nullopt;
  }
  std::optional<Loss> loss = loss_named(kind->text());
  if (!loss) {
    const std::string nearest = nearest_word(kind->text(), {kWords.begin(), kWords.end()});
    say(*kind,
        quoted(kind->text()) + " is no loss." + (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    return std::nullopt;
  }
  StatedLoss stated{*loss, std::nullopt};
  if (!json.is_object()) return stated;
  const size_t before = faults.size();
  for (const auto& [name, value] : json.members()) {
    if (name == "kind") continue;
    const bool smooths = stated.loss.settings().size() == 1;
    try {
      if (name == "from_logits" && !stated.loss.activation().empty()) {
        read_setting(value, stated.from_logits.emplace());
      } else if (name == "label_smoothing" && smooths) {
        float smoothing = 0;
        read_setting(value, smoothing);
        if (!(smoothing >= 0 && smoothing <= 1)) unfit("is " + text_of(smoothing) + ", and lies in [0, 1].");
        stated.loss = with_smoothing(kind->text(), smoothing);
      } else {
        say(value, std::string(stated.loss.name()) + ": it has no setting " + quoted(name) + ".");
      }
    } catch (const Unfit& unfit) {
      say(value, std::string(stated.loss.name()) + ": '" + name + "' " + unfit.what());
    }
  }
  if (faults.size() > before) return std::nullopt;
  return stated;
}

Json write_loss(const Loss& loss) {
  Json json{Json::Object{}};
  json.set("kind", std::string(loss.name()));
  for (const NamedSetting& setting : loss.settings()) {
    json.set(setting.name, write_setting(static_cast<float>(std::get<double>(setting.value))));
  }
  return json;
}

namespace {

bool takes_classes(const Loss& loss) {
  return loss.as<CategoricalCrossentropy>() || loss.as<SparseCategoricalCrossentropy>();
}

Tensor one_hot(const Tensor& classes, int64_t count, std::vector<int64_t> lengths) {
  Tensor shares(DType::Float32, std::move(lengths));
  const std::span<float> into = shares.mutable_values<float>();
  for (int64_t i = 0; i < classes.size(); ++i) {
    const double number = classes.number_at(i);
    if (!(number >= 0 && number < static_cast<double>(count)) || number != std::floor(number)) {
      unfit("row " + std::to_string(i) + " is " + text_of(number) + ", and a class is a whole number in [0, " +
            std::to_string(count) + ").");
    }
    into[static_cast<size_t>(i * count) + static_cast<size_t>(number)] = 1;
  }
  return shares;
}

}  // namespace

Tensor answers_for(const Loss& loss, const Tensor& answers, const std::vector<int64_t>& logits) {
  if (takes_classes(loss) && !logits.empty()) {
    std::vector<int64_t> without(logits.begin(), logits.end() - 1), single = without;
    single.push_back(1);
    const bool numbers = answers.lengths() == without || (answers.lengths() == single && logits.back() != 1);
    if (numbers) return one_hot(answers, logits.back(), logits);
    if (loss.as<SparseCategoricalCrossentropy>()) {
      unfit("the answers are " + text_of(answers.lengths()) + ", and class numbers " + text_of(without) +
            " are taken.");
    }
  }
  if (answers.lengths() != logits) {
    // A column may come without its axis of one.
    std::vector<int64_t> column = answers.lengths();
    column.push_back(1);
    if (column == logits) return answers.converted(DType::Float32).reshaped(logits);
    unfit("the answers are " + text_of(answers.lengths()) + ", and the network gives " + text_of(logits) + ".");
  }
  return answers.converted(DType::Float32);
}

}  // namespace nn
}  // namespace causeway
