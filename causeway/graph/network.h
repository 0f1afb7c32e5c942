#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway {

class Network;

/// A layer, slot or scope of a network by its path, and all beneath it.
class LayerHandle {
 public:
  /// No gradient, no step, no decay, no bound, no penalty from now on.
  void hold() { set_held(true); }
  void release() { set_held(false); }
  /// Whether every learned slot beneath it is held.
  bool is_held() const;

 private:
  friend class Network;
  LayerHandle(Network& network, std::vector<std::string> slots) : network_(network), slots_(std::move(slots)) {}
  void set_held(bool held);
  Network& network_;
  std::vector<std::string> slots_;
};

/// What another room keeps beside a network for as long as its graph stands (compiled executables).
class Companion {
 public:
  virtual ~Companion() = default;
};

/// A graph and the slots it reads. Copies share numbers until one of them is written.
class Network {
 public:
  Network() = default;
  Network(Graph graph, Slots slots) : graph_(std::move(graph)), slots_(std::move(slots)) {}
  Network(const Network& other) : graph_(other.graph_), slots_(other.slots_) {}
  Network& operator=(const Network& other);
  Network(Network&&) noexcept = default;
  Network& operator=(Network&&) noexcept = default;

  const Graph& graph() const { return graph_; }
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }
  std::span<const Door> inputs() const { return graph_.inputs(); }
  std::span<const Door> outputs() const { return graph_.outputs(); }

  /// Refused where no slot or layer has that path.
  LayerHandle layer(std::string_view path);
  /// Paths of the slots at or beneath `path`.
  std::vector<std::string> slots_beneath(std::string_view path) const;
  bool has_path(std::string_view path) const;

  /// Another graph over the same slots (a pass's).
  void set_graph(Graph graph);

  /// The companion, made by `make` where there is none; any number of threads may ask. A copy of the network starts
  /// without one, and another graph ends it.
  std::shared_ptr<Companion> companion(const std::function<std::shared_ptr<Companion>()>& make) const;

 private:
  Graph graph_;
  Slots slots_;
  mutable std::shared_ptr<Companion> companion_;
};

/// Whether `path` is `above` or lies beneath it.
bool lies_beneath(std::string_view path, std::string_view above);

}  // namespace causeway
