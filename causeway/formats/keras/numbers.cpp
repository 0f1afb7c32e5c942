#include "causeway/formats/keras/numbers.h"

#include <algorithm>

#include "causeway/base/quoted.h"

namespace causeway::formats::keras {
namespace {

constexpr char kBetween = '\x1f';  // stands in no name that HDF5 can hold beside a path

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// How many parts at the end are the same.
size_t common_end(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  size_t count = 0;
  while (count < a.size() && count < b.size() && a[a.size() - 1 - count] == b[b.size() - 1 - count]) ++count;
  return count;
}

}  // namespace

std::string snake_case(const std::string& class_name) {
  // Two passes, as Keras does it: before a capital that small letters follow, then between a small letter and a capital.
  std::string first, second;
  for (size_t i = 0; i < class_name.size(); ++i) {
    const bool begins = i > 0 && is_upper(class_name[i]) && i + 1 < class_name.size() && is_lower(class_name[i + 1]);
    if (begins && first.back() != '_') first += '_';
    first += class_name[i];
  }
  for (size_t i = 0; i < first.size(); ++i) {
    if (i > 0 && is_upper(first[i]) && is_lower(first[i - 1])) second += '_';
    second += is_upper(first[i]) ? static_cast<char>(first[i] - 'A' + 'a') : first[i];
  }
  return second;
}

FileNumbers::FileNumbers(const KerasFile& file, const ModelPlan& plan, std::vector<Fault>& faults)
    : file_(file), faults_(faults) {
  const Hdf5Object root = file.numbers.root();
  const std::optional<Hdf5Object> top = root.find(file.is_archive ? "layers" : "model_weights");
  if (!top || !top->is_group()) {
    refuse(file.is_archive ? "/layers" : "/model_weights", "the file has no such group, so it holds no numbers.");
    return;
  }
  gather(*top);
  if (file.is_archive) {
    index_archive(root, plan);
  } else {
    index_h5(plan);
  }
}

// The states of random generators lie beside a layer's numbers; they say how it was drawn in training.
void FileNumbers::gather(const Hdf5Object& object) {
  if (object.is_dataset()) datasets_.insert(object.path());
  for (const Hdf5Object& child : object.children()) {
    if (child.is_group() && child.name().rfind("seed_generator", 0) == 0) continue;
    gather(child);
  }
}

// A group's own name is a count of its class; the layer's name is an attribute of its `vars`. The earliest Keras 3 left
// the attribute out, and groups are counted as it did then.
void FileNumbers::index_archive(const Hdf5Object& group, const ModelPlan& plan) {
  const std::optional<Hdf5Object> layers = group.find("layers");
  if (!layers) return;
  std::map<std::string, Hdf5Object> by_name;
  size_t named = 0, groups = 0;
  for (const Hdf5Object& child : layers->children()) {
    const std::optional<Hdf5Object> vars = child.find("vars");
    if (!child.is_group() || !vars) continue;
    ++groups;
    if (!vars->has_attribute("name")) continue;
    ++named;
    const std::string name = vars->text("name");
    if (!by_name.emplace(name, child).second) {
      refuse(vars->path(), "two groups say that they are layer " + quoted(name) + ".");
    }
  }
  if (named == 0) {
    std::map<std::string, int> counts;
    for (const LayerPlan& layer : plan.layers) {
      const std::string word = snake_case(layer.class_name);
      const int count = counts[word]++;
      const std::string name = count == 0 ? word : word + "_" + std::to_string(count);
      if (const std::optional<Hdf5Object> child = layers->find(name)) by_name.emplace(layer.name, *child);
    }
  } else if (named != groups) {
    refuse(layers->path(), "some of its groups say the name of their layer and some do not.");
  }
  for (const LayerPlan& layer : plan.layers) {
    const auto found = by_name.find(layer.name);
    if (found == by_name.end()) continue;
    groups_.emplace(layer.path, found->second.path());
    if (layer.model) index_archive(found->second, *layer.model);
    const std::optional<Hdf5Object> inner = layer.wrapped ? found->second.find("layer") : std::nullopt;
    if (inner) index_archive(*inner, *layer.wrapped);
  }
}

namespace {

// Every layer of a model by the names that lead to it.
void name_layers(const ModelPlan& plan, const std::vector<std::string>& above,
                 std::vector<std::vector<std::string>>& layers) {
  for (const LayerPlan& layer : plan.layers) {
    std::vector<std::string> names = above;
    names.push_back(layer.name);
    if (layer.model || layer.wrapped) {
      name_layers(layer.model ? *layer.model : *layer.wrapped, names, layers);
    } else {
      layers.push_back(std::move(names));
    }
  }
}

std::string dotted(const std::vector<std::string>& names) {
  std::string path;
  for (const std::string& name : names) path += (path.empty() ? "" : ".") + name;
  return path;
}

}  // namespace

void FileNumbers::index_h5(const ModelPlan& plan) {
  const Hdf5Object top = *file_.numbers.root().find("model_weights");
  std::vector<std::string> names;
  try {
    names = split_texts(top, "layer_names");
  } catch (const Refused& refused) {
    faults_.insert(faults_.end(), refused.faults().begin(), refused.faults().end());
    datasets_.clear();  // nobody knows whose they are
    return;
  }
  std::map<std::string_view, const LayerPlan*> by_name;
  for (const LayerPlan& layer : plan.layers) by_name.emplace(layer.name, &layer);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    const std::optional<Hdf5Object> group = top.find(name);
    if (!group || !seen.insert(name).second) {
      refuse(top.path(),
             "'layer_names' says " + quoted(name) + (group ? " twice." : ", and the file has no such group."));
      continue;
    }
    std::vector<std::vector<std::string>> layers;
    const auto layer = by_name.find(name);
    if (layer != by_name.end() && (layer->second->model || layer->second->wrapped)) {
      name_layers(layer->second->model ? *layer->second->model : *layer->second->wrapped, {name}, layers);
    } else if (layer != by_name.end()) {
      layers.push_back({name});
    }
    try {
      for (const std::string& weight : split_texts(*group, "weight_names")) index_weight(*group, weight, layers);
    } catch (const Refused& refused) {
      faults_.insert(faults_.end(), refused.faults().begin(), refused.faults().end());
    }
  }
}

