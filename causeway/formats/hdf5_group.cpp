#include "causeway/formats/hdf5_group.h"

#include <algorithm>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/hdf5_btree.h"
#include "causeway/formats/hdf5_heap.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr uint8_t kLinkByName = 5;  // the record type of the B-tree that orders links by a hash of their names

// An old group: its B-tree's leaves are nodes of symbols, whose names lie in the local heap.
void read_symbols(const Bytes& file, const Message& message, Budget& budget, std::vector<Link>& links) {
  Reader table = body_of(file, message, "a symbol table");
  const uint64_t tree = table.address();
  const LocalHeap heap(file, table.address(), budget);
  for_each_leaf_entry(file, tree, 0, file.length_bytes, budget, [&](Reader, uint64_t child) {
    constexpr std::string_view kWhat = "a node of symbols";
    Reader prefix = file.reader(child, 8, kWhat);
    prefix.signature("SNOD", kWhat);
    prefix.version(1, kWhat);
    prefix.skip(1);
    const uint16_t count = prefix.u16();
    const uint64_t bytes = 8 + count * (2 * uint64_t{file.address_bytes} + 24);
    Reader reader = file.reader(child, bytes, kWhat);
    budget.spend(bytes, file.base + child);
    reader.skip(8);
    for (uint16_t i = 0; i < count; ++i) {
      Link link;
      link.name = heap.name_at(reader.address());
      link.address = reader.address();
      // 0: nothing is cached; 1: a group's tables are; 2: it is a soft link.
      const size_t at = reader.at();
      const uint32_t cached = reader.u32();
      if (cached > 2) unfit_at(at, "a symbol of an unknown kind stands here.");
      if (cached == 2) link.kind = Link::Kind::Soft;
      reader.skip(20);
      links.push_back(std::move(link));
    }
  });
}

Link read_link(Reader reader) {
  reader.version(1, "a link");
  const uint8_t flags = reader.u8();
  const uint8_t kind = flags & 1u << 3 ? reader.u8() : 0;
  if (flags & 1u << 2) reader.skip(8);
  if (flags & 1u << 4) reader.skip(1);
  const uint64_t name_bytes = reader.sized(size_t{1} << (flags & 3));
  Link link;
  link.name = reader.text(static_cast<size_t>(name_bytes));
  if (kind == 0) {
    link.address = reader.address();
  } else {
    link.kind = kind == 1 ? Link::Kind::Soft : kind == 64 ? Link::Kind::External : Link::Kind::Other;
  }
  return link;
}

void read_many_links(const Bytes& file, const Message& message, Budget& budget, std::vector<Link>& links) {
  Reader info = body_of(file, message, "a group's link information");
  info.version(0, "a group's link information");
  const uint8_t flags = info.u8();
  if (flags & 1u << 0) info.skip(8);
  const uint64_t heap_address = info.address(), tree = info.address();
  if (heap_address == kNowhere) return;
  FractalHeap heap(file, heap_address, budget);
  for_each_record(file, tree, kLinkByName, budget, [&](Reader record) {
    record.skip(4);
    links.push_back(read_link(file.reader(heap.object(record))));
  });
}

}  // namespace

bool is_group(const std::vector<Message>& messages) {
  return find(messages, About::SymbolTable) != nullptr || find(messages, About::LinkInfo) != nullptr;
}

std::vector<Link> read_links(const Bytes& file, const std::vector<Message>& messages, Budget& budget) {
  std::vector<Link> links;
  for (const Message& message : messages) {
    if (message.about == About::SymbolTable) read_symbols(file, message, budget, links);
    if (message.about == About::LinkInfo) read_many_links(file, message, budget, links);
    if (message.about == About::Link) links.push_back(read_link(body_of(file, message, "a link")));
  }
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.name < b.name; });
  for (size_t i = 0; i < links.size(); ++i) {
    const std::string& name = links[i].name;
    if (name.empty() || name == "." || name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
      unfit("a member of this group has the name " + quoted(name) + ", which is no name.");
    }
    if (i > 0 && name == links[i - 1].name) unfit("this group has two members of the name " + quoted(name) + ".");
  }
  return links;
}

}  // namespace causeway::formats::hdf5
