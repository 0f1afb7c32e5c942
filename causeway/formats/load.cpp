#include "causeway/formats/load.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "causeway/base/quoted.h"

namespace causeway::formats {
namespace {

/// The first number that is not finite once it is a float32.
template <class Number, class AsFloat>
std::optional<int64_t> first_not_finite(std::span<const Number> numbers, const AsFloat& as_float) {
  // By blocks, so that the common case is a loop without a branch.
  constexpr size_t kBlock = 4096;
  for (size_t begin = 0; begin < numbers.size(); begin += kBlock) {
    const std::span<const Number> block = numbers.subspan(begin, std::min(kBlock, numbers.size() - begin));
    // With one added to its exponent, what is not finite reaches the sign's bit.
    constexpr uint32_t kWithoutSign = 0x7fffffff, kOneExponent = 0x00800000, kSign = 0x80000000;
    uint32_t reached = 0;
    for (const Number number : block)
      reached |= (std::bit_cast<uint32_t>(as_float(number)) & kWithoutSign) + kOneExponent;
    if ((reached & kSign) == 0) continue;
    for (size_t i = 0; i < block.size(); ++i) {
      if (!std::isfinite(as_float(block[i]))) return static_cast<int64_t>(begin + i);
    }
  }
  return std::nullopt;
}

struct NotFinite {
  int64_t place = 0;
  float value = 0;
};

std::optional<NotFinite> not_finite(const Tensor& tensor) {
  const auto find = [](auto numbers, const auto& as_float) -> std::optional<NotFinite> {
    const std::optional<int64_t> place = first_not_finite(numbers, as_float);
    if (!place) return std::nullopt;
    return NotFinite{*place, as_float(numbers[static_cast<size_t>(*place)])};
  };
  switch (tensor.dtype()) {
    case DType::Float32:
      return find(tensor.values<float>(), [](float number) { return number; });
    case DType::Float64:
      return find(tensor.values<double>(), [](double number) { return static_cast<float>(number); });
    case DType::Float16:
      return find(tensor.values<Half>(), [](Half number) { return widen(number); });
    case DType::BFloat16:
      return find(tensor.values<BFloat16>(), [](BFloat16 number) { return widen(number); });
    default:
      return std::nullopt;
  }
}

std::string place_text(int64_t place, const std::vector<int64_t>& lengths) {
  std::vector<int64_t> at(lengths.size(), 0);
  for (size_t axis = lengths.size(); axis-- > 0;) {
    at[axis] = place % lengths[axis];
    place /= lengths[axis];
  }
  return text_of(std::span<const int64_t>(at));
}

std::string text_of_not_finite(float value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

bool takes(const Slot& slot, DType dtype) {
  return dtype == slot.numbers.dtype() || (slot.numbers.dtype() == DType::Float32 && is_floating(dtype));
}

/// What is wrong with an entry as its slot's numbers; "" where nothing is.
std::string fault_of(const Entry& entry, const Slot& slot) {
  if (!entry.refused.empty()) return entry.refused;
  const std::string name = quoted(entry.path);
  if (!takes(slot, entry.numbers.dtype())) {
    return name + " holds " + std::string(name_of(entry.numbers.dtype())) + " in the file, and a slot here holds " +
           std::string(name_of(slot.numbers.dtype())) + ".";
  }
  const std::vector<int64_t> wanted = entry.turn.lengths_in_file(slot.numbers.lengths());
  if (entry.numbers.lengths() != wanted) {
    return name + " is " + text_of(std::span<const int64_t>(entry.numbers.lengths())) +
           " in the file, and its slot here is " + text_of(std::span<const int64_t>(wanted)) + ".";
  }
  if (const std::optional<NotFinite> found = not_finite(entry.numbers)) {
    return name + " holds " + text_of_not_finite(found->value) + " at " +
           place_text(found->place, entry.numbers.lengths()) + ", and a slot holds finite numbers.";
  }
  return "";
}

Tensor as_slot(const Entry& entry, DType dtype) {
  const Tensor turned = entry.turn.is_identity() ? entry.numbers : entry.turn.to_slot(entry.numbers);
  return turned.dtype() == dtype ? turned : turned.converted(dtype);
}

}  // namespace

void load(Network& network, std::span<const Entry> entries, std::vector<Fault> found_already) {
  std::vector<Fault> faults = std::move(found_already);
  std::map<const Slot*, const Entry*> taken;
  std::set<std::string_view> names;
  for (const Entry& entry : entries) {
    Slot* const slot = network.slots().find(entry.path);
    const std::string name = quoted(entry.path);
    if (!names.insert(entry.path).second) {
      faults.push_back({entry.where, name + " is written twice, and only one of the two could be read."});
      continue;
    }
    if (!slot || slot->role == Role::Constant) {
      faults.push_back({entry.where, entry.refused.empty() ? name + " is no slot of this network." : entry.refused});
      continue;
    }
    const auto [before, is_first] = taken.emplace(slot, &entry);
    std::string fault = fault_of(entry, *slot);
    if (!fault.empty()) {
      faults.push_back({entry.where, std::move(fault)});
    } else if (!is_first && fault_of(*before->second, *slot).empty() &&
               !as_slot(entry, slot->numbers.dtype()).same_bits(as_slot(*before->second, slot->numbers.dtype()))) {
      faults.push_back({entry.where, name + " holds other numbers than " + quoted(before->second->path) +
                                         ", and the two are one slot here."});
    }
  }
  for (size_t i = 0; i < network.slots().size(); ++i) {
    const Slot& slot = network.slots()[i];
    if (slot.role == Role::Constant || taken.count(&slot) != 0) continue;
    faults.push_back(
        {"slot " + quoted(slot.path), quoted(slot.path) + " is missing: every slot of the network is written once."});
  }
  refuse_if_any(std::move(faults));

  // Made before the first is assigned, so that running out of memory changes nothing either.
  std::vector<std::pair<Slot*, Tensor>> made;
  for (size_t i = 0; i < network.slots().size(); ++i) {
    Slot& slot = network.slots()[i];
    const auto found = taken.find(&slot);
    if (found != taken.end()) made.emplace_back(&slot, as_slot(*found->second, slot.numbers.dtype()));
  }
  for (auto& [slot, numbers] : made) slot->assign(std::move(numbers));
}

}  // namespace causeway::formats
