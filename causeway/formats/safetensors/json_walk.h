#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace causeway::formats::safetensors {

/// What a JSON value is, as far as a header or an index tells kinds apart. Whole: a number without sign, point or
/// exponent that fits 64 bits.
enum class JsonPiece { Object, Array, Null, Whole, Text, Other };

/// Hears a JSON text piece by piece, so that nothing is kept but what the listener keeps. `depth` is the number of
/// objects and lists around the piece.
class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void key(int depth, std::string& name) = 0;
  /// A value, or the beginning of an object or a list; `text` is null unless it is a Text.
  virtual void value(int depth, JsonPiece piece, uint64_t number, std::string* text) = 0;
  /// The end of an object or a list at that depth.
  virtual void end(int depth) = 0;
};

/// Refused (with that `where`)    what is no JSON object, no UTF-8, nests deeper than 32, or has more than space around it.
void walk_json_object(std::string_view text, const std::string& where, JsonListener& listener);

}  // namespace causeway::formats::safetensors
