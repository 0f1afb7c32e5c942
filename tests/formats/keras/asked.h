#pragma once

// What the Keras tests share: a file read, asked by the judge engine, and Keras's own answers beside it.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/formats/keras/keras.h"
#include "causeway/formats/safetensors/container.h"
#include "tests/support/files.h"

namespace causeway::formats::keras {

inline SavedNetwork read(const std::string& path, const ReadOptions& options = {}) {
  return KerasImporter().read(ByteSource::open(tests::fixture(path)), options);
}

using Tensors = std::map<std::string, Tensor, std::less<>>;

inline Tensors answers_of(const std::string& path) {
  const ByteSource source = ByteSource::open(tests::fixture(path));
  Tensors tensors;
  for (const safetensors::StoredTensor& stored : safetensors::read_safetensors(source).tensors) {
    tensors.emplace(stored.name, stored.tensor());
  }
  return tensors;
}

/// The network's answers through the judge, each output under its loss's activation where it has one.
inline std::vector<Tensor> ask(SavedNetwork& saved, const std::vector<Tensor>& inputs) {
  Network& network = saved.network;
  Binding binding;
  std::vector<TensorView> views;
  for (size_t i = 0; i < inputs.size(); ++i) {
    binding.lengths[network.inputs()[i].name] = inputs[i].lengths();
    views.push_back(view_of(inputs[i]));
  }
  const auto executable = engine::reference::ReferenceEngine().compile(network.graph(), network.slots(), binding);
  const auto context = executable->context();
  std::vector<Tensor> outputs;
  for (const TensorView& view : context->run(views)) outputs.push_back(copy_of(view));
  return outputs;
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
