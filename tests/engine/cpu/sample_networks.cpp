#include "tests/engine/cpu/sample_networks.h"

#include <cmath>

#include "causeway/base/philox.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::samples {
namespace {

class Builder {
 public:
  explicit Builder(std::vector<int64_t> row) : graph_(slots_) {
    std::vector<Dim> dims{Dim::named("N")};
    dims.insert(dims.end(), row.begin(), row.end());
    x = graph_.input("x", {DType::Float32, Shape(std::move(dims))});
  }

  void dense(int64_t in, int64_t out, bool relu) {
    const std::string path = std::to_string(layer_++);
    const ScopeGuard scope = graph_.scope(path, "Dense");
    x = ops::add(ops::matmul(x, slot(path + ".weight", {in, out}, in)), slot(path + ".bias", {out}, in));
    if (relu) x = ops::relu(x);
  }

  void conv(int64_t in, int64_t out, int64_t size, int64_t stride, int64_t border, int64_t groups = 1,
            int64_t dilation = 1) {
    const std::string path = std::to_string(layer_++);
    const ScopeGuard scope = graph_.scope(path, "Conv2D");
    ops::Window window = ops::Window::of({size, size});
    window.stride = {stride, stride};
    window.before = window.after = {border, border};
    window.dilation = {dilation, dilation};
    const int64_t fan = in / groups * size * size;
    x = graph_.add1(ops::Conv{.window = window, .groups = groups, .layout = ops::Layout::ChannelsFirst},
                    {x, slot(path + ".weight", {out, in / groups, size, size}, fan), slot(path + ".bias", {out}, fan)});
  }

  void max_pool() {
    ops::Window window = ops::Window::of({2, 2});
    window.stride = {2, 2};
    x = graph_.add1(ops::MaxPool{.window = window, .layout = ops::Layout::ChannelsFirst}, {x});
  }
  void layer_norm(int64_t width) {
    const std::string path = std::to_string(layer_++);
    const ScopeGuard scope = graph_.scope(path, "LayerNorm");
    x = graph_.add1(ops::LayerNorm{}, {x, slot(path + ".weight", {width}, 1), slot(path + ".bias", {width}, 1)});
  }
  // Every step looks at all, by one head, onto x.
  void attention(int64_t width) {
    const Value from = x;
    dense(width, 3 * width, false);
    const Values parts = ops::split(x, {width, width, width}, 2);
    const Value shares = ops::softmax(ops::matmul(parts[0], parts[1], false, true));
    x = ops::matmul(shares, parts[2]);
    dense(width, width, false);
    x = ops::add(from, x);
  }
  void feed_forward(int64_t width, int64_t hidden) {
    const Value from = x;
    dense(width, hidden, false);
    x = graph_.add1(ops::Gelu{}, {x});
    dense(hidden, width, false);
    x = ops::add(x, from);
  }
  void recurrent(const ops::Recurrent& op, int64_t in, int64_t hidden) {
    const std::string path = std::to_string(layer_++);
    const ScopeGuard scope = graph_.scope(path, "Recurrent");
    const int64_t width = op.gates() * hidden;
    const Value a = ops::add(ops::matmul(x, slot(path + ".weight_ih", {in, width}, hidden)),
                             slot(path + ".bias_ih", {width}, hidden));
    x = graph_.add(
        op, {a, slot(path + ".weight_hh", {hidden, width}, hidden), slot(path + ".bias_hh", {width}, hidden)})[0];
  }
  void last_step(int64_t steps) { x = ops::squeeze(ops::slice(x, 1, steps - 1, steps), {1}); }
  void mean_of_steps() { x = ops::reduce_mean(x, {1}); }
  void relu() { x = ops::relu(x); }
  void relu6() { x = ops::clip(x, 0.0f, 6.0f); }
  void flatten() { x = graph_.add1(ops::Flatten{}, {x}); }
  void mean_of_places() { x = ops::reduce_mean(x, {2, 3}); }

  SavedNetwork finish(Loss loss) && {
    graph_.output("y", x);
    SavedNetwork saved{Network(std::move(graph_).finish(), std::move(slots_))};
    saved.losses.emplace("y", std::move(loss));
    return saved;
  }

  Value x;

 private:
  Value slot(const std::string& path, std::vector<int64_t> lengths, int64_t fan) {
    const float size = 1.0f / std::sqrt(static_cast<float>(fan));
    return graph_.declare({.path = path, .numbers = random_tensor(std::move(lengths), ++seed_, size)});
  }

  Slots slots_;
  GraphBuilder graph_;
  int layer_ = 0;
  uint64_t seed_ = 0;
};

}  // namespace

