#include <cmath>

#include "causeway/reference/kernels.h"
#include "causeway/reference/number.h"

namespace causeway::reference {
namespace {

/// The elements of a tensor that belong to one channel.
struct Channels {
  int64_t outer = 1, count = 1, inner = 1;

  Channels(std::span<const int64_t> lengths, int64_t stated_axis) {
    const size_t axis = axis_in(stated_axis, lengths.size());
    for (size_t i = 0; i < axis; ++i) outer *= lengths[i];
    count = lengths[axis];
    for (size_t i = axis + 1; i < lengths.size(); ++i) inner *= lengths[i];
  }

  double values_each() const { return static_cast<double>(outer * inner); }
  /// Calls f(offset) for each element of a channel, in row-major order.
  template <class F>
  void each(int64_t channel, F f) const {
    for (int64_t i = 0; i < outer; ++i) {
      for (int64_t j = 0; j < inner; ++j) f((i * count + channel) * inner + j);
    }
  }
};

/// Element i of a view, or a number where it is absent.
template <class T>
double at_or(const TensorView& view, int64_t i, double otherwise) {
  return view.data ? wide(read<T>(view)[i]) : otherwise;
}

template <class T>
void normalize(const Channels& channels, int64_t channel, Views x_weight_bias, double mean, double deviation,
               const TensorView& y) {
  const double weight = at_or<T>(x_weight_bias[1], channel, 1), bias = at_or<T>(x_weight_bias[2], channel, 0);
  channels.each(channel, [&](int64_t i) {
    write<T>(y)[i] = narrow<T>((wide(read<T>(x_weight_bias[0])[i]) - mean) / deviation * weight + bias);
  });
}

}  // namespace

void batch_norm(const ops::BatchNorm& op, Views inputs, Views outputs) {
  const Channels channels(inputs[0].lengths, op.axis);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t channel = 0; channel < channels.count; ++channel) {
      const double mean = wide(read<T>(inputs[3])[channel]), variance = wide(read<T>(inputs[4])[channel]);
      normalize<T>(channels, channel, inputs, mean, std::sqrt(variance + op.epsilon), outputs[0]);
    }
  });
}

void batch_norm_training(const ops::BatchNormTraining& op, Views inputs, Views outputs) {
  const Channels channels(inputs[0].lengths, op.axis);
  const TensorView absent;
  const TensorView operands[] = {inputs[0], inputs.size() > 1 ? inputs[1] : absent,
                                 inputs.size() > 2 ? inputs[2] : absent};
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T* x = read<T>(inputs[0]);
    for (int64_t channel = 0; channel < channels.count; ++channel) {
      double mean = 0, variance = 0;
      channels.each(channel, [&](int64_t i) { mean += wide(x[i]); });
      mean /= channels.values_each();
      channels.each(channel, [&](int64_t i) { variance += (wide(x[i]) - mean) * (wide(x[i]) - mean); });
      variance /= channels.values_each();
      normalize<T>(channels, channel, operands, mean, std::sqrt(variance + op.epsilon), outputs[0]);
      write<T>(outputs[1])[channel] = narrow<T>(mean);
      write<T>(outputs[2])[channel] = narrow<T>(variance);
    }
  });
}

void batch_norm_gradient(const ops::BatchNormGradient& op, Views inputs, Views outputs) {
  const Channels channels(inputs[1].lengths, op.axis);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *dy = read<T>(inputs[0]), *x = read<T>(inputs[1]);
    for (int64_t channel = 0; channel < channels.count; ++channel) {
      const double weight = at_or<T>(inputs[2], channel, 1), mean = wide(read<T>(inputs[3])[channel]);
      const double deviation = std::sqrt(wide(read<T>(inputs[4])[channel]) + op.epsilon);
      double dweight = 0, dbias = 0;
      channels.each(channel, [&](int64_t i) {
        dweight += wide(dy[i]) * (wide(x[i]) - mean) / deviation;
        dbias += wide(dy[i]);
      });
      channels.each(channel, [&](int64_t i) {
        const double normalized = (wide(x[i]) - mean) / deviation;
        const double shared = (dbias + normalized * dweight) / channels.values_each();
        write<T>(outputs[0])[i] = narrow<T>(weight / deviation * (wide(dy[i]) - shared));
      });
      write<T>(outputs[1])[channel] = narrow<T>(dweight);
      write<T>(outputs[2])[channel] = narrow<T>(dbias);
    }
  });
}

}  // namespace causeway::reference
