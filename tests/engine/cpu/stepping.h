#pragma once

#include <memory>
#include <vector>

#include "causeway/engine/engine.h"
#include "causeway/train/step.h"

namespace causeway::samples {

/// Adam's steps on one batch of a sample network, with a stated engine.
class Stepping {
 public:
  Stepping(SavedNetwork saved, int64_t rows, const Engine& engine, const CompileOptions& options = {});

  /// Step `step`, from 1: the loss and the norm.
  std::span<const TensorView> run(int64_t step);
  bool assigned() const { return context_->assigned(); }
  Tensor& x() { return inputs_[0]; }
  const Slots& slots() const { return step_->slots(); }

 private:
  SavedNetwork saved_;
  std::unique_ptr<train::Step> step_;
  std::shared_ptr<const Executable> executable_;
  std::unique_ptr<Context> context_;
  std::vector<Tensor> inputs_;
  std::vector<TensorView> views_;
  std::unique_ptr<train::Step::Scalars> scalars_;
};

}  // namespace causeway::samples
