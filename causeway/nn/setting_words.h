#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/graph/setting.h"
#include "causeway/graph/slot.h"
#include "causeway/nn/initializer.h"

namespace causeway::nn {

/// A setting over place axes: one number for every axis, or one an axis.
struct PerAxis {
  std::vector<int64_t> numbers;

  PerAxis() = default;
  PerAxis(int64_t number) : numbers{number} {}                      // NOLINT(google-explicit-constructor)
  PerAxis(int number) : numbers{number} {}                          // NOLINT(google-explicit-constructor)
  PerAxis(std::vector<int64_t> each) : numbers(std::move(each)) {}  // NOLINT(google-explicit-constructor)

  bool is_given() const { return !numbers.empty(); }
  /// One number an axis; unfit() for another count.
  std::vector<int64_t> over(size_t axes, std::string_view setting) const;
  friend bool operator==(const PerAxis&, const PerAxis&) = default;
};

/// Lengths, one or a list of them; null leaves one to what comes in.
struct OpenLengths {
  std::vector<std::optional<int64_t>> each;
  friend bool operator==(const OpenLengths&, const OpenLengths&) = default;
};

/// The border of a window: a word, or the cells on each side of each axis (one entry for every axis, or one an axis).
struct Padding {
  enum class Kind { Valid, Same, Causal, Stated };
  Kind kind = Kind::Valid;
  std::vector<std::pair<int64_t, int64_t>> sides = {};
  /// Two plain numbers: those of two axes, or before and after one axis.
  bool is_plain_pair = false;

  /// Before and after, an axis each, of a stated border; unfit() for a word or another count of axes.
  std::vector<std::pair<int64_t, int64_t>> over(size_t axes, std::string_view setting) const;

  static Padding same() { return {Kind::Same}; }
  static Padding causal() { return {Kind::Causal}; }
  static Padding stated(int64_t every) { return {Kind::Stated, {{every, every}}}; }
  friend bool operator==(const Padding&, const Padding&) = default;
};

/// max_norm: m of a constraint.
struct MaxNorm {
  std::optional<float> limit;
  friend bool operator==(const MaxNorm&, const MaxNorm&) = default;
};

/// Values above that a setting names: paths of layers, or inputs. LayerBuild::named() gives them.
struct ValueNames {
  std::vector<std::string> names;

  ValueNames() = default;
  ValueNames(std::string name) : names{std::move(name)} {}                     // NOLINT(google-explicit-constructor)
  ValueNames(const char* name) : names{name} {}                                // NOLINT(google-explicit-constructor)
  ValueNames(std::vector<std::string> several) : names(std::move(several)) {}  // NOLINT(google-explicit-constructor)
  friend bool operator==(const ValueNames&, const ValueNames&) = default;
};

/// A struct among settings that has settings of its own, and is written as an object.
template <class T>
concept SettingGroup = requires {
  T::settings([](auto...) {});
};

// How each type of setting is read from JSON (unfit() for another kind, saying what is read) and written.
void read_setting(const Json& json, bool& into);
void read_setting(const Json& json, int64_t& into);
void read_setting(const Json& json, int& into);
void read_setting(const Json& json, uint64_t& into);
void read_setting(const Json& json, float& into);
void read_setting(const Json& json, double& into);
void read_setting(const Json& json, std::string& into);
void read_setting(const Json& json, std::vector<int64_t>& into);
/// One number, or a list of them.
void read_setting(const Json& json, std::vector<float>& into);
void read_setting(const Json& json, std::vector<double>& into);
void read_setting(const Json& json, OpenLengths& into);
void read_setting(const Json& json, PerAxis& into);
void read_setting(const Json& json, Padding& into);
void read_setting(const Json& json, Initializer& into);
void read_setting(const Json& json, Penalty& into);
void read_setting(const Json& json, MaxNorm& into);
void read_setting(const Json& json, ValueNames& into);
/// The number of the word that stands there, from 0; unfit() for any other, with the words.
size_t word_among(const Json& json, std::span<const std::string_view> words);
template <WordEnum T>
void read_setting(const Json& json, T& into) {
  into = static_cast<T>(word_among(json, words_of(T{})));
}
template <class T>
void read_setting(const Json& json, std::optional<T>& into) {
  if (json.is_null()) return into.reset();
  read_setting(json, into.emplace());
}

Json write_setting(bool value);
Json write_setting(int64_t value);
Json write_setting(int value);
Json write_setting(uint64_t value);
Json write_setting(float value);
Json write_setting(double value);
Json write_setting(const std::string& value);
Json write_setting(const std::vector<int64_t>& value);
Json write_setting(const std::vector<float>& value);
Json write_setting(const std::vector<double>& value);
Json write_setting(const OpenLengths& value);
Json write_setting(const PerAxis& value);
Json write_setting(const Padding& value);
Json write_setting(const Initializer& value);
Json write_setting(const Penalty& value);
Json write_setting(const MaxNorm& value);
Json write_setting(const ValueNames& value);
template <WordEnum T>
Json write_setting(T value) {
  return std::string(words_of(value)[static_cast<size_t>(value)]);
}
template <SettingGroup T>
Json write_setting(const T& value);
template <class T>
Json write_setting(const std::optional<T>& value) {
  return value ? write_setting(*value) : Json();
}

/// unfit() for a number below 0, such as what is added under a root.
void expect_not_negative(float number, std::string_view setting);

enum class Need { Optional, Required };

/// Fills a settings struct from the members of a JSON object; every fault has the place of its value. Members that no
/// field takes are faults with the nearest name, except those in `others`.
class SettingReader {
 public:
  SettingReader(const Json& object, std::string owner, std::string where, std::vector<Fault>& faults)
      : object_(object), owner_(std::move(owner)), where_(std::move(where)), faults_(faults) {}

