#include "causeway/formats/pytorch/wrapping.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "causeway/base/quoted.h"

namespace causeway::formats::pytorch {
namespace {

constexpr int kMostParts = 16;  // of a prefix that is looked for: wrapping is never deeper
constexpr std::string_view kNew = ".parametrizations.";

/// The name without its ending; none where it ends otherwise or has nothing before.
std::optional<std::string> layer_before(const std::string& name, std::string_view ending) {
  if (name.size() <= ending.size() || !std::string_view(name).ends_with(ending)) return std::nullopt;
  return name.substr(0, name.size() - ending.size());
}

/// Names of a state dictionary, for looking up what stands beside one.
using Names = std::map<std::string_view, size_t>;

class ReparametrizationFinder {
 public:
  ReparametrizationFinder(const StateDictionary& state, const Slots& slots) : state_(state), slots_(slots) {
    for (size_t i = 0; i < state.tensors.size(); ++i) names_.emplace(state.tensors[i].name, i);
    found_.is_part.resize(state.tensors.size(), false);
  }

  Reparametrized run() {
    for (const StateTensor& tensor : state_.tensors) {
      if (slots_.find(tensor.name)) continue;
      if (const auto layer = layer_before(tensor.name, ".weight_orig"))
        spectral(*layer, {".weight_orig", ".weight_u", ".weight_v"});
      if (const auto layer = layer_before(tensor.name, ".parametrizations.weight.original")) {
        const bool is_spectral = has(*layer + ".parametrizations.weight.0._u");
        is_spectral ? spectral(*layer, {}) : other(*layer);
      }
    }
    for (const StateTensor& tensor : state_.tensors) {
      if (slots_.find(tensor.name)) continue;
      for (const auto& [g, v] : kHalves) {
        std::optional<std::string> layer = layer_before(tensor.name, g);
        if (!layer) layer = layer_before(tensor.name, v);
        if (layer && !done_.count(*layer)) weight_norm(*layer, *layer + std::string(g), *layer + std::string(v));
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr std::pair<std::string_view, std::string_view> kHalves[] = {
      {".weight_g", ".weight_v"}, {".parametrizations.weight.original0", ".parametrizations.weight.original1"}};

  bool has(const std::string& name) const { return names_.count(name) != 0; }
  void take(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) found_.is_part[found->second] = true;
  }
  /// Everything below the layer's parametrizations is part of what is refused.
  void take_all_below(const std::string& layer) {
    const std::string begin = layer + std::string(kNew);
    for (auto at = names_.lower_bound(begin); at != names_.end() && at->first.starts_with(begin); ++at) {
      found_.is_part[at->second] = true;
    }
  }

  void refuse(const std::string& layer, std::string fault) {
    if (!done_.emplace(layer, true).second) return;
    take_all_below(layer);
    found_.refused.push_back({layer, std::move(fault)});
  }

  void spectral(const std::string& layer, const std::vector<std::string_view>& parts) {
    for (const std::string_view part : parts) take(layer + std::string(part));
    refuse(layer, quoted(layer) +
                      " keeps its weight under spectral_norm, which is worked out anew at each training step. Call "
                      "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight') and save again.");
  }

  void other(const std::string& layer) {
    refuse(layer, quoted(layer) +
                      " keeps its weight under a parametrization, which is worked out anew at each use. Call "
                      "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight') and save again.");
  }

  void weight_norm(const std::string& layer, const std::string& g, const std::string& v) {
    const std::string plain = layer + ".weight";
    const std::string there = has(g) ? g : v, missing = has(g) ? v : g;
    take(g);
    take(v);
    if (!has(missing)) {
      return refuse(layer, quoted(there) + " is half of a weight under weight_norm, and " + quoted(missing) +
                               " is missing beside it.");
    }
    if (has(plain)) {
      take(plain);
      return refuse(layer, quoted(plain) + " stands beside " + quoted(g) + " and " + quoted(v) +
                               ", and only one of the two weights could be read.");
    }
    done_.emplace(layer, true);
    found_.weight_norms.push_back({layer, names_.at(g), names_.at(v)});
  }

  const StateDictionary& state_;
  const Slots& slots_;
  Names names_;
  std::map<std::string, bool, std::less<>> done_;
  Reparametrized found_;
};

}  // namespace

std::string common_prefix(const StateDictionary& state) {
  if (state.tensors.empty()) return "";
  std::string_view common = state.tensors.front().name;
  for (const StateTensor& tensor : state.tensors) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), tensor.name.begin(), tensor.name.end());
    common = common.substr(0, static_cast<size_t>(end - common.begin()));
  }
  return std::string(common.substr(0, common.rfind('.') + 1));
}

