#include "causeway/formats/onnx/inline_functions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "causeway/base/quoted.h"

namespace causeway::formats::onnx {
namespace {

constexpr size_t kMostNodes = 100'000;
constexpr size_t kMostDeep = 64;

using Key = std::tuple<std::string, std::string, std::string>;

std::string name_of_function(const FileFunction& function) {
  return quoted(function.domain.empty() ? function.name : function.domain + "." + function.name);
}

const Attribute* attribute_of(const std::vector<Attribute>& attributes, const std::string& name) {
  const auto at =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
  return at == attributes.end() ? nullptr : &*at;
}

std::string place_of(const FileNode& node, const std::string& outer, bool is_named) {
  const std::string name = is_named ? quoted(node.name) : std::to_string(node.place);
  return outer + "node " + name + " (" + escaped(full_op(node)) + ")";
}

class Functions {
 public:
  explicit Functions(const std::vector<FileFunction>& functions) {
    for (const FileFunction& function : functions) {
      by_key_.emplace(Key(function.domain, function.name, function.overload), &function);
    }
  }

  /// The function a node calls; none where it is an op.
  const FileFunction* called_by(const FileNode& node) const {
    if (node.domain.empty()) return nullptr;
    const auto at = by_key_.find(Key(node.domain, node.op, node.overload));
    return at == by_key_.end() ? nullptr : at->second;
  }

 private:
  std::map<Key, const FileFunction*> by_key_;
};

// What a graph comes to with its functions written out, told before any of them is: each function is looked at once,
// graphs inside its nodes too. Refused: functions in a ring, too deep in each other, or too many nodes.
class Measure {
 public:
  explicit Measure(const Functions& functions) : functions_(functions) {}

  void expect_bounded(const FileGraph& graph) { size_of(graph.nodes, ""); }

 private:
  struct Size {
    size_t nodes = 0, height = 0;
  };

  Size size_of(const std::vector<FileNode>& nodes, const std::string& outer) {
    Size all;
    for (const FileNode& node : nodes) {
      add(all, {1, 0});
      if (const FileFunction* function = functions_.called_by(node)) add(all, size_of_call(node, *function, outer));
      for (const Attribute& attribute : node.attributes) {
        if (attribute.graph) add(all, size_of(attribute.graph->nodes, outer));
      }
    }
    return all;
  }

  static void add(Size& all, const Size& more) {
    all.nodes += more.nodes;
    all.height = std::max(all.height, more.height);
    if (all.nodes > kMostNodes) {
      throw Refused("the file", "with its functions written out it has more than " + std::to_string(kMostNodes) +
                                    " nodes and calls.");
    }
  }

  Size size_of_call(const FileNode& call, const FileFunction& function, const std::string& outer) {
    const std::string where = place_of(call, outer, !call.name.empty());
    expect_no_ring(function, where);
    const auto known = known_.find(&function);
    if (open_.size() + 1 + (known == known_.end() ? 0 : known->second.height) > kMostDeep) {
      throw Refused(where, "functions call each other more than " + std::to_string(kMostDeep) + " deep.");
    }
    Size size;
    if (known != known_.end()) {
      size = known->second;
    } else {
      open_.push_back(&function);
      size = size_of(function.nodes, "function " + name_of_function(function) + ", ");
      open_.pop_back();
      known_.emplace(&function, size);
    }
    ++size.height;
    return size;
  }

  void expect_no_ring(const FileFunction& function, const std::string& where) const {
    const auto first = std::find(open_.begin(), open_.end(), &function);
    if (first == open_.end()) return;
    std::string ring;
    for (auto at = first; at != open_.end(); ++at) ring += name_of_function(**at) + ", ";
    throw Refused(where, "functions call each other in a ring: " + ring + name_of_function(function) + ".");
  }

  const Functions& functions_;
  std::vector<const FileFunction*> open_;
  std::map<const FileFunction*, Size> known_;
};

class Inliner {
 public:
  explicit Inliner(FileModel& model)
      : model_(model), functions_(model.functions), opsets_(std::make_shared<const Opsets>(model.opsets)) {}

  std::vector<PlannedNode> run(bool is_body) {
    // A body was measured with the graph it stands in.
    if (!is_body) Measure(functions_).expect_bounded(model_.graph);
    std::map<std::string, int> times;
    for (const FileNode& node : model_.graph.nodes) ++times[node.name];
    for (FileNode& node : model_.graph.nodes) {
      const bool is_named = !node.name.empty() && times[node.name] == 1;
      add(std::move(node), opsets_, "", is_named);
    }
    return std::move(made_);
  }

