#include <algorithm>
#include <functional>
#include <map>

#include "causeway/base/fault.h"
#include "causeway/formats/hdf5_array.h"
#include "causeway/formats/hdf5_btree.h"
#include "causeway/formats/hdf5_layout.h"

namespace causeway::formats::hdf5 {
namespace {

// The chunks of a dataset as a grid, and the order in which an index numbers them.
struct Grid {
  std::vector<uint64_t> counts;  // of chunks along each axis, as far as the dataset reaches
  std::vector<uint64_t> most;    // as far as it may grow; kNowhere without end
  uint64_t total = 1;
  size_t rank() const { return counts.size(); }
};

Grid grid_of(const Bytes& file, const Layout& layout, const Dataspace& space) {
  if (layout.chunk.size() != space.lengths.size()) {
    unfit("its chunks have " + std::to_string(layout.chunk.size()) + " axes, and it has " +
          std::to_string(space.lengths.size()) + ".");
  }
  Grid grid;
  const auto chunks = [](uint64_t length, uint64_t chunk) { return length == 0 ? 0 : (length - 1) / chunk + 1; };
  for (size_t axis = 0; axis < layout.chunk.size(); ++axis) {
    grid.counts.push_back(chunks(static_cast<uint64_t>(space.lengths[axis]), layout.chunk[axis]));
    grid.most.push_back(space.most[axis] == kNowhere ? kNowhere : chunks(space.most[axis], layout.chunk[axis]));
    // Each chunk takes at least a byte, so a grid larger than the file is not stored.
    if (__builtin_mul_overflow(grid.total, grid.counts.back(), &grid.total) || grid.total > file.all.size()) {
      unfit("it is made of more chunks than the file has bytes.");
    }
  }
  return grid;
}

// The place of a chunk in an array that counts along the axes as far as they may grow, the endless one slowest.
class Numbering {
 public:
  explicit Numbering(const Grid& grid) {
    for (size_t axis = 0; axis < grid.rank(); ++axis) {
      const bool is_endless = grid.most[axis] == kNowhere;
      axes_.insert(is_endless ? axes_.begin() : axes_.end(), axis);
    }
    steps_.assign(axes_.size(), 1);
    for (size_t i = axes_.size(); i-- > 1;) {
      if (__builtin_mul_overflow(steps_[i], grid.most[axes_[i]], &steps_[i - 1])) {
        unfit("it may grow to more chunks than can be counted.");
      }
    }
  }

  uint64_t of(const std::vector<uint64_t>& place) const {
    uint64_t number = 0;
    for (size_t i = 0; i < axes_.size(); ++i) {
      uint64_t part = 0;
      if (__builtin_mul_overflow(place[axes_[i]], steps_[i], &part) || __builtin_add_overflow(number, part, &number)) {
        unfit("it has more chunks than can be counted.");
      }
    }
    return number;
  }

 private:
  std::vector<size_t> axes_;
  std::vector<uint64_t> steps_;
};

void for_each_place(const Grid& grid, const std::function<void(const std::vector<uint64_t>&)>& each) {
  std::vector<uint64_t> place(grid.rank(), 0);
  for (uint64_t i = 0; i < grid.total; ++i) {
    each(place);
    for (size_t axis = grid.rank(); axis-- > 0;) {
      if (++place[axis] < grid.counts[axis]) break;
      place[axis] = 0;
    }
  }
}

uint64_t chunk_bytes(const Layout& layout) {
  uint64_t bytes = layout.element_bytes;
  for (const uint64_t length : layout.chunk) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) unfit("its chunks are larger than can be counted.");
  }
  return bytes;
}

// Gathers chunks by their place in the grid; those past the dataset's end are left out, as after it was made smaller.
class Gathering {
 public:
  Gathering(const Bytes& file, const Layout& layout, const Grid& grid, const std::vector<int64_t>& lengths)
      : file_(file), layout_(layout), grid_(grid), lengths_(lengths) {}

  void add(std::vector<uint64_t> place, uint64_t address, uint64_t stored_bytes, uint32_t skipped) {
    if (address == kNowhere) return;
    for (size_t axis = 0; axis < grid_.rank(); ++axis) {
      if (place[axis] >= grid_.counts[axis]) return;
    }
    Chunk chunk;
    chunk.stored = file_.extent(address, stored_bytes, "a chunk");
    chunk.skipped_filters = skipped;
    for (size_t axis = 0; axis < grid_.rank(); ++axis) {
      chunk.start.push_back(place[axis] * layout_.chunk[axis]);
      if (layout_.edges_unfiltered && reaches_past_end(axis, place[axis])) chunk.skipped_filters = ~0u;
    }
    const uint64_t at = chunk.stored.start;
    if (!chunks_.emplace(std::move(place), std::move(chunk)).second)
      unfit_at(at, "this chunk stands in its index twice.");
  }

  std::vector<Chunk> all() && {
    if (chunks_.size() != grid_.total) {
      unfit("only " + std::to_string(chunks_.size()) + " of its " + std::to_string(grid_.total) +
            " chunks are stored, and the rest would be a fill value.");
    }
    std::vector<Chunk> all;
    all.reserve(chunks_.size());
    for (auto& [place, chunk] : chunks_) all.push_back(std::move(chunk));
    return all;
  }

