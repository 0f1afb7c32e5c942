#include "causeway/nn/sequential.h"

#include "causeway/base/quoted.h"
#include "causeway/nn/network_maker.h"

namespace causeway {
namespace {

template <size_t kAxes>
nn::Conv<kAxes> convolution(int64_t filters, nn::PerAxis size, nn::PerAxis strides, nn::Padding padding) {
  nn::Conv<kAxes> conv;
  conv.filters = filters;
  conv.kernel_size = std::move(size);
  conv.strides = std::move(strides);
  conv.padding = std::move(padding);
  return conv;
}

}  // namespace

Sequential::Sequential(std::vector<Dim> input) : input_(std::move(input)) {}

Sequential& Sequential::add(nn::Layer layer) {
  steps_.push_back({std::move(layer), std::to_string(steps_.size()), std::exchange(next_from_, {})});
  return *this;
}

Sequential& Sequential::named(std::string path) {
  CAUSEWAY_CHECK(!steps_.empty(), "a layer is added before it is named");
  steps_.back().path = std::move(path);
  return *this;
}

Sequential& Sequential::from(std::vector<std::string> paths) {
  next_from_ = std::move(paths);
  return *this;
}

Sequential& Sequential::conv1d(int64_t filters, nn::PerAxis size, nn::PerAxis strides, nn::Padding padding) {
  return add(convolution<1>(filters, std::move(size), std::move(strides), std::move(padding)));
}

Sequential& Sequential::conv2d(int64_t filters, nn::PerAxis size, nn::PerAxis strides, nn::Padding padding) {
  return add(convolution<2>(filters, std::move(size), std::move(strides), std::move(padding)));
}

Sequential& Sequential::conv3d(int64_t filters, nn::PerAxis size, nn::PerAxis strides, nn::Padding padding) {
  return add(convolution<3>(filters, std::move(size), std::move(strides), std::move(padding)));
}

Sequential& Sequential::lstm(int64_t units, bool return_sequences) {
  return add(nn::LSTM{.units = units, .return_sequences = return_sequences});
}

Sequential& Sequential::gru(int64_t units, bool return_sequences) {
  return add(nn::GRU{.units = units, .return_sequences = return_sequences});
}

Sequential& Sequential::simple_rnn(int64_t units, bool return_sequences) {
  return add(nn::SimpleRNN{.units = units, .return_sequences = return_sequences});
}

Network Sequential::build(uint64_t seed) const {
  nn::NetworkMaker maker;
  std::vector<Dim> shape{Dim::named("N")};
  shape.insert(shape.end(), input_.begin(), input_.end());
  Flow last = maker.input("input", DType::Float32, Shape(shape));
  maker.name("input", last);
  for (const Step& step : steps_) {
    const std::string where = "layer " + quoted(step.path) + " (" + std::string(step.layer.kind()) + ")";
    std::vector<Flow> from;
    for (const std::string& path : step.from) {
      const auto at = maker.named().find(path);
      if (at == maker.named().end()) maker.fault(where, "no layer above it is named " + quoted(path) + ".");
      from.push_back(at == maker.named().end() ? last : at->second);
    }
    if (from.empty()) from.push_back(last);
    if (maker.named().contains(step.path)) {
      maker.fault(where, "the name is taken by a layer above.");
      continue;
    }
    last = maker.add(step.path, step.layer, from, where);
    maker.name(step.path, last);
  }
  maker.output("output", last);
  nn::NetworkMaker::Made made = std::move(maker).finish();
  nn::draw_starts(made.network.slots(), made.starts, seed);
  return std::move(made.network);
}

}  // namespace causeway
