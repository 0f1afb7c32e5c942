#include "causeway/formats/hdf5_heap.h"

#include <algorithm>

#include "causeway/base/fault.h"
#include "causeway/formats/hdf5_btree.h"

namespace causeway::formats::hdf5 {

LocalHeap::LocalHeap(const Bytes& file, uint64_t address, Budget& budget) : file_(file) {
  Reader header =
      file.reader(address, 8 + 2 * uint64_t{file.length_bytes} + uint64_t{file.address_bytes}, "a local heap");
  header.signature("HEAP", "a local heap");
  header.version(0, "a local heap");
  header.skip(3);
  const uint64_t size = header.length();
  header.length();
  data_ = file.extent(header.address(), size, "a local heap's data");
  budget.spend(size, data_.start);
}

std::string_view LocalHeap::name_at(uint64_t offset) const {
  if (offset >= data_.size) unfit_at(data_.start, "a name is said to lie past the end of its local heap.");
  const std::string_view rest =
      file_.reader({data_.start + offset, data_.size - offset}).text(static_cast<size_t>(data_.size - offset));
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) unfit_at(data_.start + offset, "a name does not end inside its local heap.");
  return rest.substr(0, end);
}

std::string_view GlobalHeaps::object(uint64_t collection, uint32_t index) {
  auto found = collections_.find(collection);
  if (found == collections_.end()) {
    Reader header = file_.reader(collection, 8 + uint64_t{file_.length_bytes}, "a global heap collection");
    header.signature("GCOL", "a global heap collection");
    header.version(1, "a global heap collection");
    header.skip(3);
    const uint64_t size = header.length();
    Reader reader = file_.reader(collection, size, "a global heap collection");
    budget_.spend(size, reader.at());
    reader.skip(8 + file_.length_bytes);
    std::map<uint32_t, Extent> objects;
    while (reader.left() >= size_t{8} + file_.length_bytes) {
      const uint16_t id = reader.u16();
      reader.skip(6);
      const uint64_t bytes = reader.length();
      if (id == 0) break;  // free space up to the end
      if (bytes > reader.left()) unfit_at(reader.at(), "a global heap's object is longer than its collection.");
      if (!objects.emplace(id, Extent{reader.at(), bytes}).second) {
        unfit_at(reader.at(), "a global heap holds two objects of one number.");
      }
      reader.skip(std::min<size_t>(reader.left(), static_cast<size_t>((bytes + 7) / 8 * 8)));
    }
    found = collections_.emplace(collection, std::move(objects)).first;
  }
  const auto object = found->second.find(index);
  if (object == found->second.end()) {
    unfit_at(file_.base + collection, "the global heap has no object " + std::to_string(index) + ".");
  }
  return file_.reader(object->second).text(static_cast<size_t>(object->second.size));
}

FractalHeap::FractalHeap(const Bytes& file, uint64_t address, Budget& budget)
    : file_(file), budget_(budget), address_(address) {
  const uint64_t size = 22 + 12 * uint64_t{file.length_bytes} + 3 * uint64_t{file.address_bytes} + 4;
  Reader header = file.checked(address, size, "a fractal heap");
  header.signature("FRHP", "a fractal heap");
  header.version(0, "a fractal heap");
  id_bytes_ = header.u16();
  if (header.u16() != 0) unfit_at(header.at(), "a fractal heap is packed by filters, and only plain ones are read.");
  checks_blocks_ = header.u8() & 1u << 1;
  largest_managed_ = header.u32();
  header.length();
  huge_tree_ = header.address();
  header.length();
  header.address();
  for (int i = 0; i < 8; ++i) header.length();
  table_width_ = header.u16();
  starting_block_ = header.length();
  largest_block_ = header.length();
  heap_bits_ = header.u16();
  header.u16();
  root_ = header.address();
  root_rows_ = header.u16();
  const bool fits = table_width_ > 0 && starting_block_ > 0 && (starting_block_ & (starting_block_ - 1)) == 0 &&
                    largest_block_ >= starting_block_ && (largest_block_ & (largest_block_ - 1)) == 0 &&
                    largest_block_ <= uint64_t{1} << 32 && heap_bits_ > 0 && heap_bits_ <= 63 && id_bytes_ > 1 &&
                    root_rows_ < 64;
  if (!fits) unfit_at(file.base + address, "a fractal heap's table of blocks makes no sense.");
}

