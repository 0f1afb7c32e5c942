#pragma once

#include <string>
#include <vector>

#include "causeway/formats/importer.h"

namespace causeway {

/// What a file of numbers alone lists, without the network they belong to.
struct NumbersFile {
  struct Entry {
    std::string name, dtype;
    std::vector<int64_t> lengths;
  };
  std::string format;
  std::vector<Entry> tensors;
  /// The usual wrapping that is seen: a prefix on every name, dictionaries under keys.
  std::vector<std::string> notes;
};

/// Whether a file holds numbers by name and no network.
bool is_numbers_file(const formats::ByteSource& source);
/// Refused: a file that is none, or broken.
NumbersFile read_numbers(const formats::ByteSource& source, const ReadOptions& options = {});

}  // namespace causeway
