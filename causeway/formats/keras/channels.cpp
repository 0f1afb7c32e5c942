#include "causeway/formats/keras/channels.h"

#include <string>
#include <string_view>
#include <vector>

#include "causeway/ops/build.h"

namespace causeway::formats::keras {

Flow Channels::to_last(Flow x) const {
  if (!first) return x;
  std::vector<size_t> axes{0};
  for (size_t axis = 2; axis < x.value.shape().rank(); ++axis) axes.push_back(axis);
  axes.push_back(1);
  return {ops::transpose(x.value, axes)};
}

Flow Channels::from_last(Flow y) const {
  if (!first) return y;
  std::vector<size_t> axes{0, y.value.shape().rank() - 1};
  for (size_t axis = 1; axis + 1 < y.value.shape().rank(); ++axis) axes.push_back(axis);
  return {ops::transpose(y.value, axes)};
}

Channels read_channels(Words& words) {
  return {words.word("data_format", "channels_last", {"channels_last", "channels_first"}) == "channels_first"};
}

nn::Padding read_padding(Words& words, bool causal) {
  std::vector<std::string_view> known = {"valid", "same"};
  if (causal) known.push_back("causal");
  const std::string word = words.word("padding", "valid", known);
  return word == "same" ? nn::Padding::same() : word == "causal" ? nn::Padding::causal() : nn::Padding{};
}

}  // namespace causeway::formats::keras