  template <class S>
  S read(const std::vector<std::string_view>& others) {
    S made;
    fill(made, others);
    return made;
  }

  /// The same over what stands in `into`: a setting that is not given stays.
  template <class S>
  void fill(S& into, const std::vector<std::string_view>& others = {}) {
    S::settings([&]<class Field>(std::string_view name, Field S::*field, Need need = Need::Optional) {
      known_.push_back(name);
      const Json* given = object_.find(name);
      if (!given) {
        if (need == Need::Required)
          say(object_, "setting '" + std::string(name) + "' is missing, and " + owner_ + " needs it.");
        return;
      }
      try {
        read_field(*given, name, into.*field);
      } catch (const Unfit& unfit) {
        say(*given, "'" + std::string(name) + "' " + unfit.what());
      }
    });
    refuse_unknown(others);
  }

 private:
  template <class Field>
  void read_field(const Json& given, std::string_view name, Field& into) {
    if constexpr (SettingGroup<Field>) {
      expect_object(given);
      SettingReader(given, owner_ + "." + std::string(name), where_, faults_).fill(into);
    } else if constexpr (detail::IsOptional<Field>::value &&
                         requires { requires SettingGroup<typename Field::value_type>; }) {
      if (given.is_null()) return into.reset();
      read_field(given, name, into.emplace());
    } else {
      read_setting(given, into);
    }
  }
  static void expect_object(const Json& json);
  void say(const Json& at, std::string what);
  void refuse_unknown(const std::vector<std::string_view>& others);

  const Json& object_;
  std::string owner_, where_;
  std::vector<Fault>& faults_;
  std::vector<std::string_view> known_;
};

/// A place in a text behind where the text comes from: "net.json, line 3:14".
std::string place_in(const std::string& where, const Json& at);

/// The settings that differ from their defaults, or all, as members of a JSON object.
template <class S>
Json::Object written_settings(const S& settings, bool all = false) {
  Json::Object members;
  const S defaults;
  S::settings([&]<class Field>(std::string_view name, Field S::*field, Need need = Need::Optional) {
    if (all || need == Need::Required || !(settings.*field == defaults.*field)) {
      members.emplace_back(name, write_setting(settings.*field));
    }
  });
  return members;
}

template <SettingGroup T>
Json write_setting(const T& value) {
  return written_settings(value, /*all=*/true);
}

}  // namespace causeway::nn
