#include "causeway/engine/reference/reference_engine.h"

#include <gmock/gmock.h>

#include <limits>

#include "causeway/ops/build.h"
#include "tests/support/refusal.h"

namespace causeway::engine::reference {
namespace {

using testing::ElementsAre;

Type vector_of(int64_t length) { return {DType::Float32, Shape{length}}; }
Tensor numbers(const std::vector<float>& values) {
  return Tensor::of<float>({static_cast<int64_t>(values.size())}, values);
}
std::vector<float> values_of(const TensorView& view) {
  const Tensor copy = copy_of(view);
  return {copy.values<float>().begin(), copy.values<float>().end()};
}
std::vector<float> values_of(const Tensor& tensor) { return values_of(view_of(tensor)); }

/// A graph over slots, and a context that runs it on vectors.
class Running {
 public:
  Running(Slots& slots, GraphBuilder&& builder, const Binding& binding, const CompileOptions& options = {})
      : context_(ReferenceEngine().compile(std::move(builder).finish(), slots, binding, options)->context()) {}

  std::span<const TensorView> operator()(const std::vector<Tensor>& inputs) {
    std::vector<TensorView> views;
    for (const Tensor& input : inputs) views.push_back(view_of(input));
    return context_->run(views);
  }
  bool assigned() const { return context_->assigned(); }

