#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace {
std::atomic<int64_t> allocations = 0;
}  // namespace

// Not inlined: GCC would see malloc's memory handed to delete, and warn.
[[gnu::noinline]] void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace causeway::engine::reference {
namespace {

TEST(ReferenceEngine, AllocatesNothingOnceItHasRun) {
  Slots slots;
  slots.add({.path = "weight", .numbers = Tensor(DType::Float32, {3, 3, 2, 4})});
  slots.add({.path = "table", .numbers = Tensor(DType::Float32, {5, 7})});
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, Shape{2, 8, 8, 2}});
  const Value places = builder.input("places", {DType::Int64, Shape{3}});
  const Value weight = builder.slot("weight");
  const ops::Window three = ops::Window::of({3, 3});
  const Value y = builder.add1(ops::Conv{.window = three}, {x, weight});
  const Value pooled = builder.add1(ops::MaxPool{.window = three}, {y});
  const Value normal = builder.add1(ops::LayerNorm{}, {pooled});
  const Value rows = ops::reshape(normal, {2, -1});
  const Value product = ops::matmul(rows, rows, false, true);
  const Value looked_up = ops::gather(builder.slot("table"), places);
  const Value loss = ops::add(ops::reduce_sum(ops::softmax(product)), ops::reduce_sum(ops::transpose(looked_up)));
  builder.output("loss", loss);
  builder.assign("weight", builder.add1(ops::ConvWeightGradient{.window = three},
                                        {x, ops::relu(y), ops::integers(builder, {3, 3, 2, 4})}));
  builder.guard(loss);
  const auto context =
      ReferenceEngine()
          .compile(std::move(builder).finish(), slots, {.lengths = {{"x", {2, 8, 8, 2}}, {"places", {3}}}})
          ->context();
  const Tensor image(DType::Float32, {2, 8, 8, 2}), list = Tensor::of_integers({0, -1, 4});
  const TensorView inputs[] = {view_of(image), view_of(list)};
  context->run(inputs);
  const int64_t before = allocations;
  context->run(inputs);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(context->assigned());
}

}  // namespace
}  // namespace causeway::engine::reference
