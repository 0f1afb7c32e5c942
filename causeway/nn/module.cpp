#include "causeway/nn/module.h"

#include "causeway/base/check.h"
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
  return in_scope(x.graph(), [&] { return forward(x); });
}

Value Module::in_scope(GraphBuilder& graph, const std::function<Value()>& make) {
  if (!parent_) return make();
  const ScopeGuard scope = graph.scope(path(), kind());
  try {
    return make();
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

Value LayerModule::forward(Value x) { return made_of({x}); }

Value LayerModule::operator()(const std::vector<Value>& values) {
  CAUSEWAY_CHECK(!values.empty(), "a layer takes a value at least");
  return in_scope(values[0].graph(), [&] { return made_of(values); });
}

Value LayerModule::made_of(const std::vector<Value>& values) {
  nn::LayerBuild build(values[0].graph(), path(), starts());
  std::vector<Flow> from;
  for (const Value& value : values) from.push_back({value});
  return layer_.build(build, from).value;
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

template <class S>
nn::Layer torch_recurrent(int64_t hidden, const RecurrentOptions& options) {
  S layer;
  layer.units = hidden;
  layer.use_bias = options.bias;
  layer.unit_forget_bias = false;
  layer.return_sequences = options.return_sequences;
  layer.num_layers = options.num_layers;
  layer.layer_dropout = options.dropout;
  layer.kernel_initializer = layer.recurrent_initializer = layer.bias_initializer = kTorch;
  if constexpr (std::is_same_v<S, nn::SimpleRNN>) layer.activation = options.nonlinearity;
  if (options.bidirectional) return nn::Bidirectional{.layer = layer};
  return layer;
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
LSTM::LSTM(Module& parent, std::string name, int64_t hidden, RecurrentOptions options)
    : LayerModule(parent, std::move(name), torch_recurrent<nn::LSTM>(hidden, options)) {}
GRU::GRU(Module& parent, std::string name, int64_t hidden, RecurrentOptions options)
    : LayerModule(parent, std::move(name), torch_recurrent<nn::GRU>(hidden, options)) {}
RNN::RNN(Module& parent, std::string name, int64_t hidden, RecurrentOptions options)
    : LayerModule(parent, std::move(name), torch_recurrent<nn::SimpleRNN>(hidden, options)) {}
DropoutModule::DropoutModule(Module& parent, std::string name, float rate)
    : LayerModule(parent, std::move(name), nn::Dropout{.rate = rate}) {}

namespace {

void expect_width(const Value& x, int64_t width, std::string_view what) {
  if (nn::slot_length(x, -1) == width) return;
  unfit(std::string(what) + " is " + x.shape().text() + ", and " + std::to_string(width) + " features are taken.");
}

nn::MultiHeadAttention torch_attention(int64_t embed_dim, int64_t num_heads, const MultiheadAttentionOptions& options) {
  nn::MultiHeadAttention layer;
  layer.num_heads = num_heads;
  layer.key_dim = num_heads > 0 ? embed_dim / num_heads : 0;
  layer.dropout = options.dropout;
  layer.use_bias = options.bias;
  layer.packed_projection = !options.kdim && !options.vdim;
  layer.starts_as_torch = true;
  return layer;
}

template <class S>
S torch_transformer_layer(int64_t nhead, const TransformerLayerOptions& options) {
  S layer;
  layer.nhead = nhead;
  layer.dim_feedforward = options.dim_feedforward;
  layer.dropout = options.dropout;
  layer.activation = options.activation;
  layer.layer_norm_eps = options.layer_norm_eps;
  layer.norm_first = options.norm_first;
  layer.use_bias = options.bias;
  layer.use_causal_mask = options.causal;
  layer.starts_as_torch = true;
  return layer;
}

}  // namespace

MultiheadAttention::MultiheadAttention(Module& parent, std::string name, int64_t embed_dim, int64_t num_heads,
                                       MultiheadAttentionOptions options)
    : Module(parent, std::move(name)),
      layer_(torch_attention(embed_dim, num_heads, options)),
      embed_dim_(embed_dim),
      kdim_(options.kdim.value_or(embed_dim)),
      vdim_(options.vdim.value_or(embed_dim)) {}

Value MultiheadAttention::forward(Value x) { return attend({x, x, x}); }

Value MultiheadAttention::operator()(Value query, Value key, Value value, Value key_mask, Value attention_mask) {
  return in_scope(query.graph(), [&] { return attend({query, key, value, key_mask, attention_mask}); });
}

Value MultiheadAttention::attend(const nn::Attended& of) {
  if (layer_.num_heads < 1 || embed_dim_ % layer_.num_heads != 0) {
    unfit("'num_heads' is " + std::to_string(layer_.num_heads) + ", and " + std::to_string(embed_dim_) +
          " features do not fall into as many heads.");
  }
  expect_width(of.query, embed_dim_, "the query");
  expect_width(of.key, kdim_, "the key");
  expect_width(of.value, vdim_, "the value");
  nn::LayerBuild build(of.query.graph(), path(), starts());
  return layer_.attend(build, of);
}

TransformerEncoderLayer::TransformerEncoderLayer(Module& parent, std::string name, int64_t d_model, int64_t nhead,
                                                 TransformerLayerOptions options)
    : Module(parent, std::move(name)),
      layer_(torch_transformer_layer<nn::TransformerEncoderLayer>(nhead, options)),
      d_model_(d_model) {}

Value TransformerEncoderLayer::forward(Value x) { return encode(x, {}); }

Value TransformerEncoderLayer::operator()(Value x, Value key_mask) {
  return in_scope(x.graph(), [&] { return encode(x, key_mask); });
}

Value TransformerEncoderLayer::encode(Value x, Value key_mask) {
  expect_width(x, d_model_, "what it is handed");
  nn::LayerBuild build(x.graph(), path(), starts());
  return layer_.encode(build, x, key_mask);
}

TransformerDecoderLayer::TransformerDecoderLayer(Module& parent, std::string name, int64_t d_model, int64_t nhead,
                                                 TransformerLayerOptions options)
    : Module(parent, std::move(name)),
      layer_(torch_transformer_layer<nn::TransformerDecoderLayer>(nhead, options)),
      d_model_(d_model) {}

Value TransformerDecoderLayer::forward(Value) {
  unfit("it takes a target and a memory, and one value is handed to it.");
}

Value TransformerDecoderLayer::operator()(Value target, Value memory, Value target_mask, Value memory_mask) {
  return in_scope(target.graph(), [&] {
    expect_width(target, d_model_, "the target");
    nn::LayerBuild build(target.graph(), path(), starts());
    return layer_.decode(build, target, memory, target_mask, memory_mask);
  });
}

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
