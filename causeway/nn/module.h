#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "causeway/graph/network.h"
#include "causeway/nn/layer_list.h"

namespace causeway {

/// A network written as code. forward() is run once, by trace(), on values that are handles to a graph; what it builds
/// is a network like any other.
///
///   struct Block : Module {
///     Linear a{*this, "a", 14, 16}, b{*this, "b", 16, 1};
///     Value forward(Value x) override { return b(relu(a(x))); }
///   };
///   Network coded = trace(Block{}, {14}, /*seed=*/7);     // slots a.weight, a.bias, b.weight, b.bias
///
/// A module called again uses the same slots; its nodes lie under `path#2`.
class Module {
 public:
  Module() = default;
  /// A part of another module, which outlives it; `name` joins the path.
  Module(Module& parent, std::string name) : parent_(&parent), name_(std::move(name)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  virtual Value forward(Value x) = 0;
  /// forward() in the scope of this module.
  Value operator()(Value x);

  /// Names from the outermost module's parts down, joined by dots.
  std::string path() const;

 protected:
  /// What a summary calls it.
  virtual std::string kind() const { return "Module"; }
  std::vector<nn::SlotStart>& starts();
  /// What a module of several values is called by: `make` in its scope. What does not fit is Refused at its path.
  Value in_scope(GraphBuilder& graph, const std::function<Value()>& make);

 private:
  friend Network trace(Module&& module, std::vector<Dim> input, uint64_t seed);
  friend Network trace(Module& module, std::vector<Dim> input, uint64_t seed);
  Module* parent_ = nullptr;
  std::string name_;
  std::vector<nn::SlotStart> starts_;
};

/// The network a module builds for examples of that shape (without the batch), its numbers drawn by the seed.
/// Refused: a layer whose values do not fit, at its path.
Network trace(Module& module, std::vector<Dim> input, uint64_t seed);
Network trace(Module&& module, std::vector<Dim> input, uint64_t seed);

/// A layer of the table as a module.
class LayerModule : public Module {
 public:
  LayerModule(Module& parent, std::string name, nn::Layer layer)
      : Module(parent, std::move(name)), layer_(std::move(layer)) {}
  using Module::operator();
  Value forward(Value x) override;
  /// Of the values that a merge, an attention or a decoder layer takes, in the order of `from` in words.
  Value operator()(const std::vector<Value>& values);

 protected:
  std::string kind() const override { return std::string(layer_.kind()); }

 private:
  Value made_of(const std::vector<Value>& values);

  nn::Layer layer_;
};

// The classes named as PyTorch's take PyTorch's defaults; places are channels last, as everywhere here.

struct Linear : LayerModule {
  Linear(Module& parent, std::string name, int64_t in, int64_t out, bool bias = true);
  Value forward(Value x) override;

 private:
  int64_t in_;
};

struct ConvOptions {
  nn::PerAxis stride = 1, dilation = 1;
  nn::Padding padding = {};
  int64_t groups = 1;
  bool bias = true;
};
struct Conv1d : LayerModule {
  Conv1d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options = {});
};
struct Conv2d : LayerModule {
  Conv2d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options = {});
};
struct Conv3d : LayerModule {
  Conv3d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size, ConvOptions options = {});
};

/// Over rows, series, images and volumes alike. momentum: PyTorch's, the share of the new.
struct BatchNorm : LayerModule {
  BatchNorm(Module& parent, std::string name, float epsilon = 1e-5f, float momentum = 0.1f);
};
using BatchNorm1d = BatchNorm;
using BatchNorm2d = BatchNorm;
using BatchNorm3d = BatchNorm;

/// Over the last axis.
struct LayerNorm : LayerModule {
  LayerNorm(Module& parent, std::string name, float epsilon = 1e-5f);
};

