#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "causeway/formats/hdf5_header.h"
#include "causeway/formats/hdf5_type.h"

namespace causeway::formats::hdf5 {

/// How a chunked dataset finds its chunks.
enum class ChunkIndex { OldTree, Single, Implicit, FixedArray, ExtensibleArray, NewTree };

/// Where a dataset's numbers lie.
struct Layout {
  enum class Kind { Compact, Contiguous, Chunked };
  Kind kind = Kind::Compact;
  Extent compact;                               ///< In the object header.
  uint64_t address = kNowhere, size_bytes = 0;  ///< Contiguous; of the index where it is chunked.
  std::vector<uint64_t> chunk;                  ///< Lengths in elements, the element's own bytes left out.
  uint64_t element_bytes = 0;                   ///< As the layout of chunks repeats it.
  ChunkIndex index = ChunkIndex::OldTree;
  bool edges_unfiltered = false;  ///< Chunks that reach past the dataset are stored without filters.
  std::optional<std::pair<uint64_t, uint32_t>> single;  ///< The one chunk's stored bytes and skipped filters.
};

/// unfit() for virtual datasets and versions of HDF5 before 1.6.3.
Layout read_layout(Reader reader);

/// One chunk as it is stored.
struct Chunk {
  std::vector<uint64_t> start;  ///< Of its first element in the dataset.
  Extent stored;
  uint32_t skipped_filters = 0;
};

/// Every chunk inside `space`, each once; unfit() where one is not stored.
std::vector<Chunk> read_chunks(const Bytes& file, const Layout& layout, const Dataspace& space, bool is_filtered);

}  // namespace causeway::formats::hdf5
