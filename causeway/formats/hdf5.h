#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/tensor/tensor.h"

namespace causeway::formats {

namespace hdf5 {
class File;

struct Node;
}  // namespace hdf5

/// A dataset that is about to be read: what its numbers are, before any memory is taken for them.
class Hdf5Dataset {
 public:
  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& lengths() const { return lengths_; }
  /// Its numbers in its own dtype and the machine's byte order: mapped where they lie in one aligned piece and the file
  /// has an owner, else copied.
  ///
  /// Refused    numbers that are not stored (a fill value alone), a chunk that is broken or fails its check, more than
  ///            1,000 times the stored bytes beyond the first MiB.
  Tensor read() const;
  /// The same, with `expected` lengths checked first.
  Tensor read(std::span<const int64_t> expected) const;

 private:
  friend class Hdf5Object;
  Hdf5Dataset(const hdf5::File& file, const hdf5::Node& node);

  const hdf5::File* file_;
  const hdf5::Node* node_;
  DType dtype_ = DType::Unknown;
  bool big_endian_ = false;
  std::vector<int64_t> lengths_;
};

/// A group or a dataset. It borrows from its Hdf5File.
class Hdf5Object {
 public:
  /// "/layers/dense/vars"; "/" at the root. In bytes, as the file has it.
  std::string path() const;
  std::string_view name() const;
  bool is_group() const;
  bool is_dataset() const;

  /// A group's members, in the order of their names (by bytes).
  std::vector<Hdf5Object> children() const;
  /// The member at a path below this group: "vars/0".
  std::optional<Hdf5Object> find(std::string_view below) const;

  bool has_attribute(std::string_view name) const;
  /// A scalar text, of fixed or variable length.
  ///
  /// Refused    an attribute of another type or rank.
  std::string text(std::string_view attribute) const;
  /// A list of texts; a scalar is a list of one, an attribute without numbers an empty one.
  std::vector<std::string> texts(std::string_view attribute) const;

  /// Refused    types other than integers and IEEE floats, by name; filters that are not read; virtual and external
  ///            storage.
  Hdf5Dataset dataset() const;

 private:
  friend class Hdf5File;
  Hdf5Object(const hdf5::File& file, const hdf5::Node& node) : file_(&file), node_(&node) {}

  const hdf5::File* file_;
  const hdf5::Node* node_;
};

/// An HDF5 file that lies whole in memory or in a mapped file. Opening it walks every group, so that a file is refused
/// whole where a link leads out of it or back into it, or a structure is broken; numbers and attributes are read when
/// they are asked for.
///
/// Refused    soft and external links, a second name for one object, more than 1,000,000 objects, groups more than 64
///            deep or with paths of more than 4,096 bytes, a structure that is broken or cut short (with its byte), a
///            file that was left half written.
/// Source     https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html
class Hdf5File {
 public:
  /// Whether the signature stands at 0, 512, 1024, 2048 … .
  static bool claims(std::span<const std::byte> file);
  /// `owner` keeps the bytes, and lets datasets be mapped; without one they are copied, and the bytes must outlive this.
  static Hdf5File open(std::span<const std::byte> file, std::shared_ptr<const void> owner = nullptr);

  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;

  Hdf5Object root() const;

 private:
  explicit Hdf5File(std::unique_ptr<hdf5::File> file);
  std::unique_ptr<hdf5::File> file_;
};

}  // namespace causeway::formats
