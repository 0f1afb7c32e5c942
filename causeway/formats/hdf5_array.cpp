#include "causeway/formats/hdf5_array.h"

#include <algorithm>
#include <map>
#include <vector>

#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

// How entries lie in blocks of either array, and in the pages of large blocks: a page is a run of entries with a
// checksum of its own, and a bit says whether it was ever written.
struct Entries {
  uint8_t client = 0, entry_bytes = 0;
  uint64_t page_entries = 0;

  void check(const Bytes& file, uint64_t address, bool is_filtered, unsigned page_bits) {
    const size_t plain = file.address_bytes, least = is_filtered ? plain + 5 : plain,
                 most = is_filtered ? plain + 12 : plain;
    if (client != (is_filtered ? 1 : 0) || entry_bytes < least || entry_bytes > most || page_bits > 32) {
      unfit_at(file.base + address, "an array of chunks does not fit its dataset.");
    }
    page_entries = uint64_t{1} << page_bits;
  }

  ChunkArray::Entry read(const Bytes& file, Reader reader) const {
    ChunkArray::Entry entry;
    entry.address = reader.address();
    if (client == 1) {
      entry.stored_bytes = reader.sized(entry_bytes - file.address_bytes - 4u);
      entry.skipped_filters = reader.u32();
    }
    return entry;
  }
};

// A structure whose checksum was looked at once.
class CheckedBlocks {
 public:
  CheckedBlocks(const Bytes& file, Budget& budget) : file_(file), budget_(budget) {}

  Reader read(uint64_t address, uint64_t size, std::string_view what) {
    const auto found = sizes_.find(address);
    if (found != sizes_.end() && found->second == size) return file_.reader(address, size - 4, what);
    const Reader reader = file_.checked(address, size, what);
    budget_.spend(size, reader.at());
    sizes_[address] = size;
    return reader;
  }

 private:
  const Bytes& file_;
  Budget& budget_;
  std::map<uint64_t, uint64_t> sizes_;
};

bool is_bit_set(Reader bitmap, uint64_t bit) {
  bitmap.skip(static_cast<size_t>(bit / 8));
  return bitmap.u8() >> (7 - bit % 8) & 1;
}

uint64_t product(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) unfit("an array of chunks is larger than can be counted.");
  return result;
}

class FixedArray : public ChunkArray {
 public:
  FixedArray(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget)
      : file_(file), blocks_(file, budget), address_(address) {
    const uint64_t size = 8 + uint64_t{file.length_bytes} + uint64_t{file.address_bytes} + 4;
    Reader header = file.checked(address, size, "a fixed array");
    header.signature("FAHD", "a fixed array");
    header.version(0, "a fixed array");
    entries_.client = header.u8();
    entries_.entry_bytes = header.u8();
    const uint8_t page_bits = header.u8();
    count_ = header.length();
    block_ = header.address();
    entries_.check(file, address, is_filtered, page_bits);
  }

  Entry at(uint64_t number) override {
    if (number >= count_) unfit_at(file_.base + address_, "this array of chunks is too short for its dataset.");
    if (block_ == kNowhere) return {};
    const uint64_t prefix = 6 + uint64_t{file_.address_bytes};
    if (count_ <= entries_.page_entries) {
      const uint64_t size = prefix + product(count_, entries_.entry_bytes) + 4;
      Reader block = open(size);
      block.skip(static_cast<size_t>(number * entries_.entry_bytes));
      return entries_.read(file_, block);
    }
    const uint64_t pages = (count_ - 1) / entries_.page_entries + 1, bitmap_bytes = (pages + 7) / 8;
    const uint64_t page = number / entries_.page_entries;
    if (!is_bit_set(open(prefix + bitmap_bytes + 4), page)) return {};
    const uint64_t page_bytes = product(entries_.page_entries, entries_.entry_bytes) + 4;
    const uint64_t in_page = std::min(entries_.page_entries, count_ - page * entries_.page_entries);
    Reader reader = blocks_.read(block_ + prefix + bitmap_bytes + 4 + product(page, page_bytes),
                                 in_page * entries_.entry_bytes + 4, "a page of a fixed array");
    reader.skip(static_cast<size_t>(number % entries_.page_entries * entries_.entry_bytes));
    return entries_.read(file_, reader);
  }

 private:
  Reader open(uint64_t size) {
    Reader block = blocks_.read(block_, size, "a fixed array's block");
    block.signature("FADB", "a fixed array's block");
    block.version(0, "a fixed array's block");
    block.skip(1);
    if (block.address() != address_) unfit_at(file_.base + block_, "this block belongs to another array.");
    return block;
  }

  const Bytes& file_;
  CheckedBlocks blocks_;
  uint64_t address_, count_ = 0, block_ = kNowhere;
  Entries entries_;
};

// The first entries stand in the index block, then come data blocks it names itself, then super blocks of data blocks:
// each next super block holds as many data blocks as the last or twice as many, in turn, each as large or twice.
class ExtensibleArray : public ChunkArray {
 public:
  ExtensibleArray(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget)
      : file_(file), blocks_(file, budget), address_(address) {
    const uint64_t size = 12 + 6 * uint64_t{file.length_bytes} + uint64_t{file.address_bytes} + 4;
    Reader header = file.checked(address, size, "an extensible array");
    header.signature("EAHD", "an extensible array");
    header.version(0, "an extensible array");
    entries_.client = header.u8();
    entries_.entry_bytes = header.u8();
    const uint8_t number_bits = header.u8();
    in_index_ = header.u8();
    least_entries_ = header.u8();
    least_blocks_ = header.u8();
    const uint8_t page_bits = header.u8();
    for (int i = 0; i < 6; ++i) header.length();
    index_ = header.address();
    entries_.check(file, address, is_filtered, page_bits);
    const auto is_power = [](uint64_t x) { return x > 0 && (x & (x - 1)) == 0; };
    if (!is_power(least_entries_) || !is_power(least_blocks_) || least_blocks_ < 2 || number_bits > 62 ||
        number_bits < log2_of(least_entries_)) {
      unfit_at(file.base + address, "an extensible array's header makes no sense.");
    }
    number_bytes_ = (number_bits + 7u) / 8;
    super_blocks_ = 1 + number_bits - log2_of(least_entries_);
    first_super_ = 2 * log2_of(least_blocks_);
    if (super_blocks_ < first_super_) unfit_at(file.base + address, "an extensible array's header makes no sense.");
  }

