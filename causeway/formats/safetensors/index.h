#pragma once

#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/container.h"

namespace causeway::formats::safetensors {

/// Whether the bytes are those of an index of shards: a JSON object with a `weight_map`.
bool claims_index(const ByteSource& source);

/// Reads an index and the shards in its folder as one file: tensors in the order of the map, each shard's metadata one
/// behind another (so a key may stand there more than once).
///
/// Refused    a map that is not exactly what the shards hold; a shard that is missing (one fault, counting the tensors
///            that need it), or is no plain name of a file in the index's folder; more than 10,000 of them; an index
///            that came through a pipe.
SafetensorsFile read_sharded(const ByteSource& index);

}  // namespace causeway::formats::safetensors
