#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/formats/byte_source.h"
#include "causeway/tensor/tensor.h"

namespace causeway::cli {

/// What an array file holds: arrays by name, or one without a name (.npy, .csv).
struct Arrays {
  std::map<std::string, Tensor, std::less<>> named;
  bool has_names = false;

  /// The one array of a file without names.
  const Tensor& sole() const { return named.begin()->second; }
  /// "the arrays 'a', 'b'", as a sentence says what a file with names holds.
  std::string names_text() const;
};

/// The arrays of a .npy, .npz or .safetensors, told by content; nothing where it begins like none of them. Refused at the
/// source's name, or the array in it.
std::optional<Arrays> arrays_of(const formats::ByteSource& source);

/// Reads .npy, .npz, .safetensors or .csv (a header line, then numbers), told by content; a file that is none of the
/// others is taken for CSV where its suffix says so. Refused at the file.
Arrays read_arrays(const std::string& path);

/// Writes arrays in the format the suffix names; .npy and .csv hold one. Refused, before a byte is written: another
/// suffix, or more than one array for those. In a .npz they lie in `order`, which names each, or by their names.
void write_arrays(const std::map<std::string, Tensor, std::less<>>& arrays, const std::string& path,
                  std::vector<std::string> order = {});

/// One array as CSV: a header (`name` for one column, else name.0, name.1 …), then a row an example with 9 significant
/// digits, so that a float32 reads back the same (17 for float64). `before` are columns in front: name and cells.
struct TextColumn {
  std::string name;
  std::vector<std::string> cells;
};
std::string csv_of(const std::string& name, const Tensor& tensor, const std::vector<TextColumn>& before = {});
/// With a name for each column.
std::string csv_of(const std::vector<std::string>& names, const Tensor& tensor,
                   const std::vector<TextColumn>& before = {});

}  // namespace causeway::cli
