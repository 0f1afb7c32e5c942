#pragma once

#include "causeway/answer/predict.h"

namespace causeway::answer {

/// The answers to `options.batch` rows at a time, put together again. Refused: as predict() says.
NamedTensors predict_in_batches(const SavedNetwork& saved, const NamedTensors& inputs, const AnswerOptions& options);

}  // namespace causeway::answer
