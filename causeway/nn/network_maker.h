#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/graph/network.h"
#include "causeway/nn/layer.h"

namespace causeway::nn {

/// Draws the first numbers of slots, by the seed and each slot's path.
void draw_starts(Slots& slots, std::span<const SlotStart> starts, uint64_t seed);

/// Makes a network layer by layer. Words, modules and the Keras reader all build through it, so one layer is one thing
/// whatever it was read from. A layer that does not fit is a fault at its place, and what it makes is of unknown type, so
/// the layers behind it are still looked at.
class NetworkMaker {
 public:
  NetworkMaker();
  NetworkMaker(const NetworkMaker&) = delete;
  NetworkMaker& operator=(const NetworkMaker&) = delete;

  /// A door. `shape` holds the batch.
  Flow input(std::string name, DType dtype, Shape shape);
  /// Adds a layer under `path`; `where` is its place in a fault. What it makes beside its value (states) is named after
  /// `name`, its path unless stated.
  Flow add(const std::string& path, const Layer& layer, std::span<const Flow> from, const std::string& where,
           const std::string& name = {});
  /// Refused at once where the layers make more nodes than a network's may.
  /// Calls `make` in the scope of a layer that is no row of the table; its unfit() is a fault at `where`.
  Flow add(const std::string& path, std::string kind, const std::string& where,
           const std::function<Flow(LayerBuild&)>& make, const std::string& name = {});
  /// Gives a value the name by which layers below take it (`from`) or say it in a setting (`mask`). False, and nothing
  /// changed, where the name is taken.
  bool name(const std::string& name, const Flow& flow) { return named_.emplace(name, flow).second; }
  const NamedFlows& named() const { return named_; }
  /// Begins names of their own, for a network inside the network; gives those outside, for close_names().
  NamedFlows open_names() { return std::exchange(named_, {}); }
  void close_names(NamedFlows outside) { named_ = std::move(outside); }
  void output(std::string name, const Flow& flow);
  /// Holds every slot at or beneath a path, what is measured too: a held batch normalization keeps its statistics.
  void hold(std::string_view path);

  void fault(std::string where, std::string what) { faults_.push_back({std::move(where), std::move(what)}); }
  std::vector<Fault>& faults() { return faults_; }
  GraphBuilder& graph() { return *graph_; }
  Slots& slots() { return slots_; }

  /// The network with all numbers 0, and what they start from. Refused with every fault.
  struct Made {
    Network network;
    std::vector<SlotStart> starts;
  };
  Made finish() &&;

 private:
  Slots slots_;
  std::unique_ptr<GraphBuilder> graph_;
  NamedFlows named_;
  // Which layer made a slot, by path: the layer's path, and its place as a fault says it.
  struct Owner {
    std::string layer, where;
  };
  void own_slots(const std::string& layer, const std::string& where, size_t starts_before, size_t nodes_before);
  std::map<std::string, Owner, std::less<>> owners_;
  std::vector<SlotStart> starts_;
  std::vector<Fault> faults_;
};

/// What each axis of a door means, the batch first: "NC", "NLC", "NHWC" or "NDHWC"; "" for other ranks.
std::string channels_last_axes(size_t rank);

}  // namespace causeway::nn
