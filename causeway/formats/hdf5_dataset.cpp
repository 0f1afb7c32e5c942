#include <algorithm>
#include <cstring>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/hdf5.h"
#include "causeway/formats/hdf5_file.h"
#include "causeway/formats/hdf5_filters.h"
#include "causeway/formats/hdf5_layout.h"
#include "causeway/formats/hdf5_type.h"

namespace causeway::formats {
namespace {

using namespace hdf5;

constexpr uint64_t kFreeBytes = uint64_t{1} << 20, kMostGrowth = 1'000;

// What compresses better than this is no trained number.
void check_growth(uint64_t declared, uint64_t stored, std::string_view what) {
  if (declared > kFreeBytes && (declared - kFreeBytes) / kMostGrowth > stored) {
    unfit(std::string(what) + " " + std::to_string(declared) + " bytes, and " + std::to_string(stored) +
          " are stored, and at most 1,000 times as many are read.");
  }
}

Reader required(const Bytes& file, const Node& node, About about, std::string_view what) {
  const Message* message = find(node.messages, about);
  if (message == nullptr) unfit(std::string(what) + " is missing.");
  return body_of(file, *message, what);
}

void swap_bytes(Tensor& numbers) {
  const size_t size = size_of(numbers.dtype());
  auto* bytes = static_cast<std::byte*>(numbers.mutable_data());
  for (size_t at = 0; at < numbers.size_bytes(); at += size) std::reverse(bytes + at, bytes + at + size);
}

[[noreturn]] void unfit_not_stored() { unfit("its numbers are not stored: the file has a fill value for them alone."); }

Tensor read_contiguous(const Bytes& file, Extent stored, DType dtype, const std::vector<int64_t>& lengths, bool as_is) {
  const std::byte* from = file.view(stored).data();
  if (as_is && file.owner && reinterpret_cast<uintptr_t>(from) % size_of(dtype) == 0) {
    return Tensor::over(dtype, lengths, from, file.owner);
  }
  Tensor numbers = Tensor::uninitialized(dtype, lengths);
  std::memcpy(numbers.mutable_data(), from, numbers.size_bytes());
  return numbers;
}

// Copies what of a chunk lies inside the dataset, run by run along the last axis.
void place_chunk(const std::vector<std::byte>& chunk, const std::vector<uint64_t>& chunk_lengths,
                 const std::vector<uint64_t>& start, const std::vector<int64_t>& lengths, size_t element_bytes,
                 std::byte* to) {
  const size_t rank = lengths.size(), last = rank - 1;
  std::vector<uint64_t> inside(rank), place(rank, 0);
  for (size_t axis = 0; axis < rank; ++axis) {
    inside[axis] = std::min(chunk_lengths[axis], static_cast<uint64_t>(lengths[axis]) - start[axis]);
  }
  const size_t run_bytes = static_cast<size_t>(inside[last]) * element_bytes;
  for (;;) {
    uint64_t from_element = 0, to_element = 0;
    for (size_t axis = 0; axis < rank; ++axis) {
      from_element = from_element * chunk_lengths[axis] + place[axis];
      to_element = to_element * static_cast<uint64_t>(lengths[axis]) + start[axis] + place[axis];
    }
    std::memcpy(to + to_element * element_bytes, chunk.data() + from_element * element_bytes, run_bytes);
    size_t axis = last;
    while (axis-- > 0) {
      if (++place[axis] < inside[axis]) break;
      place[axis] = 0;
    }
    if (axis == size_t(-1)) return;
  }
}

Tensor read_chunked(const Bytes& file, const Node& node, const Layout& layout, DType dtype,
                    const std::vector<int64_t>& lengths, uint64_t declared) {
  std::vector<Filter> filters;
  if (const Message* message = find(node.messages, About::Filters)) {
    filters = read_filters(body_of(file, *message, "its filters"), node.name);
  }
  const Dataspace space = read_dataspace(required(file, node, About::Dataspace, "its dataspace"));
  if (layout.element_bytes != size_of(dtype)) unfit("its chunks say another size of its elements than its datatype.");
  if (layout.address == kNowhere) unfit_not_stored();
  const std::vector<Chunk> chunks = read_chunks(file, layout, space, !filters.empty());

  uint64_t chunk_bytes = layout.element_bytes, stored = 0;
  for (const uint64_t length : layout.chunk) {
    if (__builtin_mul_overflow(chunk_bytes, length, &chunk_bytes)) unfit("its chunks are larger than can be counted.");
  }
  for (const Chunk& chunk : chunks) {
    stored += chunk.stored.size;
    check_growth(chunk_bytes, chunk.stored.size, "a chunk of it comes to");
  }
  check_growth(declared, std::min<uint64_t>(stored, file.all.size()), "it comes to");

  Tensor numbers = Tensor::uninitialized(dtype, lengths);
  auto* to = static_cast<std::byte*>(numbers.mutable_data());
  for (const Chunk& chunk : chunks) {
    const std::vector<std::byte> piece =
        unpacked(file.view(chunk.stored), filters, chunk.skipped_filters, static_cast<size_t>(chunk_bytes));
    place_chunk(piece, layout.chunk, chunk.start, lengths, size_of(dtype), to);
  }
  return numbers;
}

Tensor read_numbers(const Bytes& file, const Node& node, DType dtype, bool big_endian,
                    const std::vector<int64_t>& lengths) {
  const Layout layout = read_layout(required(file, node, About::Layout, "its layout"));
  const std::optional<int64_t> count = checked_product(lengths);
  const std::optional<int64_t> bytes =
      count ? checked_multiply(*count, static_cast<int64_t>(size_of(dtype))) : std::nullopt;
  if (!bytes) unfit("it holds more bytes than can be counted.");
  if (*bytes == 0) return Tensor(dtype, lengths);
  const auto declared = static_cast<uint64_t>(*bytes);

  const bool as_is = !big_endian || size_of(dtype) == 1;
  Tensor numbers;
  if (layout.kind == Layout::Kind::Chunked) {
    numbers = read_chunked(file, node, layout, dtype, lengths, declared);
  } else {
    const bool is_compact = layout.kind == Layout::Kind::Compact;
    if (!is_compact && layout.address == kNowhere) unfit_not_stored();
    const uint64_t stored = is_compact ? layout.compact.size : layout.size_bytes;
    if (stored != declared) {
      unfit("its " + text_of(lengths) + " numbers take " + std::to_string(declared) + " bytes, and " +
            std::to_string(stored) + " are stored.");
    }
    const Extent extent = is_compact ? layout.compact : file.extent(layout.address, stored, "its numbers");
    numbers = read_contiguous(file, extent, dtype, lengths, as_is);
  }
  if (!as_is) swap_bytes(numbers);
  return numbers;
}

}  // namespace

Hdf5Dataset::Hdf5Dataset(const File& file, const Node& node) : file_(&file), node_(&node) {
  const ElementType type = read_type(required(file.bytes, node, About::Datatype, "its datatype"));
  if (type.kind != ElementType::Kind::Number) {
    unfit("it holds " + type.name + ", and only float16, float32, float64 and integers are read.");
  }
  dtype_ = type.dtype;
  big_endian_ = type.big_endian;
  const Dataspace space = read_dataspace(required(file.bytes, node, About::Dataspace, "its dataspace"));
  if (space.is_null) unfit("it holds no number at all.");
  lengths_ = space.lengths;
  if (find(node.messages, About::ExternalFiles) != nullptr) {
    unfit("its numbers lie in other files, and the file alone is read.");
  }
  read_layout(required(file.bytes, node, About::Layout, "its layout"));
  if (const Message* filters = find(node.messages, About::Filters)) {
    read_filters(body_of(file.bytes, *filters, "its filters"), node.name);
  }
}

Hdf5Dataset Hdf5Object::dataset() const {
  try {
    return Hdf5Dataset(*file_, *node_);
  } catch (const Unfit& reason) {
    throw Refused(escaped(node_->path()), reason.what());
  }
}

Tensor Hdf5Dataset::read() const {
  try {
    return read_numbers(file_->bytes, *node_, dtype_, big_endian_, lengths_);
  } catch (const Unfit& reason) {
    throw Refused(escaped(node_->path()), reason.what());
  }
}

Tensor Hdf5Dataset::read(std::span<const int64_t> expected) const {
  if (!std::equal(lengths_.begin(), lengths_.end(), expected.begin(), expected.end())) {
    throw Refused(escaped(node_->path()),
                  "it is " + text_of(lengths_) + ", and " + text_of(expected) + " is expected.");
  }
  return read();
}

}  // namespace causeway::formats