Extent FractalHeap::object(Reader id) {
  const size_t start = id.at();
  const uint8_t kind = id.u8();
  if (kind >> 6 != 0) unfit_at(start, "a heap ID of a newer version stands here.");
  switch (kind >> 4 & 3) {
    case 0: {
      const uint64_t offset = id.sized((heap_bits_ + 7u) / 8);
      const size_t block_size_bytes = (log2_of(largest_block_) + 7) / 8;
      return managed(offset, id.sized(std::min(block_size_bytes, bytes_for(largest_managed_))));
    }
    case 1: {
      const size_t direct_bytes = size_t{file_.address_bytes} + file_.length_bytes;
      if (id_bytes_ - 1u >= direct_bytes) {
        const uint64_t address = id.address();
        return file_.extent(address, id.length(), "a huge heap object");
      }
      read_huge_objects();
      const auto found = huge_.find(id.sized(std::min<size_t>(id_bytes_ - 1u, file_.length_bytes)));
      if (found == huge_.end()) unfit_at(start, "a huge heap object is named here that the heap does not have.");
      return found->second;
    }
    case 2: {
      if (id_bytes_ - 1u > 16) unfit_at(start, "a tiny heap object with a long ID stands here, and none is read.");
      const size_t size = (kind & 0xFu) + 1;
      if (size > id.left()) unfit_at(start, "a tiny heap object is longer than its ID.");
      return {id.at(), size};
    }
    default:
      unfit_at(start, "a heap ID of an unknown kind stands here.");
  }
}

void FractalHeap::read_huge_objects() {
  if (has_read_huge_) return;
  has_read_huge_ = true;
  for_each_record(file_, huge_tree_, 1, budget_, [this](Reader record) {
    const uint64_t address = record.address(), size = record.length();
    huge_.emplace(record.length(), file_.extent(address, size, "a huge heap object"));
  });
}

// Goes down from the root to the direct block that covers `offset`: an indirect block's rows hold `table_width_` blocks
// each, direct ones as long as their rows' blocks are no larger than the largest, indirect ones below.
Extent FractalHeap::managed(uint64_t offset, uint64_t size) {
  const unsigned direct_rows = log2_of(largest_block_) - log2_of(starting_block_) + 2;
  uint64_t address = root_, block_offset = 0;
  unsigned rows = root_rows_;
  if (rows == 0) return in_direct_block(address, 0, starting_block_, offset, size);
  for (int depth = 0; depth < 64; ++depth) {
    // The row whose blocks cover the offset, and the place in it.
    unsigned row = 0;
    uint64_t row_offset = block_offset;
    while (row < rows && offset - row_offset >= row_bytes(row) * table_width_) {
      row_offset += row_bytes(row) * table_width_;
      ++row;
    }
    if (row >= rows || row + log2_of(starting_block_) >= 63) break;
    const uint64_t place = (offset - row_offset) / row_bytes(row), entry = row * uint64_t{table_width_} + place;
    const uint64_t prefix = 5 + uint64_t{file_.address_bytes} + (heap_bits_ + 7u) / 8;
    Reader block = file_.reader(address, prefix + (entry + 1) * file_.address_bytes, "a fractal heap's indirect block");
    block.signature("FHIB", "a fractal heap's indirect block");
    block.version(0, "a fractal heap's indirect block");
    if (block.address() != address_) unfit_at(file_.base + address, "this block belongs to another fractal heap.");
    block.skip((heap_bits_ + 7u) / 8 + static_cast<size_t>(entry * file_.address_bytes));
    address = block.address();
    block_offset = row_offset + place * row_bytes(row);
    if (row < direct_rows) return in_direct_block(address, block_offset, row_bytes(row), offset, size);
    // An indirect block covers as much as a direct one of its row would: as many rows as that makes.
    rows = log2_of(row_bytes(row)) - log2_of(starting_block_ * table_width_) + 1;
    if (rows >= 64) break;
  }
  unfit_at(file_.base + address_, "a heap object is said to lie past the end of its fractal heap.");
}

Extent FractalHeap::in_direct_block(uint64_t address, uint64_t block_offset, uint64_t block_bytes, uint64_t offset,
                                    uint64_t size) {
  const Extent piece = file_.extent(address, block_bytes, "a fractal heap's block");
  const uint64_t prefix = 5 + uint64_t{file_.address_bytes} + (heap_bits_ + 7u) / 8 + (checks_blocks_ ? 4 : 0);
  if (checked_.insert(address).second) {
    budget_.spend(block_bytes, piece.start);
    Reader block = file_.reader(piece);
    block.signature("FHDB", "a fractal heap's block");
    block.version(0, "a fractal heap's block");
    if (block.address() != address_) unfit_at(piece.start, "this block belongs to another fractal heap.");
    if (checks_blocks_) {
      // The checksum stands inside the block, and counts as zero in it.
      const std::span<const std::byte> bytes = file_.view(piece);
      std::vector<std::byte> zeroed(bytes.begin(), bytes.end());
      if (prefix > zeroed.size()) unfit_at(piece.start, "a fractal heap's block is too short.");
      const auto at = static_cast<size_t>(prefix - 4);
      const uint32_t expected = file_.reader({piece.start + at, 4}).u32();
      std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0});
      if (lookup3(zeroed) != expected) unfit_at(piece.start, "a fractal heap's block does not fit its checksum.");
    }
  }
  const uint64_t start = offset - block_offset;
  if (start < prefix || start > block_bytes || size > block_bytes - start) {
    unfit_at(piece.start, "a heap object is said to lie outside its block.");
  }
  return {piece.start + start, size};
}

}  // namespace causeway::formats::hdf5
