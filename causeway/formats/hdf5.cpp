#include "causeway/formats/hdf5.h"

#include <algorithm>
#include <set>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/hdf5_file.h"
#include "causeway/formats/hdf5_group.h"

namespace causeway::formats {
namespace hdf5 {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr size_t kMostObjects = 1'000'000, kMostFaults = 100;
constexpr int kDeepest = 64;
constexpr size_t kLongestPath = 4096;  // of a group, in bytes: every member's path begins with it

// A user block before the superblock has a length of 0, 512, 1024, 2048 … bytes.
std::optional<uint64_t> find_superblock(std::span<const std::byte> file) {
  for (uint64_t at = 0; at < file.size() && file.size() - at >= kSignature.size(); at = at == 0 ? 512 : 2 * at) {
    const auto* bytes = reinterpret_cast<const char*>(file.data() + at);
    if (std::string_view(bytes, kSignature.size()) == kSignature) return at;
  }
  return std::nullopt;
}

void take_sizes(Reader& reader, Bytes& file) {
  const size_t at = reader.at();
  file.address_bytes = reader.u8();
  file.length_bytes = reader.u8();
  const auto is_read = [](uint8_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; };
  if (!is_read(file.address_bytes) || !is_read(file.length_bytes)) {
    unfit_at(at, "addresses of " + std::to_string(file.address_bytes) + " bytes and lengths of " +
                     std::to_string(file.length_bytes) + " stand here, and 2, 4 or 8 are read.");
  }
}

// The declared end lies as far behind the superblock as its base address says; the file may be longer.
void check_end(const Bytes& file, uint64_t base, uint64_t end) {
  if (end == kNowhere || base == kNowhere || end < base || end - base > file.all.size() - file.base) {
    unfit("the file is cut short: its superblock says that it ends at byte " + std::to_string(end) + ", and it has " +
          std::to_string(file.all.size()) + " bytes.");
  }
}

// Gives the root's object header.
uint64_t read_superblock(Bytes& file) {
  Reader prefix = file.reader(0, 9, "a superblock");
  prefix.skip(kSignature.size());
  const uint8_t version = prefix.u8();
  if (version > 3) {
    unfit_at(file.base + 8,
             "a superblock of version " + std::to_string(version) + " stands here, and 0 to 3 are read.");
  }
  if (version < 2) {
    Reader sizes = file.reader(13, 2, "a superblock");
    take_sizes(sizes, file);
    const uint64_t fixed = version == 0 ? 24 : 28;
    Reader reader = file.reader(0, fixed + 6 * uint64_t{file.address_bytes}, "a superblock");
    reader.skip(static_cast<size_t>(fixed));
    const uint64_t base = reader.address();
    reader.address();
    check_end(file, base, reader.address());
    reader.address();
    reader.address();
    return reader.address();
  }
  Reader sizes = file.reader(9, 2, "a superblock");
  take_sizes(sizes, file);
  Reader reader = file.checked(0, 12 + 4 * uint64_t{file.address_bytes} + 4, "a superblock");
  reader.skip(11);
  const size_t at = reader.at();
  // Set while a program writes, and cleared when it closes the file.
  if (const uint8_t flags = reader.u8(); flags & 0b101u) {
    unfit_at(at, "the file is marked as being written: its writer did not close it.");
  }
  const uint64_t base = reader.address();
  reader.address();
  check_end(file, base, reader.address());
  return reader.address();
}

// Visits every object once, and gathers what is refused by path.
class Walk {
 public:
  explicit Walk(const Bytes& file) : file_(file), budget_(2 * uint64_t{file.all.size()}) {}

  void visit(Node& node, uint64_t address, int depth) {
    try {
      object(node, address, depth);
    } catch (const Unfit& reason) {
      refuse(node, reason.what());
    }
  }
  std::vector<Fault> faults() && { return std::move(faults_); }

 private:
  void refuse(const Node& node, std::string what) { refuse_at(node.path(), std::move(what)); }
  void refuse_at(const std::string& path, std::string what) {
    if (faults_.size() < kMostFaults) faults_.push_back({escaped(path), std::move(what)});
  }

  void object(Node& node, uint64_t address, int depth) {
    if (!seen_.insert(address).second) {
      unfit("it is a second name of an object that the file has under another, and each number is read once.");
    }
    if (seen_.size() > kMostObjects) unfit("the file has more than " + std::to_string(kMostObjects) + " objects.");
    if (depth > kDeepest) unfit("its group is more than " + std::to_string(kDeepest) + " groups deep.");
    node.messages = read_header(file_, address, budget_);
    node.is_group = is_group(node.messages);
    node.attributes = read_attributes(file_, node.messages, budget_);
    if (node.is_group) members(node, depth);
  }

