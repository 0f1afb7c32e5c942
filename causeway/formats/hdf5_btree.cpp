#include "causeway/formats/hdf5_btree.h"

#include <vector>

#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr unsigned kDeepest = 16;  // a tree of this depth is larger than any file

// Version 2: how wide the counts of a node are follows from how many records a node of each depth can hold.
class RecordTree {
 public:
  RecordTree(const Bytes& file, uint64_t address, uint8_t type, Budget& budget, const std::function<void(Reader)>& each)
      : file_(file), type_(type), budget_(budget), each_(each) {
    const uint64_t size = 16 + uint64_t{file.address_bytes} + 2 + file.length_bytes + 4;
    Reader header = file.checked(address, size, "a B-tree's header");
    header.signature("BTHD", "a B-tree's header");
    header.version(0, "a B-tree's header");
    if (const uint8_t found = header.u8(); found != type) {
      unfit_at(file.base + address, "a B-tree of records of type " + std::to_string(found) + " stands here, and type " +
                                        std::to_string(type) + " is expected.");
    }
    node_bytes_ = header.u32();
    record_bytes_ = header.u16();
    depth_ = header.u16();
    header.skip(2);
    root_ = header.address();
    root_records_ = header.u16();
    if (record_bytes_ == 0 || depth_ > kDeepest || node_bytes_ < kNodeBytes + record_bytes_) {
      unfit_at(file.base + address, "a B-tree's header makes no sense.");
    }
    size_nodes(address);
  }

  void walk() {
    if (root_ != kNowhere) node(root_, root_records_, depth_);
  }

 private:
  static constexpr uint32_t kNodeBytes = 10;  // signature, version, type, checksum

  void size_nodes(uint64_t address) {
    uint64_t most = (node_bytes_ - kNodeBytes) / record_bytes_, below = most;
    count_bytes_ = bytes_for(most);
    total_bytes_.assign(depth_ + 1u, 0);
    for (unsigned level = 1; level <= depth_; ++level) {
      const uint64_t pointer = file_.address_bytes + count_bytes_ + total_bytes_[level - 1];
      if (node_bytes_ < kNodeBytes + pointer + record_bytes_ + pointer) {
        unfit_at(file_.base + address, "a B-tree's nodes are too small for its records.");
      }
      most = (node_bytes_ - kNodeBytes - pointer) / (record_bytes_ + pointer);
      if (__builtin_mul_overflow(below, most + 1, &below) || __builtin_add_overflow(below, most, &below)) {
        unfit_at(file_.base + address, "a B-tree is said to hold more records than can be counted.");
      }
      total_bytes_[level] = bytes_for(below);
    }
  }

  void node(uint64_t address, uint64_t records, unsigned level) {
    const uint64_t pointer = level == 0 ? 0 : file_.address_bytes + count_bytes_ + total_bytes_[level - 1];
    const uint64_t size = kNodeBytes + records * record_bytes_ + (level == 0 ? 0 : (records + 1) * pointer);
    if (size > node_bytes_) unfit_at(file_.base + address, "a B-tree's node holds more records than fit it.");
    Reader reader = file_.checked(address, size, "a B-tree's node");
    budget_.spend(size, file_.base + address);
    reader.signature(level == 0 ? "BTLF" : "BTIN", "a B-tree's node");
    reader.version(0, "a B-tree's node");
    if (reader.u8() != type_) unfit_at(file_.base + address, "this node belongs to another B-tree.");
    for (uint64_t i = 0; i < records; ++i) {
      each_(file_.reader({reader.at(), record_bytes_}));
      reader.skip(record_bytes_);
    }
    for (uint64_t i = 0; level > 0 && i <= records; ++i) {
      const uint64_t child = reader.address(), child_records = reader.sized(count_bytes_);
      reader.skip(total_bytes_[level - 1]);
      node(child, child_records, level - 1);
    }
  }

  const Bytes& file_;
  uint8_t type_;
  Budget& budget_;
  const std::function<void(Reader)>& each_;
  uint32_t node_bytes_ = 0;
  uint16_t record_bytes_ = 0, depth_ = 0, root_records_ = 0;
  uint64_t root_ = kNowhere;
  size_t count_bytes_ = 1;
  std::vector<size_t> total_bytes_;  // by level: the bytes of a count of all records under a node there
};

struct LeafWalk {
  const Bytes& file;
  uint8_t type;
  size_t key_bytes;
  Budget& budget;
  const std::function<void(Reader, uint64_t)>& each;

  // `level` is none at the root, whose own word is taken.
  void node(uint64_t address, int level) {
    constexpr std::string_view kWhat = "a B-tree's node";
    Reader prefix = file.reader(address, 8 + 2 * uint64_t{file.address_bytes}, kWhat);
    prefix.signature("TREE", kWhat);
    const uint8_t found_type = prefix.u8(), found_level = prefix.u8();
    if (found_type != type) unfit_at(file.base + address, "this B-tree is not of the kind that is asked for.");
    if ((level >= 0 && found_level != level) || found_level > kDeepest) {
      unfit_at(file.base + address, "a B-tree's node of level " + std::to_string(found_level) + " stands here.");
    }
    const uint16_t entries = prefix.u16();
    const uint64_t bytes =
        8 + 2 * uint64_t{file.address_bytes} + entries * (key_bytes + file.address_bytes) + key_bytes;
    Reader reader = file.reader(address, bytes, kWhat);
    budget.spend(bytes, file.base + address);
    reader.skip(8 + 2 * size_t{file.address_bytes});
    for (uint16_t i = 0; i < entries; ++i) {
      const Reader key = file.reader({reader.at(), key_bytes});
      reader.skip(key_bytes);
      const uint64_t child = reader.address();
      if (found_level == 0) {
        each(key, child);
      } else {
        node(child, found_level - 1);
      }
    }
  }
};

}  // namespace

void for_each_record(const Bytes& file, uint64_t address, uint8_t type, Budget& budget,
                     const std::function<void(Reader)>& each) {
  RecordTree(file, address, type, budget, each).walk();
}

void for_each_leaf_entry(const Bytes& file, uint64_t address, uint8_t type, size_t key_bytes, Budget& budget,
                         const std::function<void(Reader, uint64_t)>& each) {
  LeafWalk{file, type, key_bytes, budget, each}.node(address, -1);
}

}  // namespace causeway::formats::hdf5