 private:
  bool reaches_past_end(size_t axis, uint64_t place) const {
    return place + 1 == grid_.counts[axis] && static_cast<uint64_t>(lengths_[axis]) % layout_.chunk[axis] != 0;
  }

  const Bytes& file_;
  const Layout& layout_;
  const Grid& grid_;
  const std::vector<int64_t>& lengths_;
  std::map<std::vector<uint64_t>, Chunk> chunks_;
};

// A key holds the chunk's stored bytes, skipped filters, and first element along each axis and inside the element.
void from_old_tree(const Bytes& file, const Layout& layout, const Grid& grid, Budget& budget, Gathering& gathering) {
  const size_t key_bytes = 8 + 8 * (grid.rank() + 1);
  for_each_leaf_entry(file, layout.address, 1, key_bytes, budget, [&](Reader key, uint64_t child) {
    const uint32_t stored_bytes = key.u32(), skipped = key.u32();
    std::vector<uint64_t> place;
    for (size_t axis = 0; axis < grid.rank(); ++axis) {
      const size_t at = key.at();
      const uint64_t start = key.u64();
      if (start % layout.chunk[axis] != 0) unfit_at(at, "a chunk begins between two chunks' bounds.");
      place.push_back(start / layout.chunk[axis]);
    }
    gathering.add(std::move(place), child, stored_bytes, skipped);
  });
}

// Records of type 10 hold an address and the place, those of type 11 what a filtered chunk adds.
void from_new_tree(const Bytes& file, const Layout& layout, const Grid& grid, bool is_filtered, Budget& budget,
                   Gathering& gathering) {
  const uint64_t plain_bytes = chunk_bytes(layout);
  for_each_record(file, layout.address, is_filtered ? 11 : 10, budget, [&](Reader record) {
    const uint64_t address = record.address();
    uint64_t stored_bytes = plain_bytes;
    uint32_t skipped = 0;
    if (is_filtered) {
      const size_t rest = 4 + 8 * grid.rank();
      if (record.left() <= rest || record.left() - rest > 8)
        unfit_at(record.at(), "a chunk's record has a wrong size.");
      stored_bytes = record.sized(record.left() - rest);
      skipped = record.u32();
    }
    std::vector<uint64_t> place;
    for (size_t axis = 0; axis < grid.rank(); ++axis) place.push_back(record.u64());
    gathering.add(std::move(place), address, stored_bytes, skipped);
  });
}

void from_array(const Bytes& file, const Layout& layout, const Grid& grid, bool is_filtered, Budget& budget,
                Gathering& gathering) {
  const uint64_t plain_bytes = chunk_bytes(layout);
  const std::unique_ptr<ChunkArray> array = layout.index == ChunkIndex::FixedArray
                                                ? fixed_array(file, layout.address, is_filtered, budget)
                                                : extensible_array(file, layout.address, is_filtered, budget);
  const Numbering numbering(grid);
  for_each_place(grid, [&](const std::vector<uint64_t>& place) {
    const ChunkArray::Entry entry = array->at(numbering.of(place));
    gathering.add(place, entry.address, is_filtered ? entry.stored_bytes : plain_bytes, entry.skipped_filters);
  });
}

}  // namespace

std::vector<Chunk> read_chunks(const Bytes& file, const Layout& layout, const Dataspace& space, bool is_filtered) {
  const Grid grid = grid_of(file, layout, space);
  Gathering gathering(file, layout, grid, space.lengths);
  Budget budget(file.all.size());
  if (layout.address == kNowhere || grid.total == 0) return std::move(gathering).all();
  switch (layout.index) {
    case ChunkIndex::OldTree:
      from_old_tree(file, layout, grid, budget, gathering);
      break;
    case ChunkIndex::NewTree:
      from_new_tree(file, layout, grid, is_filtered, budget, gathering);
      break;
    case ChunkIndex::FixedArray:
    case ChunkIndex::ExtensibleArray:
      from_array(file, layout, grid, is_filtered, budget, gathering);
      break;
    case ChunkIndex::Single: {
      const auto [stored_bytes, skipped] = layout.single.value_or(std::pair{chunk_bytes(layout), 0u});
      gathering.add(std::vector<uint64_t>(grid.rank(), 0), layout.address, stored_bytes, skipped);
      break;
    }
    case ChunkIndex::Implicit: {
      const Numbering numbering(grid);
      const uint64_t bytes = chunk_bytes(layout);
      for_each_place(grid, [&](const std::vector<uint64_t>& place) {
        uint64_t offset = 0;
        if (__builtin_mul_overflow(numbering.of(place), bytes, &offset) ||
            __builtin_add_overflow(offset, layout.address, &offset)) {
          unfit("its chunks lie past what can be counted.");
        }
        gathering.add(place, offset, bytes, 0);
      });
      break;
    }
  }
  return std::move(gathering).all();
}

}  // namespace causeway::formats::hdf5
