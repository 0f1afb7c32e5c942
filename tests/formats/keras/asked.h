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

/// The network's answers, through the judge unless stated, each under its loss's activation.
inline NamedTensors ask(const SavedNetwork& saved, const NamedTensors& inputs,
                        const Engine& engine = reference_engine()) {
  AnswerOptions options;
  options.engine = &engine;
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

/// Answers are numbered where there are several, or called as the door is.
inline const Tensor& found(const NamedTensors& all, const std::string& letter, size_t i, const std::string& name) {
  const std::string numbered = letter + std::to_string(i);
  return all.count(numbered) ? all.at(numbered) : all.count(name) ? all.at(name) : all.at(letter);
}

/// Asks what the answers were asked, and expects them of every output.
inline void expect_answers(const SavedNetwork& saved, const NamedTensors& answers, double bound,
                           const Engine& engine = reference_engine()) {
  NamedTensors inputs;
  for (size_t i = 0; i < saved.network.inputs().size(); ++i) {
    const std::string& name = saved.network.inputs()[i].name;
    inputs[name] = found(answers, "x", i, name);
  }
  const NamedTensors made = ask(saved, inputs, engine);
  ASSERT_EQ(made.size(), saved.network.outputs().size());
  for (size_t i = 0; i < made.size(); ++i) {
    const std::string& name = saved.network.outputs()[i].name;
    expect_near(made.at(name), found(answers, "y", i, name), bound, name);
  }
}

}  // namespace causeway::formats::keras