// "inner/dense/kernel:0": the last part is the variable, those before it end in the layer.
void FileNumbers::index_weight(const Hdf5Object& top, const std::string& name,
                               const std::vector<std::vector<std::string>>& layers) {
  const std::optional<Hdf5Object> dataset = top.find(name);
  if (!dataset || !dataset->is_dataset()) {
    refuse(top.path(), "'weight_names' says " + quoted(name) + ", and the file has no such dataset.");
    return;
  }
  std::vector<std::string> parts = parts_of(name);
  std::string variable = parts.back();
  parts.pop_back();
  if (variable.size() > 2 && variable.compare(variable.size() - 2, 2, ":0") == 0) variable.resize(variable.size() - 2);

  // What stands behind a layer's own name is a layer inside it (a bidirectional one's, an attention's).
  size_t longest = 0, fits = 0;
  std::string path, inner;
  for (const std::vector<std::string>& layer : layers) {
    std::vector<std::string> owner = parts;
    for (std::string behind; !owner.empty(); owner.pop_back()) {
      const size_t length = common_end(owner, layer);
      if (length > longest || (length == longest && length > 0)) {
        fits = length > longest ? 1 : fits + 1;
        longest = length;
        path = dotted(layer);
        inner = behind;
      }
      if (length > 0) break;
      behind = behind.empty() ? owner.back() : owner.back() + "/" + behind;
    }
  }
  if (fits != 1) {
    refuse(dataset->path(), fits == 0 ? quoted(name) + " is a number of no layer of this network."
                                      : quoted(name) + " is a number of more than one layer of this network.");
    datasets_.erase(dataset->path());
    return;
  }
  if (!weights_.emplace(path + kBetween + inner + kBetween + variable, dataset->path()).second) {
    refuse(dataset->path(), quoted(name) + " is written twice, and only one of the two could be read.");
    datasets_.erase(dataset->path());
  }
}

std::string FileNumbers::key_of(const std::string& layer_path, const NumberName& name) const {
  if (file_.is_archive) {
    const auto group = groups_.find(layer_path);
    if (group == groups_.end()) return {};
    return group->second + (name.inner.empty() ? "" : "/" + name.inner) + "/vars/" + std::to_string(name.index);
  }
  const auto found = weights_.find(layer_path + kBetween + name.inner + kBetween + name.variable);
  return found == weights_.end() ? std::string() : found->second;
}

bool FileNumbers::has(const std::string& layer_path, const NumberName& name) const {
  const std::string path = key_of(layer_path, name);
  return !path.empty() && datasets_.contains(path);
}

std::optional<Hdf5Object> FileNumbers::take(const std::string& layer_path, const NumberName& name) {
  const std::string path = key_of(layer_path, name);
  if (path.empty() || datasets_.erase(path) == 0) return std::nullopt;
  return file_.numbers.root().find(std::string_view(path).substr(1));
}

std::set<std::string> FileNumbers::inners(const std::string& layer_path) const {
  std::set<std::string> all;
  const std::string first = layer_path + kBetween;
  for (auto at = weights_.lower_bound(first); at != weights_.end() && at->first.compare(0, first.size(), first) == 0;
       ++at) {
    all.insert(at->first.substr(first.size(), at->first.rfind(kBetween) - first.size()));
  }
  return all;
}

void FileNumbers::pass_over(const std::string& layer_path) {
  const auto erase_below = [&](const std::string& folder) {
    for (auto at = datasets_.lower_bound(folder);
         at != datasets_.end() && at->compare(0, folder.size(), folder) == 0;) {
      at = datasets_.erase(at);
    }
  };
  if (const auto group = groups_.find(layer_path); group != groups_.end()) erase_below(group->second + "/");
  const std::string first = layer_path + kBetween;
  for (auto at = weights_.lower_bound(first); at != weights_.end() && at->first.compare(0, first.size(), first) == 0;
       ++at) {
    datasets_.erase(at->second);
  }
}

std::vector<std::string> FileNumbers::left_over() const { return {datasets_.begin(), datasets_.end()}; }

}  // namespace causeway::formats::keras
