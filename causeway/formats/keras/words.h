#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"

namespace causeway::formats::keras {

/// The settings of one layer, read key by key. A value that does not fit is refused where it is read, and the default
/// goes on in its place; a key that nothing asked for is refused at the end, so that nothing in a file is passed over.
class Words {
 public:
  using Refuse = std::function<void(std::string what)>;
  Words(const Json& config, Refuse refuse) : config_(config), refuse_(std::move(refuse)) {}

  /// The value of a key, which counts as read from now on; null where it is absent or JSON's null.
  const Json* find(std::string_view key);
  bool has(std::string_view key) { return find(key) != nullptr; }

  int64_t integer(std::string_view key, int64_t otherwise, int64_t least);
  /// One that must be there.
  int64_t count(std::string_view key) { return integer(key, kRequired, 1); }
  float real(std::string_view key, float otherwise);
  bool boolean(std::string_view key, bool otherwise);
  std::string text(std::string_view key, std::string otherwise);
  /// One of these words.
  std::string word(std::string_view key, std::string otherwise, const std::vector<std::string_view>& known);
  /// A number for all of `axes` axes, or a list of one for each.
  std::vector<int64_t> per_axis(std::string_view key, int64_t otherwise, size_t axes, int64_t least);
  /// A whole number or a list of them.
  std::vector<int64_t> integers(std::string_view key, std::vector<int64_t> otherwise);

  /// Keys that change no answer.
  void ignore(std::initializer_list<std::string_view> keys);
  /// Refuses any value but null, false or an absent one, with the reason.
  void only_off(std::string_view key, std::string_view reason);

  /// Refuses every key that was not read.
  void finish();

  void refuse(std::string what) const { refuse_(std::move(what)); }
  const Json& json() const { return config_; }

  static constexpr int64_t kRequired = INT64_MIN;

 private:
  void refuse_kind(std::string_view key, const Json& value, std::string_view expected) const;
  bool read_list(std::string_view key, const Json& value, std::vector<int64_t>& into) const;

  const Json& config_;
  Refuse refuse_;
  std::set<std::string, std::less<>> read_;
};

/// A JSON value as a message shows it: short, escaped.
std::string shown(const Json& value);

}  // namespace causeway::formats::keras
