#pragma once

#include "causeway/formats/keras/words.h"
#include "causeway/nn/flow.h"
#include "causeway/nn/setting_words.h"

namespace causeway::formats::keras {

/// channels_first values are turned at each layer that has them, and the passes take the turns out again.
struct Channels {
  bool first = false;
  Flow to_last(Flow x) const;
  Flow from_last(Flow y) const;
};
Channels read_channels(Words& words);

/// "valid", "same" or, where it is allowed, "causal".
nn::Padding read_padding(Words& words, bool causal);

}  // namespace causeway::formats::keras
