#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/model_plan.h"

namespace causeway::formats::keras {

/// Which of a layer's numbers is asked for: an archive counts them, an .h5 names them.
struct NumberName {
  std::string inner;     ///< Of a layer inside the layer: "cell", "forward_layer/cell"; "" for its own.
  size_t index = 0;      ///< In an archive: vars/0, vars/1 …
  std::string variable;  ///< In an .h5: "kernel", "bias".
};

/// The datasets of a file by the layers whose numbers they are. Layers are told by their names, never by order.
class FileNumbers {
 public:
  /// Faults about names and groups are gathered.
  FileNumbers(const KerasFile& file, const ModelPlan& plan, std::vector<Fault>& faults);

  /// The dataset that holds a number of the layer at that path; none where the file lacks it.
  std::optional<Hdf5Object> take(const std::string& layer_path, const NumberName& name);
  /// Whether the layer has such a number; it is not taken.
  bool has(const std::string& layer_path, const NumberName& name) const;
  /// The names of a layer's inner layers that have numbers in an .h5, in their order; "" for the layer's own.
  std::set<std::string> inners(const std::string& layer_path) const;
  /// Leaves a layer's numbers out of left_over(): it was refused, so nobody knows which it has.
  void pass_over(const std::string& layer_path);
  /// The paths of datasets that nothing took: numbers of no slot.
  std::vector<std::string> left_over() const;

 private:
  void index_archive(const Hdf5Object& group, const ModelPlan& plan);
  void index_h5(const ModelPlan& plan);
  void index_weight(const Hdf5Object& top, const std::string& name,
                    const std::vector<std::vector<std::string>>& layers);
  std::string key_of(const std::string& layer_path, const NumberName& name) const;
  void refuse(const std::string& path, std::string what) { faults_.push_back({file_.place_of(path), std::move(what)}); }
  void gather(const Hdf5Object& object);

  const KerasFile& file_;
  std::vector<Fault>& faults_;
  std::map<std::string, std::string> groups_;   // an archive's: layer path to its group's path
  std::map<std::string, std::string> weights_;  // an .h5's: key to dataset path
  std::set<std::string> datasets_;              // that hold numbers of the network
};

/// "dense", "conv2d_transpose", "p_re_lu": the name Keras makes of a class.
std::string snake_case(const std::string& class_name);

}  // namespace causeway::formats::keras