Tensor random_tensor(std::vector<int64_t> lengths, uint64_t seed, float size) {
  Tensor made = Tensor::uninitialized(DType::Float32, std::move(lengths));
  const Draws draws(seed, "samples", 0);
  uint64_t i = 0;
  for (float& number : made.mutable_values<float>()) number = (2 * draws.uniform(i++) - 1) * size * 1.7f;
  return made;
}

SavedNetwork mlp(const std::vector<int64_t>& sizes) {
  Builder net({sizes[0]});
  for (size_t i = 1; i < sizes.size(); ++i) net.dense(sizes[i - 1], sizes[i], i + 1 < sizes.size());
  if (sizes.back() == 1) return std::move(net).finish(BinaryCrossentropy{});
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork cnn28() {
  Builder net({1, 28, 28});
  net.conv(1, 32, 3, 1, 0);
  net.relu();
  net.max_pool();
  net.conv(32, 64, 3, 1, 0);
  net.relu();
  net.max_pool();
  net.flatten();
  net.dense(1600, 128, true);
  net.dense(128, 10, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork resnet(const std::vector<int64_t>& widths, int64_t blocks_each) {
  Builder net({3, 32, 32});
  net.conv(3, widths[0], 3, 1, 1);
  net.relu();
  int64_t in = widths[0];
  for (const int64_t width : widths) {
    for (int64_t block = 0; block < blocks_each; ++block) {
      const int64_t stride = width != in ? 2 : 1;
      const Value from = net.x;
      net.conv(in, width, 3, stride, 1);
      net.relu();
      net.conv(width, width, 3, 1, 1);
      const Value straight = net.x;
      net.x = from;
      if (width != in) net.conv(in, width, 1, stride, 0);
      net.x = ops::add(straight, net.x);
      net.relu();
      in = width;
    }
  }
  net.mean_of_places();
  net.flatten();
  net.dense(in, 10, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork mobilenet() {
  Builder net({3, 32, 32});
  net.conv(3, 16, 3, 2, 1);
  net.relu6();
  int64_t in = 16;
  for (const int64_t out : {16, 24, 24, 40}) {
    const Value from = net.x;
    const int64_t stride = out > in ? 2 : 1;
    net.conv(in, in * 6, 1, 1, 0);
    net.relu6();
    net.conv(in * 6, in * 6, 3, stride, 1, in * 6);
    net.relu6();
    net.conv(in * 6, out, 1, 1, 0);
    if (out == in) net.x = ops::add(from, net.x);
    in = out;
  }
  net.mean_of_places();
  net.dense(in, 10, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork recurrent(const ops::Recurrent& op, int64_t steps, int64_t channels, int64_t hidden) {
  Builder net({steps, channels});
  net.recurrent(op, channels, hidden);
  net.recurrent(op, hidden, hidden);
  net.last_step(steps);
  net.dense(hidden, 10, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork encoder(int64_t steps, int64_t width) {
  Builder net({steps, width});
  for (int layer = 0; layer < 2; ++layer) {
    net.attention(width);
    net.layer_norm(width);
    net.feed_forward(width, 2 * width);
    net.layer_norm(width);
  }
  net.mean_of_steps();
  net.dense(width, 10, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

SavedNetwork narrow() {
  Builder net({3, 9, 9});
  net.conv(3, 8, 1, 1, 0);
  net.conv(8, 4, 3, 1, 1);
  net.relu();
  net.conv(4, 7, 5, 2, 2);
  net.conv(7, 12, 3, 1, 1);
  const Value from = net.x;
  net.conv(12, 12, 3, 1, 1, 3);
  net.x = ops::add(net.x, from);
  net.relu();
  net.conv(12, 12, 3, 1, 1, 12);
  net.conv(12, 10, 3, 1, 2, 2, 2);
  net.relu();
  net.mean_of_places();
  net.dense(10, 4, false);
  return std::move(net).finish(CategoricalCrossentropy{});
}

std::vector<int64_t> row_lengths(const SavedNetwork& saved) {
  const Shape& shape = saved.network.inputs()[0].value.shape();
  std::vector<int64_t> lengths;
  for (size_t axis = 1; axis < shape.rank(); ++axis) lengths.push_back(shape[axis].number());
  return lengths;
}

Tensor answers_for(const SavedNetwork& saved, int64_t rows) {
  const int64_t classes = saved.network.outputs()[0].value.shape().at(-1).number();
  Tensor answers(DType::Float32, {rows, classes});
  const auto numbers = answers.mutable_values<float>();
  for (int64_t row = 0; row < rows; ++row) {
    if (classes == 1) {
      numbers[static_cast<size_t>(row)] = static_cast<float>(row * 7 % 3 % 2);
    } else {
      numbers[static_cast<size_t>(row * classes + row * 7 % classes)] = 1;
    }
  }
  return answers;
}

}  // namespace causeway::samples
