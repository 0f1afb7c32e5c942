#include "causeway/formats/safetensors/json_walk.h"

#include <nlohmann/json.hpp>

#include "causeway/base/fault.h"

namespace causeway::formats::safetensors {
namespace {

constexpr int kMostDepth = 32;

class Walk : public nlohmann::json_sax<nlohmann::json> {
 public:
  Walk(const std::string& where, JsonListener& listener) : where_(where), listener_(listener) {}

  bool start_object(size_t) override { return enter(JsonPiece::Object); }
  bool start_array(size_t) override { return enter(JsonPiece::Array); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(std::string& name) override {
    listener_.key(depth_, name);
    return true;
  }
  bool null() override { return say(JsonPiece::Null); }
  bool boolean(bool) override { return say(JsonPiece::Other); }
  bool number_integer(number_integer_t) override { return say(JsonPiece::Other); }
  bool number_unsigned(number_unsigned_t number) override { return say(JsonPiece::Whole, number); }
  bool number_float(number_float_t, const string_t&) override { return say(JsonPiece::Other); }
  bool string(std::string& text) override { return say(JsonPiece::Text, 0, &text); }
  bool binary(binary_t&) override { return say(JsonPiece::Other); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw Refused(where_, "from its byte " + std::to_string(position == 0 ? 0 : position - 1) + " on it is no JSON.");
  }

 private:
  bool say(JsonPiece piece, uint64_t number = 0, std::string* text = nullptr) {
    listener_.value(depth_, piece, number, text);
    return true;
  }

  bool enter(JsonPiece piece) {
    if (depth_ == kMostDepth) {
      throw Refused(where_, "its JSON nests deeper than " + std::to_string(kMostDepth) + ".");
    }
    say(piece);
    ++depth_;
    return true;
  }

  bool leave() {
    listener_.end(--depth_);
    return true;
  }

  const std::string& where_;
  JsonListener& listener_;
  int depth_ = 0;
};

}  // namespace

void walk_json_object(std::string_view text, const std::string& where, JsonListener& listener) {
  // Asked first because the library would step over a byte order mark, which neither format has.
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') throw Refused(where, "it is no JSON object.");
  Walk walk(where, listener);
  nlohmann::json::sax_parse(text.begin(), text.end(), &walk);
}

}  // namespace causeway::formats::safetensors
