#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/tensor/dtype.h"

namespace causeway {

class Graph;

/// One setting of an op as it is printed, compared and written to a file: absent, a truth, a whole number, a real
/// number, a word, a list, or a graph (the body of an If or Loop).
using Setting = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<int64_t>,
                             std::vector<double>, std::shared_ptr<const Graph>>;

struct NamedSetting {
  std::string name;
  Setting value;

  friend bool operator==(const NamedSetting&, const NamedSetting&) = default;
};
using Settings = std::vector<NamedSetting>;

std::string setting_text(const Setting& setting);

/// An enum among an op's fields gives its words by `constexpr auto words_of(Enum)`, an array in the enum's order.
template <class T>
concept WordEnum = std::is_enum_v<T> && requires(T value) {
  words_of(value);
};

/// A struct among an op's fields that lists fields of its own (a window); they are named `outer.inner`.
template <class T>
concept FieldGroup = std::is_class_v<T> && requires {
  T::fields([](auto...) {});
};

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
Setting to_setting(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? to_setting(*value) : Setting{};
  } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, DType>) {
    return std::string(name_of(value));
  } else if constexpr (WordEnum<T>) {
    return std::string(words_of(value)[static_cast<size_t>(value)]);
  } else if constexpr (std::integral<T>) {
    return static_cast<int64_t>(value);
  } else if constexpr (std::floating_point<T>) {
    return static_cast<double>(value);
  } else if constexpr (IsVector<T>::value && std::integral<typename T::value_type>) {
    return std::vector<int64_t>(value.begin(), value.end());
  } else if constexpr (IsVector<T>::value && std::floating_point<typename T::value_type>) {
    return std::vector<double>(value.begin(), value.end());
  } else {
    static_assert(std::same_as<T, std::shared_ptr<const Graph>>, "a field of this type is no setting");
    return value;
  }
}

/// What a field of that type holds, for a message.
template <class T>
std::string kind_of_field() {
  if constexpr (IsOptional<T>::value) {
    return kind_of_field<typename T::value_type>();
  } else if constexpr (std::same_as<T, bool>) {
    return "true or false";
  } else if constexpr (std::same_as<T, std::string>) {
    return "a word";
  } else if constexpr (std::same_as<T, DType>) {
    return "a dtype";
  } else if constexpr (WordEnum<T>) {
    std::string words;
    for (const std::string_view word : words_of(T{})) words += (words.empty() ? "" : ", ") + std::string(word);
    return "one of " + words;
  } else if constexpr (std::integral<T>) {
    return "a whole number";
  } else if constexpr (std::floating_point<T>) {
    return "a number";
  } else if constexpr (IsVector<T>::value) {
    return "a list of numbers";
  } else {
    return "a graph";
  }
}

/// unfit() where the setting's kind is another.
template <class T>
void from_setting(const Setting& setting, T& value, std::string_view name) {
  const auto wrong = [&] {
    unfit("setting '" + std::string(name) + "' is " + setting_text(setting) + ", and " + kind_of_field<T>() +
          " is read there.");
  };
  if constexpr (IsOptional<T>::value) {
    if (std::holds_alternative<std::monostate>(setting)) {
      value.reset();
    } else {
      value.emplace();
      from_setting(setting, *value, name);
    }
  } else if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>) {
    const T* found = std::get_if<T>(&setting);
    found ? static_cast<void>(value = *found) : wrong();
  } else if constexpr (std::same_as<T, DType>) {
    const std::string* word = std::get_if<std::string>(&setting);
    const std::optional<DType> found = word ? dtype_named(*word) : std::nullopt;
    found ? static_cast<void>(value = *found) : wrong();
  } else if constexpr (WordEnum<T>) {
    const std::string* word = std::get_if<std::string>(&setting);
    const auto words = words_of(T{});
    for (size_t i = 0; word && i < words.size(); ++i) {
      if (words[i] == *word) {
        value = static_cast<T>(i);
        return;
      }
    }
    wrong();
  } else if constexpr (std::integral<T>) {
    const int64_t* found = std::get_if<int64_t>(&setting);
    if (!found || static_cast<int64_t>(static_cast<T>(*found)) != *found) wrong();
    value = static_cast<T>(*found);
  } else if constexpr (std::floating_point<T>) {
    if (const int64_t* whole = std::get_if<int64_t>(&setting)) {
      value = static_cast<T>(*whole);
    } else {
      const double* found = std::get_if<double>(&setting);
      found ? static_cast<void>(value = static_cast<T>(*found)) : wrong();
    }
  } else if constexpr (IsVector<T>::value && std::integral<typename T::value_type>) {
    const std::vector<int64_t>* found = std::get_if<std::vector<int64_t>>(&setting);
    if (!found) wrong();
    value.clear();
    for (const int64_t number : *found) {
      if (static_cast<int64_t>(static_cast<typename T::value_type>(number)) != number) wrong();
      value.push_back(static_cast<typename T::value_type>(number));
    }
  } else if constexpr (IsVector<T>::value && std::floating_point<typename T::value_type>) {
    value.clear();
    if (const std::vector<int64_t>* whole = std::get_if<std::vector<int64_t>>(&setting)) {
      for (const int64_t number : *whole) value.push_back(static_cast<typename T::value_type>(number));
    } else {
      const std::vector<double>* found = std::get_if<std::vector<double>>(&setting);
      if (!found) wrong();
      for (const double number : *found) value.push_back(static_cast<typename T::value_type>(number));
    }
  } else {
    static_assert(std::same_as<T, std::shared_ptr<const Graph>>, "a field of this type is no setting");
    const T* found = std::get_if<T>(&setting);
    found ? static_cast<void>(value = *found) : wrong();
  }
}

}  // namespace detail

/// Every field a struct lists in `fields(each)`, in order.
template <class S>
Settings settings_of(const S& from, const std::string& prefix = {}) {
  Settings all;
  if constexpr (requires { S::fields([](auto...) {}); }) {
    S::fields([&]<class Field>(std::string_view name, Field S::*field) {
      const std::string full = prefix + std::string(name);
      if constexpr (FieldGroup<Field>) {
        for (NamedSetting& inner : settings_of(from.*field, full + ".")) all.push_back(std::move(inner));
      } else {
        all.push_back({full, detail::to_setting(from.*field)});
      }
    });
  }
  return all;
}

namespace detail {

template <class S>
void fill_fields(S& into, Settings& left, const std::string& prefix) {
  if constexpr (requires { S::fields([](auto...) {}); }) {
    S::fields([&]<class Field>(std::string_view name, Field S::*field) {
      const std::string full = prefix + std::string(name);
      if constexpr (FieldGroup<Field>) {
        fill_fields(into.*field, left, full + ".");
      } else {
        for (auto at = left.begin(); at != left.end(); ++at) {
          if (at->name != full) continue;
          from_setting(at->value, into.*field, full);
          left.erase(at);
          return;
        }
      }
    });
  }
}

}  // namespace detail

/// The struct with those settings; a field that is not among them keeps its default. unfit() for a setting it does not
/// have or of another kind.
template <class S>
S with_settings(Settings settings) {
  S made;
  detail::fill_fields(made, settings, "");
  if (!settings.empty()) unfit("setting '" + settings.front().name + "' is none of this kind.");
  return made;
}

}  // namespace causeway
