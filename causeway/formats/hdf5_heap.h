#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "causeway/formats/hdf5_bytes.h"

namespace causeway::formats::hdf5 {

/// The names of an old group.
class LocalHeap {
 public:
  LocalHeap(const Bytes& file, uint64_t address, Budget& budget);
  std::string_view name_at(uint64_t offset) const;

 private:
  const Bytes& file_;
  Extent data_;
};

/// The collections that texts of variable length lie in; each is read once.
class GlobalHeaps {
 public:
  explicit GlobalHeaps(const Bytes& file) : file_(file), budget_(file.all.size()) {}
  std::string_view object(uint64_t collection, uint32_t index);

 private:
  const Bytes& file_;
  Budget budget_;
  std::map<uint64_t, std::map<uint32_t, Extent>> collections_;
};

/// Where a new group keeps its links, or an object its attributes, once they are many: objects of any size, found by an
/// ID. Small ones lie in blocks whose sizes double from row to row, huge ones on their own in the file.
class FractalHeap {
 public:
  FractalHeap(const Bytes& file, uint64_t address, Budget& budget);

  /// The piece of the file that holds the object of an ID read at `id`.
  Extent object(Reader id);
  size_t id_bytes() const { return id_bytes_; }

 private:
  Extent managed(uint64_t offset, uint64_t size);
  Extent in_direct_block(uint64_t address, uint64_t block_offset, uint64_t block_bytes, uint64_t offset, uint64_t size);
  void read_huge_objects();
  uint64_t row_bytes(unsigned row) const { return row == 0 ? starting_block_ : starting_block_ << (row - 1); }

  const Bytes& file_;
  Budget& budget_;
  uint64_t address_ = 0;
  uint16_t id_bytes_ = 0, table_width_ = 0, heap_bits_ = 0, root_rows_ = 0;
  bool checks_blocks_ = false, has_read_huge_ = false;
  uint64_t largest_managed_ = 0, starting_block_ = 0, largest_block_ = 0, root_ = kNowhere, huge_tree_ = kNowhere;
  std::set<uint64_t> checked_;       // direct blocks whose checksum was right
  std::map<uint64_t, Extent> huge_;  // by ID
};

}  // namespace causeway::formats::hdf5
