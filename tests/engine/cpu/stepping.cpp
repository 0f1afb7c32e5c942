#include "tests/engine/cpu/stepping.h"

#include "causeway/base/check.h"
#include "causeway/train/optimizer_list.h"
#include "tests/engine/cpu/sample_networks.h"

namespace causeway::samples {

Stepping::Stepping(SavedNetwork saved, int64_t rows, const Engine& engine, const CompileOptions& options)
    : saved_(std::move(saved)) {
  step_ = std::make_unique<train::Step>(saved_, Adam{}, train::StepOptions{});
  Binding binding;
  for (const Door& door : step_->batch_graph().inputs()) {
    if (door.name == "x") {
      std::vector<int64_t> lengths = row_lengths(saved_);
      lengths.insert(lengths.begin(), rows);
      inputs_.push_back(random_tensor(lengths, 77));
    } else if (door.name == train::answers_input("y")) {
      inputs_.push_back(answers_for(saved_, rows));
    } else {
      inputs_.push_back(Tensor::scalar(0.0f));
    }
    binding.lengths[door.name] = inputs_.back().lengths();
  }
  executable_ = engine.compile(step_->batch_graph(), step_->slots(), binding, options);
  context_ = executable_->context();
  for (Tensor& input : inputs_) {
    input.mutable_data();
    views_.push_back(view_of(input));
  }
  scalars_ = std::make_unique<train::Step::Scalars>(*step_, step_->batch_graph(), views_);
}

std::span<const TensorView> Stepping::run(int64_t step) {
  scalars_->write(1e-3, step);
  return context_->run(views_);
}

}  // namespace causeway::samples
