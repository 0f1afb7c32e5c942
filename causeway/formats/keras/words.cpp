#include "causeway/formats/keras/words.h"

#include <cmath>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::formats::keras {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;

std::string of_key(std::string_view key) { return "'" + std::string(key) + "' is "; }

}  // namespace

std::string shown(const Json& value) {
  if (value.is_text()) return quoted(value.text());
  // An object of Keras's: its class says enough.
  const Json* class_name = value.find("class_name");
  const Json* config = value.find("config");
  if (class_name != nullptr && class_name->is_text()) {
    const bool is_function = class_name->text() == "function" && config != nullptr && config->is_text();
    return quoted(is_function ? config->text() : class_name->text());
  }
  const std::string text = value.dump();
  constexpr size_t kMost = 80;
  return text.size() <= kMost ? escaped(text) : escaped(text.substr(0, kMost)) + "…";
}

void Words::refuse_kind(std::string_view key, const Json& value, std::string_view expected) const {
  refuse(of_key(key) + shown(value) + ", and " + std::string(expected) + " is read.");
}

const Json* Words::find(std::string_view key) {
  read_.emplace(key);
  const Json* value = config_.find(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

int64_t Words::integer(std::string_view key, int64_t otherwise, int64_t least) {
  const Json* value = find(key);
  if (value == nullptr) {
    if (otherwise != kRequired) return otherwise;
    refuse("'" + std::string(key) + "' is missing.");
    return least;
  }
  if (!value->is_integer()) {
    refuse_kind(key, *value, "a whole number");
  } else if (value->integer() < least || value->integer() >= kLargest) {
    refuse(of_key(key) + shown(*value) + ", and at least " + std::to_string(least) + " is read.");
  } else {
    return value->integer();
  }
  return otherwise == kRequired ? least : otherwise;
}

float Words::real(std::string_view key, float otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_number() && std::isfinite(static_cast<float>(value->number())))
    return static_cast<float>(value->number());
  refuse_kind(key, *value, "a number");
  return otherwise;
}

bool Words::boolean(std::string_view key, bool otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_bool()) return value->boolean();
  refuse_kind(key, *value, "true or false");
  return otherwise;
}

std::string Words::text(std::string_view key, std::string otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_text()) return value->text();
  refuse_kind(key, *value, "a text");
  return otherwise;
}

std::string Words::word(std::string_view key, std::string otherwise, const std::vector<std::string_view>& known) {
  const std::string found = text(key, otherwise);
  for (const std::string_view word : known) {
    if (found == word) return found;
  }
  std::string list;
  for (const std::string_view word : known) list += (list.empty() ? "" : ", ") + std::string(word);
  refuse(of_key(key) + quoted(found) + ", and " + list + (known.size() == 1 ? " is read." : " are read."));
  return otherwise;
}

bool Words::read_list(std::string_view key, const Json& value, std::vector<int64_t>& into) const {
  into.clear();
  for (const Json& item : value.items()) {
    if (!item.is_integer() || item.integer() >= kLargest || item.integer() <= -kLargest) {
      refuse_kind(key, value, "a list of whole numbers");
      return false;
    }
    into.push_back(item.integer());
  }
  return true;
}

std::vector<int64_t> Words::per_axis(std::string_view key, int64_t otherwise, size_t axes, int64_t least) {
  std::vector<int64_t> all(axes, otherwise == kRequired ? least : otherwise);
  const Json* value = find(key);
  if (value == nullptr) {
    if (otherwise == kRequired) refuse("'" + std::string(key) + "' is missing.");
    return all;
  }
  std::vector<int64_t> found;
  if (value->is_integer()) {
    found.assign(axes, value->integer());
  } else if (!value->is_array()) {
    refuse_kind(key, *value, "a whole number or a list of them");
    return all;
  } else if (!read_list(key, *value, found)) {
    return all;
  }
  if (found.size() == 1 && axes > 1 && value->is_array()) found.assign(axes, found.front());
  if (found.size() != axes) {
    refuse(of_key(key) + shown(*value) + ", and " + std::to_string(axes) + (axes == 1 ? " number is" : " numbers are") +
           " read.");
    return all;
  }
  for (const int64_t number : found) {
    if (number < least || number >= kLargest) {
      refuse(of_key(key) + shown(*value) + ", and numbers of at least " + std::to_string(least) + " are read.");
      return all;
    }
  }
  return found;
}

std::vector<int64_t> Words::integers(std::string_view key, std::vector<int64_t> otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_integer()) return {value->integer()};
  std::vector<int64_t> found;
  if (!value->is_array()) {
    refuse_kind(key, *value, "a whole number or a list of them");
    return otherwise;
  }
  return read_list(key, *value, found) ? found : otherwise;
}

void Words::ignore(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) read_.emplace(key);
}

void Words::only_off(std::string_view key, std::string_view reason) {
  const Json* value = find(key);
  if (value == nullptr || (value->is_bool() && !value->boolean())) return;
  refuse(of_key(key) + shown(*value) + ": " + std::string(reason));
}

void Words::finish() {
  if (!config_.is_object()) return;
  for (const auto& [key, value] : config_.members()) {
    if (!read_.contains(key)) refuse(quoted(key) + " is a setting that is not read.");
  }
}

}  // namespace causeway::formats::keras
