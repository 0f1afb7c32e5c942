#include "causeway/formats/hdf5_header.h"

#include <set>

#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr uint8_t kSharedFlag = 1u << 1, kFailIfUnknownFlag = 1u << 7;
constexpr uint16_t kLastKnown = 0x18;

struct Block {
  uint64_t address = 0, size = 0;
};

void keep(Message message, uint8_t flags, std::vector<Message>& messages) {
  if (flags & kFailIfUnknownFlag && static_cast<uint16_t>(message.about) > kLastKnown) {
    unfit_at(message.body.start, "a message of an unknown kind stands here, and its writer asks not to pass it over.");
  }
  message.is_shared = flags & kSharedFlag;
  messages.push_back(message);
}

Block continuation(const Bytes& file, const Message& message) {
  Reader reader = file.reader(message.body);
  Block block;
  block.address = reader.address();
  block.size = reader.length();
  return block;
}

// Blocks are read one after another, those a continuation names last; none is read twice.
class Blocks {
 public:
  Blocks(const Bytes& file, Budget& budget) : file_(file), budget_(budget) {}

  void push(Block block) {
    const Extent piece = file_.extent(block.address, block.size, "an object header's block");
    budget_.spend(block.size, piece.start);
    if (!seen_.insert(block.address).second) unfit_at(piece.start, "an object header continues in itself.");
    waiting_.push_back(block);
  }
  bool next(Block& block) {
    if (waiting_.empty()) return false;
    block = waiting_.back();
    waiting_.pop_back();
    return true;
  }

 private:
  const Bytes& file_;
  Budget& budget_;
  std::set<uint64_t> seen_;
  std::vector<Block> waiting_;
};

std::vector<Message> read_version_1(const Bytes& file, uint64_t address, Budget& budget) {
  Reader prefix = file.reader(address, 16, "an object header");
  prefix.version(1, "an object header");
  prefix.skip(1);
  const uint16_t declared = prefix.u16();
  prefix.skip(4);
  const uint32_t size = prefix.u32();

  std::vector<Message> messages;
  Blocks blocks(file, budget);
  blocks.push({address + 16, size});
  for (Block block; blocks.next(block);) {
    Reader reader = file.reader(block.address, block.size, "an object header's block");
    while (reader.left() >= 8 && messages.size() < declared) {
      Message message;
      message.about = static_cast<About>(reader.u16());
      const uint16_t bytes = reader.u16();
      const uint8_t flags = reader.u8();
      reader.skip(3);
      message.body = {reader.at(), bytes};
      reader.skip(bytes);
      keep(message, flags, messages);
      if (message.about == About::Continuation) blocks.push(continuation(file, message));
    }
  }
  if (messages.size() != declared) {
    unfit_at(file.base + address, "the object header declares " + std::to_string(declared) + " messages, and has " +
                                      std::to_string(messages.size()) + ".");
  }
  return messages;
}

void read_version_2_block(const Bytes& file, Reader reader, bool has_order, Blocks& blocks,
                          std::vector<Message>& messages) {
  const size_t header_bytes = has_order ? 6 : 4;
  while (reader.left() >= header_bytes) {
    Message message;
    message.about = static_cast<About>(reader.u8());
    const uint16_t bytes = reader.u16();
    const uint8_t flags = reader.u8();
    if (has_order) reader.skip(2);
    message.body = {reader.at(), bytes};
    reader.skip(bytes);
    keep(message, flags, messages);
    if (message.about == About::Continuation) blocks.push(continuation(file, message));
  }
}

std::vector<Message> read_version_2(const Bytes& file, uint64_t address, Budget& budget) {
  const uint64_t room = file.all.size() - file.extent(address, 0, "an object header").start;
  Reader prefix = file.reader(address, std::min<uint64_t>(room, 34), "an object header");
  prefix.signature("OHDR", "an object header");
  prefix.version(2, "an object header");
  const uint8_t flags = prefix.u8();
  if (flags & 1u << 5) prefix.skip(16);
  if (flags & 1u << 4) prefix.skip(4);
  const uint64_t block_bytes = prefix.sized(size_t{1} << (flags & 3));
  const uint64_t prefix_bytes = prefix.at() - file.base - address;
  if (block_bytes > room) unfit_at(file.base + address, "an object header is longer than the file.");
  const uint64_t whole = prefix_bytes + block_bytes + 4;

  std::vector<Message> messages;
  Blocks blocks(file, budget);
  blocks.push({address, whole});
  const bool has_order = flags & 1u << 2;
  for (Block block; blocks.next(block);) {
    Reader reader = file.checked(block.address, block.size, "an object header's block");
    if (block.address == address) {
      reader.skip(static_cast<size_t>(prefix_bytes));
    } else {
      reader.signature("OCHK", "an object header's continuation");
    }
    read_version_2_block(file, reader, has_order, blocks, messages);
  }
  return messages;
}

}  // namespace

std::vector<Message> read_header(const Bytes& file, uint64_t address, Budget& budget) {
  const uint8_t first = file.reader(address, 1, "an object header").u8();
  return first == 'O' ? read_version_2(file, address, budget) : read_version_1(file, address, budget);
}

const Message* find(const std::vector<Message>& messages, About about) {
  for (const Message& message : messages) {
    if (message.about == about) return &message;
  }
  return nullptr;
}

Reader body_of(const Bytes& file, const Message& message, std::string_view what) {
  if (message.is_shared) {
    unfit(std::string(what) +
          " is held by another object (a named datatype), and only what the object itself says is read.");
  }
  return file.reader(message.body);
}

}  // namespace causeway::formats::hdf5
