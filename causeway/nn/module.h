#pragma once

#include <cstdint>
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
  Value forward(Value x) override;

 protected:
  std::string kind() const override { return std::string(layer_.kind()); }

 private:
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

struct DropoutModule : LayerModule {
  DropoutModule(Module& parent, std::string name, float rate = 0.5f);
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
