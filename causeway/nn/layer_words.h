#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/nn/network_maker.h"

namespace causeway::nn {

/// Reads the layers of a network's words into a maker, one below another; a layer takes the value of the one before it
/// unless it says otherwise. A network inside the network is read the same way under its own path, and the names in it
/// are its own.
class LayerWords {
 public:
  /// `where` is what the text is called in faults. The maker outlives this.
  LayerWords(NetworkMaker& maker, std::string where) : maker_(maker), where_(std::move(where)) {}

  /// Gives an input its name; a sole one is what the first layer takes unless it says another.
  void start(const std::string& name, const Flow& input, const Json& at);
  /// Reads the "layers" of an object.
  void read(const Json& network);

  /// What a name in the words means; a fault, and a value that fits everything, where nothing has it.
  Flow named(const Json& name);
  /// The value of the last layer; an empty one where nothing was read.
  const Flow& last() const { return last_; }

 private:
  // Where a layer is built, and the name under which those below know it: another where it is called again.
  struct Place {
    std::string path, name;
  };

  void say(const Json& at, std::string what);
  void read_layer(const Json& stated, const std::string& number);
  std::string name_of(const Json& name, const std::string& otherwise);
  std::string path_of(const std::string& name) const { return prefix_ + name; }
  Flow make(const Place& place, const Json& layer, const std::vector<Flow>& from);
  Flow make_one(const Place& place, const Json& settings, const Json& kind, std::span<const Flow> from,
                const std::vector<std::string_view>& others);
  Flow call_again(const Json& layer, const std::string& name);
  Flow read_inner(const Place& place, const Json& network, const std::vector<Flow>& from);
  std::vector<std::string> inner_inputs(const Json& network, size_t count);
  Flow unknown();
  std::vector<Flow> inputs_of(const Json& layer);
  // Whether a layer may stand at that path; a fault where another does.
  bool take_path(const std::string& path, const Json& at);
  void keep(const std::string& name, const Flow& flow, const Json& at);

  NetworkMaker& maker_;
  std::string where_, prefix_;
  // Names of the inputs of the network that is read.
  std::vector<std::string> inputs_;
  // What a layer without "from" takes; no value before the first layer where there are several inputs.
  Flow last_;
  // What each layer's words were, by path: for those that call it again.
  std::map<std::string, Json, std::less<>> stated_;
  // Where each path was taken first. A layer called again, with all in it, takes none.
  std::map<std::string, std::string, std::less<>> taken_;
  bool is_again_ = false;
  int depth_ = 0, layers_ = 0;
};

}  // namespace causeway::nn