 private:
  std::unique_ptr<Context> context_;
};

Slots with_slot(const std::string& path, const std::vector<float>& values) {
  Slots slots;
  slots.add({.path = path, .numbers = numbers(values)});
  return slots;
}

TEST(ReferenceEngine, SeesWhatASlotHoldsNow) {
  Slots slots = with_slot("w", {1, 2});
  GraphBuilder builder(slots);
  builder.output("y", ops::mul(builder.input("x", vector_of(2)), builder.slot("w")));
  Running run(slots, std::move(builder), {.lengths = {{"x", {2}}}});
  EXPECT_THAT(values_of(run({numbers({3, 4})})[0]), ElementsAre(3, 8));
  slots.at("w").assign(numbers({10, 20}));
  EXPECT_THAT(values_of(run({numbers({3, 4})})[0]), ElementsAre(30, 80));
}

TEST(ReferenceEngine, AssignsAllOrNone) {
  Slots slots = with_slot("w", {1, 2});
  slots.add({.path = "count", .numbers = numbers({0})});
  GraphBuilder builder(slots);
  const Value x = builder.input("x", vector_of(2));
  builder.output("y", ops::add(builder.slot("w"), x));
  builder.assign("w", ops::add(builder.slot("w"), x));
  builder.assign("count", ops::shifted(builder.slot("count"), 1));
  builder.guard(ops::reduce_sum(x));
  Running run(slots, std::move(builder), {.lengths = {{"x", {2}}}});

  run({numbers({1, 1})});
  EXPECT_TRUE(run.assigned());
  EXPECT_THAT(values_of(slots.at("w").numbers), ElementsAre(2, 3));
  EXPECT_EQ(slots.at("w").version, 1u);

  for (const float wrong : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    run({numbers({1, wrong})});
    EXPECT_FALSE(run.assigned());
    EXPECT_THAT(values_of(slots.at("w").numbers), ElementsAre(2, 3));
    EXPECT_THAT(values_of(slots.at("count").numbers), ElementsAre(1));
    EXPECT_EQ(slots.at("count").version, 1u);
  }

  run({numbers({1, 1})});
  EXPECT_TRUE(run.assigned());
  EXPECT_THAT(values_of(slots.at("count").numbers), ElementsAre(2));
}

TEST(ReferenceEngine, ReadsEverySlotBeforeItAssignsOne) {
  Slots slots = with_slot("a", {1});
  slots.add({.path = "b", .numbers = numbers({2})});
  GraphBuilder builder(slots);
  const Value a = builder.slot("a"), b = builder.slot("b");
  builder.output("a_before", a);
  builder.assign("a", b);
  builder.assign("b", a);
  Running run(slots, std::move(builder), {});
  EXPECT_THAT(values_of(run({})[0]), ElementsAre(1));
  EXPECT_THAT(values_of(slots.at("a").numbers), ElementsAre(2));
  EXPECT_THAT(values_of(slots.at("b").numbers), ElementsAre(1));
}

TEST(ReferenceEngine, LeavesACopyOfTheSlotsAlone) {
  Slots slots = with_slot("w", {1});
  const Slots copy = slots;
  GraphBuilder builder(slots);
  builder.assign("w", ops::scale(builder.slot("w"), 2));
  Running run(slots, std::move(builder), {});
  run({});
  EXPECT_THAT(values_of(slots.at("w").numbers), ElementsAre(2));
  EXPECT_THAT(values_of(copy.at("w").numbers), ElementsAre(1));
}

TEST(ReferenceEngine, GivesAnInputThatIsAnOutputAsItsOwn) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", vector_of(1));
  builder.output("first", x);
  builder.output("again", x);
  Running run(slots, std::move(builder), {.lengths = {{"x", {1}}}});
  std::span<const TensorView> outputs;
  {
    const Tensor gone = numbers({7});
    outputs = run({gone});
    EXPECT_NE(outputs[0].data, gone.data());
  }
  EXPECT_THAT(values_of(outputs[0]), ElementsAre(7));
  EXPECT_THAT(values_of(outputs[1]), ElementsAre(7));
}

TEST(ReferenceEngine, RefusesFromRunWhatOnlyDataCanCause) {
  Slots slots = with_slot("table", {1, 2, 3});
  GraphBuilder builder(slots);
  {
    const ScopeGuard scope = builder.scope("embedding", "Embedding");
    const Value rows = ops::gather(builder.slot("table"), builder.input("x", {DType::Int64, Shape{2}}));
    builder.output("y", rows);
    builder.assign("table", ops::scale(builder.slot("table"), 2));
  }
  Running run(slots, std::move(builder), {.lengths = {{"x", {2}}}});
  EXPECT_THAT(
      tests::refusal_of([&] {
        run({Tensor::of_integers({0, 3})});
      }),
      ElementsAre("layer 'embedding' (Embedding), Gather: the index 3 at [1] lies outside the axis, which has 3 "
                  "places."));
  EXPECT_THAT(values_of(slots.at("table").numbers), ElementsAre(1, 2, 3));
  EXPECT_THAT(values_of(run({Tensor::of_integers({-1, 0})})[0]), ElementsAre(3, 1));
}

TEST(ReferenceEngine, KeepsToTheValuesItIsBoundTo) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", vector_of(6)), lengths = builder.input("lengths", {DType::Int64, Shape{2}});
  builder.output("y", ops::reshape(x, lengths));
  const Tensor bound = Tensor::of_integers({2, 3}), other = Tensor::of_integers({6, 1});
  Running run(slots, std::move(builder), {.lengths = {{"x", {6}}, {"lengths", {2}}}, .values = {{"lengths", bound}}});
  EXPECT_THAT(run({numbers({1, 2, 3, 4, 5, 6}), other})[0].lengths, ElementsAre(2, 3));
}

TEST(ReferenceEngine, RefusesAPlanPastItsMemory) {
  Slots slots;
  GraphBuilder builder(slots);
  builder.output("y", ops::exp(builder.input("x", vector_of(1000))));
  const auto faults = tests::faults_of([&] {
    Running(slots, std::move(builder), {.lengths = {{"x", {1000}}}}, {.max_bytes = 3999});
  });
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].what,
            "the plan takes 4000 bytes, 4000 of them here, and it may take 3999. Hand in fewer rows at a time.");
}

TEST(ReferenceEngine, SaysTheTypesItIsBoundTo) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, Shape{Dim::named("N"), 3}});
  builder.output("y", ops::reduce_sum(x, {1}));
  const auto executable = ReferenceEngine().compile(std::move(builder).finish(), slots, {.lengths = {{"x", {5, 3}}}});
  EXPECT_EQ(executable->input_types()[0].text(), "float32 [5, 3]");
  EXPECT_EQ(executable->output_types()[0].text(), "float32 [5]");
}

}  // namespace
}  // namespace causeway::engine::reference