struct RecurrentOptions {
  int64_t num_layers = 1;
  bool bias = true, bidirectional = false;
  /// On what each layer but the last hands on.
  float dropout = 0;
  /// Of an RNN: tanh or relu.
  nn::CellActivation nonlinearity = nn::CellActivation::tanh();
  /// All steps [N, L, hidden], or the state behind the last one; both directions side by side.
  bool return_sequences = true;
};
struct LSTM : LayerModule {
  LSTM(Module& parent, std::string name, int64_t hidden, RecurrentOptions options = {});
};
struct GRU : LayerModule {
  GRU(Module& parent, std::string name, int64_t hidden, RecurrentOptions options = {});
};
struct RNN : LayerModule {
  RNN(Module& parent, std::string name, int64_t hidden, RecurrentOptions options = {});
};

struct DropoutModule : LayerModule {
  DropoutModule(Module& parent, std::string name, float rate = 0.5f);
};

struct MultiheadAttentionOptions {
  float dropout = 0;
  bool bias = true;
  /// The widths of keys and values, where they are not the queries'.
  std::optional<int64_t> kdim = std::nullopt, vdim = std::nullopt;
};
/// Masks are true where a key may be used, unlike PyTorch's.
struct MultiheadAttention : Module {
  MultiheadAttention(Module& parent, std::string name, int64_t embed_dim, int64_t num_heads,
                     MultiheadAttentionOptions options = {});
  using Module::operator();
  /// Of x by itself.
  Value forward(Value x) override;
  /// key_mask [N, keys], attention_mask [N, queries, keys] or [queries, keys]; either may be empty.
  Value operator()(Value query, Value key, Value value, Value key_mask = {}, Value attention_mask = {});

 protected:
  std::string kind() const override { return std::string(nn::MultiHeadAttention::kKind); }

 private:
  Value attend(const nn::Attended& of);

  nn::MultiHeadAttention layer_;
  int64_t embed_dim_, kdim_, vdim_;
};

struct TransformerLayerOptions {
  int64_t dim_feedforward = 2048;
  float dropout = 0.1f;
  /// relu, gelu or an activation of the words without settings.
  std::string activation = "relu";
  float layer_norm_eps = 1e-5f;
  bool norm_first = false, bias = true;
  /// A step sees none behind it (of the target, in a decoder).
  bool causal = false;
};
/// Masks are true where a key may be used, unlike PyTorch's.
struct TransformerEncoderLayer : Module {
  TransformerEncoderLayer(Module& parent, std::string name, int64_t d_model, int64_t nhead,
                          TransformerLayerOptions options = {});
  using Module::operator();
  Value forward(Value x) override;
  Value operator()(Value x, Value key_mask);

 protected:
  std::string kind() const override { return std::string(nn::TransformerEncoderLayer::kKind); }

 private:
  Value encode(Value x, Value key_mask);

  nn::TransformerEncoderLayer layer_;
  int64_t d_model_;
};
struct TransformerDecoderLayer : Module {
  TransformerDecoderLayer(Module& parent, std::string name, int64_t d_model, int64_t nhead,
                          TransformerLayerOptions options = {});
  using Module::operator();
  /// Not of one value: unfit().
  Value forward(Value x) override;
  /// Either mask may be empty.
  Value operator()(Value target, Value memory, Value target_mask = {}, Value memory_mask = {});

 protected:
  std::string kind() const override { return std::string(nn::TransformerDecoderLayer::kKind); }

 private:
  nn::TransformerDecoderLayer layer_;
  int64_t d_model_;
};

// Functions on values, for forward().
Value relu(Value x);
Value sigmoid(Value x);
Value tanh(Value x);
Value gelu(Value x);
Value softmax(Value x, int64_t axis = -1);
/// [N, rest].
Value flatten(Value x);
Value add(Value a, Value b);
Value concatenate(std::vector<Value> values, int64_t axis = -1);
Value max_pool2d(Value x, nn::PerAxis size = 2);
Value average_pool2d(Value x, nn::PerAxis size = 2);

}  // namespace causeway