void strip_prefix(StateDictionary& state, std::string_view prefix) {
  std::string whole(prefix);
  if (whole.back() != '.') whole += '.';
  std::vector<StateTensor> kept;
  for (StateTensor& tensor : state.tensors) {
    if (tensor.name.starts_with(whole)) {
      tensor.name.erase(0, whole.size());
      kept.push_back(std::move(tensor));
    } else {
      state.faults.push_back(
          {"tensor " + quoted(tensor.name),
           quoted(tensor.name) + " does not begin with " + quoted(whole) + ", and stripping is asked of every name."});
    }
  }
  state.tensors = std::move(kept);
}

std::optional<std::string> prefix_in_the_way(const StateDictionary& state, const Slots& slots) {
  if (state.tensors.empty()) return std::nullopt;
  const auto matches_without = [&](size_t length) {
    return std::count_if(state.tensors.begin(), state.tensors.end(), [&](const StateTensor& tensor) {
      return slots.find(std::string_view(tensor.name).substr(length)) != nullptr;
    });
  };
  const std::string common = common_prefix(state);
  auto best = matches_without(0);
  std::optional<std::string> found;
  size_t dot = common.find('.');
  for (int parts = 0; parts < kMostParts && dot != std::string::npos; ++parts, dot = common.find('.', dot + 1)) {
    const std::string prefix = common.substr(0, dot + 1);
    bool is_on_a_slot = false;
    for (size_t i = 0; i < slots.size(); ++i) is_on_a_slot |= slots[i].path.starts_with(prefix);
    if (is_on_a_slot || matches_without(prefix.size()) <= best) continue;
    best = matches_without(prefix.size());
    found = prefix;
  }
  return found;
}

Reparametrized reparametrized(const StateDictionary& state, const Slots& slots) {
  return ReparametrizationFinder(state, slots).run();
}

Tensor normalized_weight(const StateTensor& g, const StateTensor& v) {
  for (const StateTensor* half : {&g, &v}) {
    if (!half->refused.empty()) unfit(half->refused);
    if (!is_readable(*half->kind)) {
      unfit(quoted(half->name) + " holds " + std::string(half->kind->torch_name) +
            " in the file, and a slot here holds float32.");
    }
  }
  const Tensor scale = numbers_of(g).converted(DType::Float64), direction = numbers_of(v).converted(DType::Float64);
  const auto long_axis = std::find_if(g.lengths.begin(), g.lengths.end(), [](int64_t length) { return length != 1; });
  const size_t axis = static_cast<size_t>(long_axis - g.lengths.begin());
  const bool is_scalar = long_axis == g.lengths.end();
  const bool fits =
      is_scalar ? scale.size() == 1
                : g.lengths.size() == v.lengths.size() && scale.size() == *long_axis && v.lengths[axis] == *long_axis;
  if (!fits) {
    unfit(quoted(g.name) + " is " + text_of(std::span<const int64_t>(g.lengths)) + " in the file, and " +
          quoted(v.name) + " is " + text_of(std::span<const int64_t>(v.lengths)) +
          ": one is no length for each row of the other.");
  }
  Tensor weight = Tensor::uninitialized(DType::Float32, v.lengths);
  if (weight.size() == 0) return weight;
  const size_t rows = is_scalar ? 1 : static_cast<size_t>(*long_axis);
  size_t inner = 1;
  for (size_t i = is_scalar ? 0 : axis + 1; i < v.lengths.size(); ++i) inner *= static_cast<size_t>(v.lengths[i]);
  const std::span<const double> from = direction.values<double>();
  const auto row_of = [&](size_t i) { return i / inner % rows; };
  std::vector<double> squares(rows, 0.0);
  for (size_t i = 0; i < from.size(); ++i) squares[row_of(i)] += from[i] * from[i];
  const std::span<float> to = weight.mutable_values<float>();
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t row = row_of(i);
    to[i] = static_cast<float>(from[i] * (scale.values<double>()[row] / std::sqrt(squares[row])));
  }
  return weight;
}

}  // namespace causeway::formats::pytorch
