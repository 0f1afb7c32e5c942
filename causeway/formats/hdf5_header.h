#pragma once

#include <cstdint>
#include <vector>

#include "causeway/formats/hdf5_bytes.h"

namespace causeway::formats::hdf5 {

/// What a message of an object header is about, as the format numbers them.
enum class About : uint16_t {
  Nothing = 0x00,
  Dataspace = 0x01,
  LinkInfo = 0x02,
  Datatype = 0x03,
  OldFillValue = 0x04,
  FillValue = 0x05,
  Link = 0x06,
  ExternalFiles = 0x07,
  Layout = 0x08,
  GroupInfo = 0x0A,
  Filters = 0x0B,
  Attribute = 0x0C,
  Comment = 0x0D,
  OldTime = 0x0E,
  SharedTable = 0x0F,
  Continuation = 0x10,
  SymbolTable = 0x11,
  Time = 0x12,
  BTreeK = 0x13,
  DriverInfo = 0x14,
  AttributeInfo = 0x15,
  ReferenceCount = 0x16,
  FileSpaceInfo = 0x17,
};

struct Message {
  About about = About::Nothing;
  Extent body;
  bool is_shared = false;  ///< The body says where another object holds it.
};

/// The messages of the object at that address, of either version and over all continuations.
std::vector<Message> read_header(const Bytes& file, uint64_t address, Budget& budget);

const Message* find(const std::vector<Message>& messages, About about);

/// The message's body; unfit() where another object holds it.
Reader body_of(const Bytes& file, const Message& message, std::string_view what);

}  // namespace causeway::formats::hdf5