  Entry at(uint64_t number) override {
    if (index_ == kNowhere) return {};
    Reader index = open_index();
    if (number < in_index_) {
      index.skip(static_cast<size_t>(number * entries_.entry_bytes));
      return entries_.read(file_, index);
    }
    index.skip(size_t{in_index_} * entries_.entry_bytes);
    number -= in_index_;

    unsigned super = 0;
    uint64_t start = 0, first_block = 0;  // of the super block: its first entry and data block
    while (super < super_blocks_ && number - start >= blocks_in(super) * entries_in(super)) {
      start += blocks_in(super) * entries_in(super);
      first_block += blocks_in(super);
      ++super;
    }
    if (super == super_blocks_) unfit_at(file_.base + address_, "this array of chunks is too short for its dataset.");
    const uint64_t block = (number - start) / entries_in(super), place = (number - start) % entries_in(super);
    if (super < first_super_) {
      index.skip(static_cast<size_t>((first_block + block) * file_.address_bytes));
      return in_data_block(index.address(), entries_in(super), place);
    }
    index.skip(static_cast<size_t>((direct_blocks() + super - first_super_) * file_.address_bytes));
    return in_super_block(index.address(), super, block, place);
  }

 private:
  static uint64_t blocks_in(unsigned super) { return uint64_t{1} << (super / 2); }
  uint64_t entries_in(unsigned super) const { return (uint64_t{1} << ((super + 1) / 2)) * least_entries_; }
  uint64_t direct_blocks() const { return 2 * (uint64_t{least_blocks_} - 1); }
  bool is_paged(uint64_t entries) const { return entries > entries_.page_entries; }

  Reader open(uint64_t address, uint64_t size, std::string_view signature, std::string_view what) {
    Reader block = blocks_.read(address, size, what);
    block.signature(signature, what);
    block.version(0, what);
    block.skip(1);
    if (block.address() != address_) unfit_at(file_.base + address, "this block belongs to another array.");
    return block;
  }

  Reader open_index() {
    const uint64_t addresses = direct_blocks() + super_blocks_ - first_super_;
    const uint64_t size = 6 + uint64_t{file_.address_bytes} + uint64_t{in_index_} * entries_.entry_bytes +
                          addresses * file_.address_bytes + 4;
    return open(index_, size, "EAIB", "an extensible array's index");
  }

  Entry in_super_block(uint64_t address, unsigned super, uint64_t block, uint64_t place) {
    if (address == kNowhere) return {};
    const uint64_t entries = entries_in(super), blocks = blocks_in(super);
    const uint64_t pages = is_paged(entries) ? entries / entries_.page_entries : 0, bitmap_bytes = (pages + 7) / 8;
    const uint64_t size =
        6 + uint64_t{file_.address_bytes} + number_bytes_ + blocks * bitmap_bytes + blocks * file_.address_bytes + 4;
    Reader reader = open(address, size, "EASB", "an extensible array's super block");
    reader.skip(number_bytes_);
    // The bitmap has whole bytes for each block, but counts the pages of all blocks through.
    if (pages > 0 && !is_bit_set(reader, block * pages + place / entries_.page_entries)) return {};
    reader.skip(static_cast<size_t>(blocks * bitmap_bytes + block * file_.address_bytes));
    return in_data_block(reader.address(), entries, place);
  }

  Entry in_data_block(uint64_t address, uint64_t entries, uint64_t place) {
    if (address == kNowhere) return {};
    constexpr std::string_view kWhat = "an extensible array's data block";
    const uint64_t prefix = 6 + uint64_t{file_.address_bytes} + number_bytes_;
    if (!is_paged(entries)) {
      Reader reader = open(address, prefix + product(entries, entries_.entry_bytes) + 4, "EADB", kWhat);
      reader.skip(number_bytes_ + static_cast<size_t>(place * entries_.entry_bytes));
      return entries_.read(file_, reader);
    }
    open(address, prefix + 4, "EADB", kWhat);
    const uint64_t page_bytes = product(entries_.page_entries, entries_.entry_bytes) + 4;
    Reader reader = blocks_.read(address + prefix + 4 + product(place / entries_.page_entries, page_bytes), page_bytes,
                                 "a page of an extensible array");
    reader.skip(static_cast<size_t>(place % entries_.page_entries * entries_.entry_bytes));
    return entries_.read(file_, reader);
  }

  const Bytes& file_;
  CheckedBlocks blocks_;
  uint64_t address_, index_ = kNowhere;
  Entries entries_;
  uint8_t in_index_ = 0, least_entries_ = 0, least_blocks_ = 0;
  size_t number_bytes_ = 0;
  unsigned super_blocks_ = 0, first_super_ = 0;
};

}  // namespace

std::unique_ptr<ChunkArray> fixed_array(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget) {
  return std::make_unique<FixedArray>(file, address, is_filtered, budget);
}

std::unique_ptr<ChunkArray> extensible_array(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget) {
  return std::make_unique<ExtensibleArray>(file, address, is_filtered, budget);
}

}  // namespace causeway::formats::hdf5
