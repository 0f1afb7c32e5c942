#include "causeway/nn/lifting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/nn/loss_list.h"
#include "causeway/nn/words.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

using testing::ElementsAre;

// The network whose last layer has that activation, and that loss.
std::string words(const std::string& activation, const std::string& loss) {
  return "{\"input\": [3], \"layers\": [{\"kind\": \"dense\", \"units\": 3, \"activation\": " + activation +
         "}], \"loss\": " + loss + "}";
}

struct Ending {
  const char* name;
  const char* activation;
  const char* loss;
  /// The op that the network ends in behind the loss's lifting; "" where it is refused.
  const char* last;
  const char* refusal = "";
};

const Ending kEndings[] = {
    {"yes_unsaid", "\"sigmoid\"", R"("binary_crossentropy")", "Add"},
    {"yes_false", "\"sigmoid\"", R"({"kind": "binary_focal_crossentropy", "from_logits": false})", "Add"},
    {"yes_true", "\"softmax\"", R"({"kind": "categorical_crossentropy", "from_logits": true})", "",
     "layer '0.activation' (Softmax), Softmax: categorical_crossentropy is told logits, and the network ends in its "
     "Softmax already, which would be applied twice. Say from_logits false, or take the layer off."},
    {"no_true", "null", R"({"kind": "sparse_categorical_crossentropy", "from_logits": true})", "Add"},
    {"no_unsaid", "null", R"("earth_movers_distance")", "Add"},
    {"no_false", "null", R"({"kind": "binary_crossentropy", "from_logits": false})", "",
     "layer '0' (Dense), Add: binary_crossentropy is told chances, and the network does not end in a Sigmoid. Say "
     "from_logits true, or end the network in it."},
    {"softmax_before_binary", "\"softmax\"", R"("binary_crossentropy")", "",
     "layer '0.activation' (Softmax), Softmax: it ends in a Softmax, and binary_crossentropy goes with a Sigmoid."},
    {"sigmoid_before_categorical", "\"sigmoid\"", R"("categorical_crossentropy")", "",
     "layer '0.activation' (Sigmoid), Sigmoid: it ends in a Sigmoid, and categorical_crossentropy goes with a "
     "Softmax."},
    {"softmax_of_an_ordered_loss", "\"softmax\"", R"({"kind": "earth_movers_distance", "remainder": true})", "Add"},
    {"exponential_of_log_rates", "\"exponential\"", R"({"kind": "poisson", "log_input": true})", "Add"},
    {"exponential_of_rates", "\"exponential\"", R"("poisson")", "Exp"},
    {"sigmoid_before_numbers", "\"sigmoid\"", R"("mean_squared_error")", "Sigmoid"},
};

class TrainingSection1Lifting : public testing::TestWithParam<Ending> {};

TEST_P(TrainingSection1Lifting, TakesTheLossesOwnActivationAndRefusesAWrongEnd) {
  const Ending& row = GetParam();
  const std::string text = words(row.activation, row.loss);
  if (*row.refusal) {
    EXPECT_THAT(tests::refusal_of([&] { network_of_words(text, ""); }), ElementsAre(row.refusal));
    return;
  }
  const SavedNetwork saved = network_of_words(text, "");
  const std::string_view last = saved.network.outputs()[0].value.node()->op.name();
  EXPECT_EQ(last, row.last);
  const bool is_lifted = std::string(row.activation) != "null" && last == "Add";
  EXPECT_EQ(saved.notes.size(), is_lifted ? 1u : 0u);
}
INSTANTIATE_TEST_SUITE_P(Table, TrainingSection1Lifting, testing::ValuesIn(kEndings), tests::by_name);

TEST(Lifting, RefusesAnActivationThatOthersRead) {
  const auto read = [] {
    network_of_words(R"({"input": [3], "layers": [{"kind": "dense", "units": 2, "name": "a", "activation": "softmax"},
                        {"kind": "dense", "units": 1, "name": "b"}],
                        "outputs": ["a.activation", "b"], "loss": {"a.activation": "categorical_crossentropy"}})",
                     "");
  };
  EXPECT_THAT(
      tests::refusal_of(read),
      ElementsAre("layer 'a.activation' (Softmax), Softmax: the Softmax that categorical_crossentropy would take "
                  "into itself is read by other layers too. Hand the loss logits."));
}

TEST(Lifting, RefusesSettingsThatALossCannotHave) {
  SavedNetwork saved = network_of_words(words("null", "null"), "");
  const std::optional<Fault> fault = nn::give_loss(saved, "output", Huber{.delta = -1}, std::nullopt);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->what, "huber: 'delta' is -1, and is finite and above 0.");
  EXPECT_TRUE(saved.losses.empty());
}

TEST(Lifting, TakingALossAwayPutsItsActivationBack) {
  SavedNetwork saved = network_of_words(words("\"exponential\"", R"({"kind": "poisson", "log_input": true})"), "");
  nn::take_loss(saved, "output");
  EXPECT_EQ(saved.network.outputs()[0].value.node()->op.name(), "Exp");
  EXPECT_TRUE(saved.losses.empty());
}

}  // namespace
}  // namespace causeway
