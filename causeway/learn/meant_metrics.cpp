#include "causeway/learn/meant_metrics.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/nn/loss_list.h"
#include "causeway/pipeline/metrics.h"

namespace causeway {
namespace {

constexpr std::string_view kOfNumbers[] = {"rmse", "mae", "r2"}, kOfClassesAlone[] = {"emd", "rps", "kl"},
                           kOfMargins[] = {"auc"};

template <size_t N>
bool is_among(std::string_view metric, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), metric) != std::end(words);
}

struct Meaning {
  const char* answers;
  bool (*has)(std::string_view metric);
};

Meaning meaning_of(const Loss& loss) {
  switch (loss.answers()) {
    case AnswerKind::Numbers:
      return {"numbers", [](std::string_view metric) { return is_among(metric, kOfNumbers); }};
    case AnswerKind::Chances:
      if (!loss.activation()) return {"margins", [](std::string_view metric) { return is_among(metric, kOfMargins); }};
      return {"chances", [](std::string_view metric) { return !is_among(metric, kOfClassesAlone); }};
    case AnswerKind::Shares:
    case AnswerKind::ClassNumbers:
      break;
  }
  return {"shares of classes", [](std::string_view) { return true; }};
}

}  // namespace

void expect_meaning(const pipeline::Pipeline& pipeline, const Loss& loss) {
  const Meaning meaning = meaning_of(loss);
  std::string meant;
  for (const std::string_view metric : pipeline::kMetricWords) {
    if (meaning.has(metric)) meant += (meant.empty() ? "" : ", ") + std::string(metric);
  }
  std::vector<Fault> faults;
  for (const pipeline::MetricsRequest& request : pipeline.metrics()) {
    for (const std::string& metric : request.metrics) {
      if (meaning.has(metric)) continue;
      faults.push_back({request.where, quoted(metric) + " means nothing for " + std::string(loss.name()) +
                                           ", whose answers are " + meaning.answers + ". They have " + meant + "."});
    }
  }
  refuse_if_any(std::move(faults));
}

void expect_meaning(const pipeline::Pipeline& pipeline) {
  const std::optional<pipeline::LearnRequest> learns = pipeline.learn();
  const Json* stated = learns ? learns->stated.find("loss") : nullptr;
  if (!stated) return;
  std::vector<Fault> unread;
  const std::optional<StatedLoss> loss = nn::read_loss(*stated, "", unread);
  if (loss) expect_meaning(pipeline, loss->loss);
}

}  // namespace causeway
