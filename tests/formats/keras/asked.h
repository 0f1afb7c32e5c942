#pragma once

// What the Keras tests share: a file read, asked by the judge engine, and Keras's own answers beside it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "causeway/answer/predict.h"
#include "causeway/formats/keras/keras.h"
#include "causeway/formats/safetensors/container.h"
#include "tests/support/files.h"

namespace causeway::formats::keras {

inline SavedNetwork read(const std::string& path, const ReadOptions& options = {}) {
  return KerasImporter().read(ByteSource::open(tests::fixture(path)), options);
}

inline NamedTensors answers_of(const std::string& path) {
  const ByteSource source = ByteSource::open(tests::fixture(path));
  NamedTensors tensors;
  for (const safetensors::StoredTensor& stored : safetensors::read_safetensors(source).tensors) {
    tensors.emplace(stored.name, stored.tensor());
  }
  return tensors;
}

/// The network's answers through the judge, each under its loss's activation.
inline NamedTensors ask(const SavedNetwork& saved, const NamedTensors& inputs) {
  AnswerOptions options;
  options.engine = &reference_engine();
  return predict(saved, inputs, options);
}

inline void expect_near(const Tensor& made, const Tensor& expected, double bound, const std::string& what) {
  ASSERT_EQ(made.lengths(), expected.lengths()) << what;
  double apart = 0;
  for (int64_t i = 0; i < made.size(); ++i) {
    const double size = std::max(1.0, std::abs(expected.number_at(i)));
    const double difference = std::abs(made.number_at(i) - expected.number_at(i)) / size;
    if (!(difference <= apart)) apart = difference;
  }
  EXPECT_LE(apart, bound) << what;
}

}  // namespace causeway::formats::keras
