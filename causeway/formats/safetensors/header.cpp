#include "causeway/formats/safetensors/header.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/safetensors/json_walk.h"

namespace causeway::formats::safetensors {
namespace {

constexpr size_t kMostAxes = 32;
constexpr std::string_view kMetadata = "__metadata__";

/// Depth 1 holds the entries' names, depth 2 the fields of an entry or the metadata, depth 3 the items of a list of an
/// entry; anything at another place is a fault of that entry.
class HeaderListener : public JsonListener {
 public:
  explicit HeaderListener(Header& header) : header_(header) {}

  void key(int depth, std::string& name) override {
    if (depth == 1) begin_entry(name);
    if (depth == 2) begin_field(name);
  }
  void value(int depth, JsonPiece piece, uint64_t number, std::string* text) override {
    if (depth == 0) return;
    if (depth == 1) return entry_value(piece);
    if (in_metadata_) return metadata_value(depth, piece, text);
    if (depth == 2) return field_value(piece, text);
    item_value(depth, piece, number);
  }
  void end(int depth) override {
    if (depth == 1) end_entry();
  }

 private:
  enum class Field { None, Dtype, Shape, Offsets, Unknown };

  /// The first fault of an entry is enough: the others often follow from it.
  void fault(std::string what) {
    if (faulty_) return;
    faulty_ = true;
    header_.faults.push_back({in_metadata_ ? "header" : "tensor " + quoted(entry_.name), std::move(what)});
  }

  void begin_entry(std::string& name) {
    entry_ = StatedTensor();
    in_metadata_ = name == kMetadata;
    faulty_ = has_dtype_ = has_shape_ = false;
    offsets_ = 0;
    seen_offsets_ = false;
    field_ = Field::None;
    keys_.clear();
    entry_.name = std::move(name);
    if (!names_.insert(entry_.name).second) {
      fault(quoted(entry_.name) + " is written twice, and only one of the two could be read.");
    }
  }

  void begin_field(const std::string& name) {
    if (in_metadata_) {
      if (!keys_.insert(name).second) fault("'__metadata__' holds " + quoted(name) + " twice.");
      metadata_key_ = name;
      return;
    }
    field_ = name == "dtype"          ? Field::Dtype
             : name == "shape"        ? Field::Shape
             : name == "data_offsets" ? Field::Offsets
                                      : Field::Unknown;
    bool* const seen = field_ == Field::Dtype     ? &has_dtype_
                       : field_ == Field::Shape   ? &has_shape_
                       : field_ == Field::Offsets ? &seen_offsets_
                                                  : nullptr;
    if (!seen) {
      fault("it states " + quoted(name) + ", and an entry states 'dtype', 'shape' and 'data_offsets' alone.");
    } else if (std::exchange(*seen, true)) {
      fault("it states " + quoted(name) + " twice.");
    }
  }

  void entry_value(JsonPiece piece) {
    const bool fits = piece == JsonPiece::Object || (in_metadata_ && piece == JsonPiece::Null);
    if (fits) return;
    fault(in_metadata_ ? "'__metadata__' is neither null nor an object of texts."
                       : "it is no object of 'dtype', 'shape' and 'data_offsets'.");
  }

  void metadata_value(int depth, JsonPiece piece, std::string* text) {
    if (depth > 2 || piece != JsonPiece::Text) {
      return fault("'__metadata__' holds " + quoted(metadata_key_) + ", whose value is no text.");
    }
    header_.metadata.emplace_back(metadata_key_, std::move(*text));
  }

  void field_value(JsonPiece piece, std::string* text) {
    switch (field_) {
      case Field::Dtype:
        if (piece != JsonPiece::Text) return fault("its 'dtype' is no text.");
        entry_.kind = kind_named(*text);
        if (!entry_.kind) fault("its 'dtype' is " + quoted(*text) + ", and safetensors has no such kind.");
        return;
      case Field::Shape:
        if (piece != JsonPiece::Array) fault("its 'shape' is no list of whole numbers.");
        return;
      case Field::Offsets:
        if (piece != JsonPiece::Array) fault("its 'data_offsets' are no list of two whole numbers.");
        return;
      default:
        return;
    }
  }

  void item_value(int depth, JsonPiece piece, uint64_t number) {
    const bool is_length = piece == JsonPiece::Whole && number <= uint64_t{std::numeric_limits<int64_t>::max()};
    if (field_ == Field::Shape) {
      if (depth != 3 || !is_length) return fault("its 'shape' is no list of whole numbers of at least 0.");
      if (entry_.lengths.size() == kMostAxes) {
        return fault("its 'shape' has more than " + std::to_string(kMostAxes) + " axes.");
      }
      entry_.lengths.push_back(static_cast<int64_t>(number));
    } else if (field_ == Field::Offsets) {
      if (depth != 3 || !is_length || offsets_ == 2) return fault("its 'data_offsets' are no two whole numbers.");
      (offsets_++ == 0 ? entry_.begin : entry_.end) = number;
    }
  }

  void end_entry() {
    if (in_metadata_) return;
    if (!has_dtype_ || !has_shape_ || !seen_offsets_) {
      fault("it states no '" +
            std::string(!has_dtype_   ? "dtype"
                        : !has_shape_ ? "shape"
                                      : "data_offsets") +
            "', and an entry states 'dtype', 'shape' and 'data_offsets'.");
    } else if (offsets_ != 2) {
      fault("its 'data_offsets' are no two whole numbers.");
    }
    if (!faulty_) header_.tensors.push_back(std::move(entry_));
  }

  Header& header_;
  StatedTensor entry_;
  Field field_ = Field::None;
  bool in_metadata_ = false, faulty_ = false;
  bool has_dtype_ = false, has_shape_ = false, seen_offsets_ = false;
  int offsets_ = 0;
  std::string metadata_key_;
  std::set<std::string> names_, keys_;  // not hashed, so that no choice of names slows it
};

}  // namespace

Header parse_header(std::string_view json) {
  Header header;
  HeaderListener listener(header);
  walk_json_object(json, "header", listener);
  return header;
}

}  // namespace causeway::formats::safetensors
