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

using Key = std::tuple<std::string, std::string, std::string>;

std::string name_of_function(const FileFunction& function) {
  return quoted(function.domain.empty() ? function.name : function.domain + "." + function.name);
}

const Attribute* attribute_of(const std::vector<Attribute>& attributes, const std::string& name) {
  const auto at =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
  return at == attributes.end() ? nullptr : &*at;
}

class Inliner {
 public:
  explicit Inliner(FileModel& model) : model_(model), opsets_(std::make_shared<const Opsets>(model.opsets)) {
    for (const FileFunction& function : model.functions) {
      functions_.emplace(Key(function.domain, function.name, function.overload), &function);
    }
  }

  std::vector<PlannedNode> run() {
    std::map<std::string, int> times;
    for (const FileNode& node : model_.graph.nodes) ++times[node.name];
    for (FileNode& node : model_.graph.nodes) {
      const bool is_named = !node.name.empty() && times[node.name] == 1;
      add(std::move(node), opsets_, "", is_named);
    }
    return std::move(made_);
  }

 private:
  static std::string place_of(const FileNode& node, const std::string& outer, bool is_named) {
    const std::string name = is_named ? quoted(node.name) : std::to_string(node.place);
    return outer + "node " + name + " (" + escaped(full_op(node)) + ")";
  }

  void add(FileNode node, const std::shared_ptr<const Opsets>& opsets, const std::string& outer, bool is_named) {
    std::string where = place_of(node, outer, is_named);
    const auto function = functions_.find(Key(node.domain, node.op, node.overload));
    if (function != functions_.end() && !node.domain.empty()) return add_call(node, *function->second, where);
    if (made_.size() >= kMostNodes) {
      throw Refused("the file",
                    "with its functions written out it has more than " + std::to_string(kMostNodes) + " nodes.");
    }
    const auto opset = opsets->find(node.domain);
    made_.push_back({.node = std::move(node), .where = std::move(where)});
    made_.back().opset = opset == opsets->end() ? 0 : opset->second;
    made_.back().opsets = opsets;
  }

  void add_call(const FileNode& call, const FileFunction& function, const std::string& where) {
    if (std::find(open_.begin(), open_.end(), &function) != open_.end()) {
      std::string ring;
      for (auto at = std::find(open_.begin(), open_.end(), &function); at != open_.end(); ++at) {
        ring += name_of_function(**at) + ", ";
      }
      throw Refused(where, "functions call each other in a ring: " + ring + name_of_function(function) + ".");
    }
    open_.push_back(&function);
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
    open_.pop_back();
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
    for (int n = 2; !prefixes_.insert(prefix).second; ++n) prefix = name + "_" + std::to_string(n) + "/";
    return prefix;
  }

  FileModel& model_;
  std::shared_ptr<const Opsets> opsets_;
  std::map<Key, const FileFunction*> functions_;
  std::vector<const FileFunction*> open_;
  std::set<std::string> prefixes_;
  std::vector<PlannedNode> made_;
};

}  // namespace

std::vector<PlannedNode> inlined_nodes(FileModel& model) { return Inliner(model).run(); }

}  // namespace causeway::formats::onnx
