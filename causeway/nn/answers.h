#pragma once

#include "causeway/nn/loss.h"

namespace causeway::nn {

/// Answers as a loss takes them, for logits of that shape: class numbers (whole numbers without the last axis, or with it
/// 1 long) as int64 without the last axis, everything else as float32 of the logits' shape; a column may come without its
/// axis of one. Faults, at rows or as a whole, go to `faults`, and nothing comes back then.
std::optional<Tensor> answers_for(const Loss& loss, const Tensor& answers, const Shape& logits,
                                  std::vector<Fault>& faults);

/// The class of each row, for class weights: the answer rounded where answers are chances (a hinge's no being 0), the
/// first largest share, or the class number. `answers` are as answers_for() gives them; unfit() where the loss has no
/// classes or a row more than one answer.
std::vector<int64_t> classes_of_rows(const Loss& loss, const Tensor& answers);

}  // namespace causeway::nn