  void members(Node& node, int depth) {
    if (node.path().size() > kLongestPath) unfit("its path is longer than " + std::to_string(kLongestPath) + " bytes.");
    for (const Link& link : read_links(file_, node.messages, budget_)) {
      auto child = std::make_unique<Node>();
      child->name = link.name;
      child->parent = &node;
      switch (link.kind) {
        case Link::Kind::Hard:
          visit(*child, link.address, depth + 1);
          break;
        case Link::Kind::Soft:
          refuse(*child, "it is a soft link, a name for something elsewhere, and each number is read once.");
          break;
        case Link::Kind::External:
          refuse(*child, "it is a link into another file, and the file alone is read.");
          break;
        case Link::Kind::Other:
          refuse(*child, "it is a link of a kind of its writer's own, and none is followed.");
          break;
      }
      if (faults_.size() >= kMostFaults) return;
      node.children.push_back(std::move(child));
    }
  }

  const Bytes& file_;
  Budget budget_;
  std::set<uint64_t> seen_;
  std::vector<Fault> faults_;
};

}  // namespace

std::string Node::path() const {
  if (parent == nullptr) return "/";
  std::vector<const Node*> up;
  for (const Node* node = this; node->parent != nullptr; node = node->parent) up.push_back(node);
  std::string path;
  for (size_t i = up.size(); i-- > 0;) path += "/" + up[i]->name;
  return path;
}

File::File(Bytes given) : bytes(std::move(given)) {
  const std::optional<uint64_t> base = find_superblock(bytes.all);
  if (!base) throw Refused("byte 0", "this is no HDF5 file: its signature is missing.");
  bytes.base = *base;
  uint64_t address = kNowhere;
  try {
    address = read_superblock(bytes);
  } catch (const Unfit& reason) {
    throw Refused("the superblock", reason.what());
  }
  Walk walk(bytes);
  walk.visit(root, address, 0);
  refuse_if_any(std::move(walk).faults());
  if (!root.is_group) throw Refused("/", "the root of the file is no group.");
}

}  // namespace hdf5

bool Hdf5File::claims(std::span<const std::byte> file) { return hdf5::find_superblock(file).has_value(); }

Hdf5File Hdf5File::open(std::span<const std::byte> file, std::shared_ptr<const void> owner) {
  hdf5::Bytes bytes;
  bytes.all = file;
  bytes.owner = std::move(owner);
  return Hdf5File(std::make_unique<hdf5::File>(std::move(bytes)));
}

Hdf5File::Hdf5File(std::unique_ptr<hdf5::File> file) : file_(std::move(file)) {}
Hdf5File::~Hdf5File() = default;
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;

Hdf5Object Hdf5File::root() const { return {*file_, file_->root}; }

std::string Hdf5Object::path() const { return node_->path(); }
std::string_view Hdf5Object::name() const { return node_->name; }
bool Hdf5Object::is_group() const { return node_->is_group; }
bool Hdf5Object::is_dataset() const { return hdf5::find(node_->messages, hdf5::About::Layout) != nullptr; }

std::vector<Hdf5Object> Hdf5Object::children() const {
  std::vector<Hdf5Object> children;
  children.reserve(node_->children.size());
  for (const std::unique_ptr<hdf5::Node>& child : node_->children) children.push_back(Hdf5Object(*file_, *child));
  return children;
}

std::optional<Hdf5Object> Hdf5Object::find(std::string_view below) const {
  const hdf5::Node* node = node_;
  while (!below.empty()) {
    const std::string_view part = below.substr(0, below.find('/'));
    below.remove_prefix(std::min(below.size(), part.size() + 1));
    const auto& children = node->children;
    const auto found = std::lower_bound(children.begin(), children.end(), part,
                                        [](const auto& child, std::string_view name) { return child->name < name; });
    if (found == children.end() || (*found)->name != part) return std::nullopt;
    node = found->get();
  }
  return Hdf5Object(*file_, *node);
}

bool Hdf5Object::has_attribute(std::string_view name) const { return node_->attributes.contains(name); }

std::vector<std::string> Hdf5Object::texts(std::string_view attribute) const {
  const std::string where = escaped(node_->path()) + ", attribute " + quoted(attribute);
  const auto found = node_->attributes.find(attribute);
  if (found == node_->attributes.end()) throw Refused(where, "the file has no such attribute.");
  try {
    return hdf5::texts_of(file_->bytes, found->second);
  } catch (const Unfit& reason) {
    throw Refused(where, reason.what());
  }
}

std::string Hdf5Object::text(std::string_view attribute) const {
  std::vector<std::string> texts = this->texts(attribute);
  if (texts.size() != 1) {
    throw Refused(escaped(node_->path()) + ", attribute " + quoted(attribute),
                  "it holds " + std::to_string(texts.size()) + " texts, and one is expected.");
  }
  return std::move(texts.front());
}

}  // namespace causeway::formats