 private:
  void add(FileNode node, const std::shared_ptr<const Opsets>& opsets, const std::string& outer, bool is_named) {
    std::string where = place_of(node, outer, is_named);
    if (const FileFunction* function = functions_.called_by(node)) return add_call(node, *function);
    const auto opset = opsets->find(node.domain);
    made_.push_back({.node = std::move(node), .where = std::move(where)});
    made_.back().opset = opset == opsets->end() ? 0 : opset->second;
    made_.back().opsets = opsets;
  }

  void add_call(const FileNode& call, const FileFunction& function) {
    const std::string prefix = free_prefix(call.name.empty() ? call.op : call.name);
    std::map<std::string, std::string> names;
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      names[function.inputs[i]] = i < call.inputs.size() ? call.inputs[i] : "";
    }
    std::vector<std::pair<std::string, std::string>> passed_through;
    for (size_t i = 0; i < function.outputs.size() && i < call.outputs.size(); ++i) {
      if (call.outputs[i].empty()) continue;
      const auto [at, is_new] = names.emplace(function.outputs[i], call.outputs[i]);
      if (!is_new) passed_through.emplace_back(at->second, call.outputs[i]);
    }
    const auto renamed = [&](const std::string& name) {
      if (name.empty()) return name;
      return names.try_emplace(name, prefix + name).first->second;
    };
    const auto opsets = std::make_shared<const Opsets>(function.opsets);
    for (FileNode node : function.nodes) {
      const bool is_named = !node.name.empty();
      for (std::string& name : node.inputs) name = renamed(name);
      for (std::string& name : node.outputs) name = renamed(name);
      resolve(node.attributes, call.attributes, function.defaults, renamed);
      if (node.metadata.empty()) node.metadata = call.metadata;
      add(std::move(node), opsets, "function " + name_of_function(function) + ", ", is_named);
    }
    for (const auto& [from, to] : passed_through) {
      FileNode identity{.op = "Identity", .inputs = {from}, .outputs = {to}};
      add(std::move(identity), opsets_, "function " + name_of_function(function) + ", ", false);
    }
  }

  using Rename = std::function<std::string(const std::string&)>;

  // An attribute that takes its value from the call's: from there, else the function's default, else it is absent. In
  // a graph among them the same holds, and its nodes see the function's values under their new names.
  static void resolve(std::vector<Attribute>& attributes, const std::vector<Attribute>& of_call,
                      const std::vector<Attribute>& defaults, const Rename& renamed) {
    std::vector<Attribute> resolved;
    for (Attribute& attribute : attributes) {
      if (attribute.graph) attribute.graph = resolved_body(*attribute.graph, of_call, defaults, renamed);
      if (attribute.from.empty()) {
        resolved.push_back(std::move(attribute));
        continue;
      }
      const Attribute* value = attribute_of(of_call, attribute.from);
      if (!value) value = attribute_of(defaults, attribute.from);
      if (!value) continue;
      resolved.push_back(*value);
      resolved.back().name = attribute.name;
    }
    attributes = std::move(resolved);
  }

  static std::shared_ptr<const FileGraph> resolved_body(const FileGraph& body, const std::vector<Attribute>& of_call,
                                                        const std::vector<Attribute>& defaults, const Rename& renamed) {
    std::set<std::string> own{""};
    for (const FileDoor& input : body.inputs) own.insert(input.name);
    for (const FileTensor& initializer : body.initializers) own.insert(initializer.name);
    for (const FileNode& node : body.nodes) own.insert(node.outputs.begin(), node.outputs.end());
    const Rename outside = [&](const std::string& name) { return own.count(name) ? name : renamed(name); };
    auto made = std::make_shared<FileGraph>(body);
    for (FileNode& node : made->nodes) {
      for (std::string& input : node.inputs) input = outside(input);
      resolve(node.attributes, of_call, defaults, outside);
    }
    for (FileDoor& output : made->outputs) output.name = outside(output.name);
    return made;
  }

  std::string free_prefix(const std::string& name) {
    std::string prefix = name + "/";
    // Each name goes on from the number it came to, or many calls of one name would take the square of their count.
    for (int& n = tried_.try_emplace(name, 1).first->second; !prefixes_.insert(prefix).second;) {
      prefix = name + "_" + std::to_string(++n) + "/";
    }
    return prefix;
  }

  FileModel& model_;
  const Functions functions_;
  std::shared_ptr<const Opsets> opsets_;
  std::set<std::string> prefixes_;
  std::map<std::string, int> tried_;
  std::vector<PlannedNode> made_;
};

}  // namespace

std::vector<PlannedNode> inlined_nodes(FileModel& model, bool is_body) { return Inliner(model).run(is_body); }

}  // namespace causeway::formats::onnx
