#include "causeway/nn/module.h"

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/network_maker.h"
#include "causeway/ops/build.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/gelu.h"

namespace causeway {

std::string Module::path() const {
  if (!parent_) return name_;
  const std::string above = parent_->path();
  return above.empty() ? name_ : above + "." + name_;
}

std::vector<nn::SlotStart>& Module::starts() { return parent_ ? parent_->starts() : starts_; }

Value Module::operator()(Value x) {
  if (!parent_) return forward(x);
  const ScopeGuard scope = x.graph().scope(path(), kind());
  try {
    return forward(x);
  } catch (const Unfit& unfit) {
    throw Refused("layer " + quoted(path()) + " (" + kind() + ")", unfit.what());
  }
}

Network trace(Module& module, std::vector<Dim> input, uint64_t seed) {
  nn::NetworkMaker maker;
  std::vector<Dim> shape{Dim::named("N")};
  shape.insert(shape.end(), input.begin(), input.end());
  module.starts_.clear();
  try {
    maker.output("output", {module.forward(maker.input("input", DType::Float32, Shape(shape)).value)});
  } catch (const Unfit& unfit) {
    throw Refused("module", unfit.what());
  }
  Network network = std::move(maker).finish().network;
  nn::draw_starts(network.slots(), module.starts_, seed);
  return network;
}

Network trace(Module&& module, std::vector<Dim> input, uint64_t seed) { return trace(module, std::move(input), seed); }

Value LayerModule::forward(Value x) {
  nn::LayerBuild build(x.graph(), path(), starts());
  const Flow from{x};
  return layer_.build(build, {&from, 1}).value;
}

namespace {

const nn::Initializer kTorch{.word = "torch_uniform"};

nn::Dense torch_dense(int64_t out, bool bias) {
  return {.units = out, .use_bias = bias, .kernel_initializer = kTorch, .bias_initializer = kTorch};
}

template <size_t kAxes>
nn::Conv<kAxes> torch_conv(int64_t out, nn::PerAxis size, ConvOptions options) {
  nn::Conv<kAxes> conv;
  conv.filters = out;
  conv.kernel_size = std::move(size);
  conv.strides = std::move(options.stride);
  conv.dilation_rate = std::move(options.dilation);
  conv.padding = std::move(options.padding);
  conv.groups = options.groups;
  conv.use_bias = options.bias;
  conv.kernel_initializer = conv.bias_initializer = kTorch;
  return conv;
}

nn::BatchNormalization torch_batch_norm(float epsilon, float momentum) {
  nn::BatchNormalization norm;
  norm.epsilon = epsilon;
  norm.momentum = 1 - momentum;
  return norm;
}

nn::LayerNormalization torch_layer_norm(float epsilon) {
  nn::LayerNormalization norm;
  norm.epsilon = epsilon;
  return norm;
}

}  // namespace

Linear::Linear(Module& parent, std::string name, int64_t in, int64_t out, bool bias)
    : LayerModule(parent, std::move(name), torch_dense(out, bias)), in_(in) {}

Value Linear::forward(Value x) {
  if (nn::slot_length(x, -1) != in_) {
    unfit("it is handed " + x.shape().text() + ", and takes " + std::to_string(in_) + " features.");
  }
  return LayerModule::forward(x);
}

Conv1d::Conv1d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options)
    : LayerModule(parent, std::move(name), torch_conv<1>(out, std::move(kernel_size), std::move(options))) {}
Conv2d::Conv2d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options)
    : LayerModule(parent, std::move(name), torch_conv<2>(out, std::move(kernel_size), std::move(options))) {}
Conv3d::Conv3d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options)
    : LayerModule(parent, std::move(name), torch_conv<3>(out, std::move(kernel_size), std::move(options))) {}
BatchNorm::BatchNorm(Module& parent, std::string name, float epsilon, float momentum)
    : LayerModule(parent, std::move(name), torch_batch_norm(epsilon, momentum)) {}
LayerNorm::LayerNorm(Module& parent, std::string name, float epsilon)
    : LayerModule(parent, std::move(name), torch_layer_norm(epsilon)) {}
DropoutModule::DropoutModule(Module& parent, std::string name, float rate)
    : LayerModule(parent, std::move(name), nn::Dropout{.rate = rate}) {}

Value relu(Value x) { return ops::relu(x); }
Value sigmoid(Value x) { return ops::sigmoid(x); }
Value tanh(Value x) { return ops::tanh(x); }
Value gelu(Value x) { return x.graph().add1(ops::Gelu{}, {x}); }
Value softmax(Value x, int64_t axis) { return ops::softmax(x, axis); }
Value flatten(Value x) { return x.graph().add1(ops::Flatten{.axis = 1}, {x}); }
Value add(Value a, Value b) { return ops::add(a, b); }
Value concatenate(std::vector<Value> values, int64_t axis) { return ops::concat(std::move(values), axis); }

namespace {

Value pooled(Value x, const nn::Layer& layer) {
  std::vector<nn::SlotStart> none;
  nn::LayerBuild build(x.graph(), x.graph().scope().path, none);
  const Flow from{x};
  return layer.build(build, {&from, 1}).value;
}

}  // namespace

Value max_pool2d(Value x, nn::PerAxis size) { return pooled(x, nn::MaxPooling<2>{.pool_size = std::move(size)}); }
Value average_pool2d(Value x, nn::PerAxis size) {
  return pooled(x, nn::AveragePooling<2>{.pool_size = std::move(size), .count_include_pad = true});
}

}  // namespace causeway
