#pragma once

// What the ONNX tests share: a file read, asked by the judge engine, and another framework's answers beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/formats/onnx/onnx_importer.h"
#include "causeway/formats/safetensors/container.h"
#include "tests/support/files.h"

namespace causeway::formats::onnx {

inline SavedNetwork read_file(const std::string& path, const ReadOptions& options = {}) {
  return OnnxImporter().read(ByteSource::open(path), options);
}
inline SavedNetwork read(const std::string& path, const ReadOptions& options = {}) {
  return read_file(tests::fixture(path), options);
}

inline NamedTensors tensors_of(const std::string& path) {
  const ByteSource source = ByteSource::open(tests::fixture(path));
  NamedTensors tensors;
  for (const safetensors::StoredTensor& stored : safetensors::read_safetensors(source).tensors) {
    tensors.emplace(stored.name, stored.tensor());
  }
  return tensors;
}

/// The network's answers through the judge, each under its loss's activation.
inline NamedTensors ask(const SavedNetwork& saved, const NamedTensors& inputs, bool logits = false) {
  AnswerOptions options;
  options.engine = &reference_engine();
  options.logits = logits;
  return predict(saved, inputs, options);
}

/// How far two tensors lie apart, beside the larger of 1 and what is expected; infinite where their lengths differ.
inline double apart(const Tensor& made, const Tensor& expected) {
  if (made.lengths() != expected.lengths()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (int64_t i = 0; i < made.size(); ++i) {
    const double size = std::max(1.0, std::abs(expected.number_at(i)));
    const double difference = std::abs(made.number_at(i) - expected.number_at(i)) / size;
    if (!(difference <= most)) most = difference;
  }
  return most;
}

/// The .onnx files of a folder of fixtures, sorted.
inline std::vector<std::string> models_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(tests::fixture(folder))) {
    if (entry.path().extension() == ".onnx") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace causeway::formats::onnx
