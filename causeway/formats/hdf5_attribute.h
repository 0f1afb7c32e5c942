#pragma once

#include <map>
#include <string>
#include <vector>

#include "causeway/formats/hdf5_header.h"
#include "causeway/formats/hdf5_type.h"

namespace causeway::formats::hdf5 {

/// An attribute whose value has not been looked at.
struct Attribute {
  Extent type, space, value;
  bool is_shared = false;  ///< Its type is a named one.
};
using Attributes = std::map<std::string, Attribute, std::less<>>;

/// Every attribute of an object by name, from messages or a fractal heap; a name twice calls unfit().
Attributes read_attributes(const Bytes& file, const std::vector<Message>& messages, Budget& budget);

/// The texts of an attribute, one where it is a scalar; unfit() where it holds anything else or has two axes.
std::vector<std::string> texts_of(const Bytes& file, const Attribute& attribute);

}  // namespace causeway::formats::hdf5
