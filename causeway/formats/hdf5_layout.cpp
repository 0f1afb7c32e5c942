#include "causeway/formats/hdf5_layout.h"

#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr uint8_t kMostAxes = 33;  // a dataset's, and one for the element

void read_old_chunks(Reader& reader, Layout& layout) {
  const size_t at = reader.at();
  const uint8_t rank = reader.u8();
  if (rank < 2 || rank > kMostAxes)
    unfit_at(at, "a layout of chunks of " + std::to_string(rank) + " axes stands here.");
  layout.address = reader.address();
  for (uint8_t i = 0; i + 1 < rank; ++i) layout.chunk.push_back(reader.u32());
  layout.element_bytes = reader.u32();
}

void read_new_chunks(Reader& reader, Layout& layout) {
  const size_t at = reader.at();
  const uint8_t flags = reader.u8(), rank = reader.u8(), length_bytes = reader.u8();
  if (rank < 2 || rank > kMostAxes || length_bytes < 1 || length_bytes > 8) {
    unfit_at(at, "a layout of chunks that makes no sense stands here.");
  }
  layout.edges_unfiltered = flags & 1u;
  for (uint8_t i = 0; i + 1 < rank; ++i) layout.chunk.push_back(reader.sized(length_bytes));
  layout.element_bytes = reader.sized(length_bytes);
  const uint8_t index = reader.u8();
  switch (index) {
    case 1:
      layout.index = ChunkIndex::Single;
      if (flags & 1u << 1) {
        const uint64_t stored_bytes = reader.length();
        layout.single = {stored_bytes, reader.u32()};
      }
      break;
    case 2:
      layout.index = ChunkIndex::Implicit;
      break;
    case 3:
      layout.index = ChunkIndex::FixedArray, reader.skip(1);
      break;
    case 4:
      layout.index = ChunkIndex::ExtensibleArray, reader.skip(5);
      break;
    case 5:
      layout.index = ChunkIndex::NewTree, reader.skip(6);
      break;
    default:
      unfit_at(at, "chunks are found by an unknown index, " + std::to_string(index) + ".");
  }
  layout.address = reader.address();
}

}  // namespace

Layout read_layout(Reader reader) {
  const size_t at = reader.at();
  const uint8_t version = reader.u8();
  if (version != 3 && version != 4) {
    unfit_at(at, "a layout of version " + std::to_string(version) + " stands here, and versions 3 and 4 are read.");
  }
  Layout layout;
  switch (const uint8_t kind = reader.u8()) {
    case 0: {
      const uint16_t size = reader.u16();
      layout.compact = {reader.at(), size};
      reader.skip(size);
      break;
    }
    case 1:
      layout.kind = Layout::Kind::Contiguous;
      layout.address = reader.address();
      layout.size_bytes = reader.length();
      break;
    case 2:
      layout.kind = Layout::Kind::Chunked;
      version == 3 ? read_old_chunks(reader, layout) : read_new_chunks(reader, layout);
      break;
    case 3:
      unfit("it is a virtual dataset, made of other files' numbers, and the file alone is read.");
    default:
      unfit_at(at, "a layout of an unknown class, " + std::to_string(kind) + ", stands here.");
  }
  for (const uint64_t length : layout.chunk) {
    if (length == 0) unfit_at(at, "a chunk of length 0 stands here.");
  }
  return layout;
}

}  // namespace causeway::formats::hdf5
