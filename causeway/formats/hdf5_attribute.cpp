#include "causeway/formats/hdf5_attribute.h"

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/hdf5_btree.h"
#include "causeway/formats/hdf5_heap.h"

namespace causeway::formats::hdf5 {
namespace {

constexpr uint8_t kAttributeByName =
    8;  // the record type of the B-tree that orders attributes by a hash of their names

void read_attribute(Reader reader, Attributes& attributes) {
  const size_t at = reader.at();
  const uint8_t version = reader.u8();
  if (version < 1 || version > 3) unfit_at(at, "an attribute of version " + std::to_string(version) + " stands here.");
  const uint8_t flags = reader.u8();
  const uint16_t name_bytes = reader.u16(), type_bytes = reader.u16(), space_bytes = reader.u16();
  if (version == 3) reader.skip(1);
  const auto padded = [version](size_t bytes) { return version == 1 ? (bytes + 7) / 8 * 8 : bytes; };
  std::string_view name = reader.text(name_bytes);
  reader.skip(padded(name_bytes) - name_bytes);
  name = name.substr(0, name.find('\0'));

  Attribute attribute;
  attribute.is_shared = version > 1 && flags & 3;
  attribute.type = {reader.at(), type_bytes};
  reader.skip(padded(type_bytes));
  attribute.space = {reader.at(), space_bytes};
  reader.skip(padded(space_bytes));
  attribute.value = {reader.at(), reader.left()};
  if (!attributes.emplace(name, attribute).second) {
    unfit_at(at, "this object has two attributes of the name " + quoted(name) + ".");
  }
}

void read_many_attributes(const Bytes& file, const Message& message, Budget& budget, Attributes& attributes) {
  Reader info = body_of(file, message, "the information on attributes");
  info.version(0, "the information on attributes");
  if (info.u8() & 1u << 0) info.skip(2);
  const uint64_t heap_address = info.address(), tree = info.address();
  if (heap_address == kNowhere) return;
  FractalHeap heap(file, heap_address, budget);
  for_each_record(file, tree, kAttributeByName, budget, [&](Reader record) {
    const Extent where = heap.object(record);
    record.skip(heap.id_bytes());
    if (record.u8() & 1u << 1) unfit_at(where.start, "an attribute is held by a table that objects share.");
    read_attribute(file.reader(where), attributes);
  });
}

std::string trimmed(std::string_view text, uint8_t padding) {
  if (padding == 2) {
    const size_t last = text.find_last_not_of(' ');
    return std::string(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
  }
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

Attributes read_attributes(const Bytes& file, const std::vector<Message>& messages, Budget& budget) {
  Attributes attributes;
  for (const Message& message : messages) {
    if (message.about == About::Attribute) read_attribute(body_of(file, message, "an attribute"), attributes);
    if (message.about == About::AttributeInfo) read_many_attributes(file, message, budget, attributes);
  }
  return attributes;
}

std::vector<std::string> texts_of(const Bytes& file, const Attribute& attribute) {
  if (attribute.is_shared) unfit("its type is a named one, held by another object, and only plain texts are read.");
  const Dataspace space = read_dataspace(file.reader(attribute.space));
  std::vector<std::string> texts;
  if (space.is_null) return texts;
  const int64_t count = *checked_product(space.lengths);
  if (count == 0) return texts;  // Keras writes an empty list as no float64s

  const ElementType type = read_type(file.reader(attribute.type));
  if (type.kind != ElementType::Kind::Text && type.kind != ElementType::Kind::LongText) {
    unfit("it holds " + type.name + ", and texts are expected.");
  }
  if (space.lengths.size() > 1) {
    unfit("it has " + std::to_string(space.lengths.size()) + " axes, and a text or a list of texts is expected.");
  }
  const bool is_long = type.kind == ElementType::Kind::LongText;
  const size_t element_bytes = is_long ? 8u + file.address_bytes : type.size_bytes;
  if (type.size_bytes != element_bytes) unfit_at(attribute.type.start, "a text of variable length has a wrong size.");
  if (static_cast<uint64_t>(count) > attribute.value.size / element_bytes) {
    unfit_at(attribute.value.start, "it is declared to hold " + std::to_string(count) + " texts, and has " +
                                        std::to_string(attribute.value.size) + " bytes.");
  }
  Reader reader = file.reader(attribute.value);
  GlobalHeaps heaps(file);
  Budget room(file.all.size());  // many texts may name one object of a heap
  for (int64_t i = 0; i < count; ++i) {
    if (!is_long) {
      texts.push_back(trimmed(reader.text(element_bytes), type.padding));
      continue;
    }
    const size_t at = reader.at();
    const uint32_t bytes = reader.u32();
    const uint64_t collection = reader.address();
    const uint32_t index = reader.u32();
    std::string_view text;
    if (bytes > 0) text = heaps.object(collection, index);
    if (bytes > text.size()) unfit_at(at, "a text is declared longer than the heap's object that holds it.");
    room.spend(bytes, at);
    texts.push_back(trimmed(text.substr(0, bytes), 0));
  }
  return texts;
}

}  // namespace causeway::formats::hdf5
