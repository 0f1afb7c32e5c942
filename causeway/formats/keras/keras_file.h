#pragma once

// formats/keras/ reads what Keras saved, as .keras and as full-model .h5: keras_file opens the containers, model_plan
// understands which layer is called on what, layer_table and layers/ know each class, numbers matches the file's
// datasets with slots, and keras.h is the door. Containers themselves (zip, HDF5) are in formats/.

#include <optional>
#include <string>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/hdf5.h"

namespace causeway::formats::keras {

/// What a file of Keras's says and holds, before any of it is understood.
struct KerasFile {
  bool is_archive = false;  ///< .keras; else a full-model .h5.
  std::string version;      ///< Of the Keras that wrote it: "3.15.1".
  int major_version = 3;
  Json model;                  ///< {class_name, config, …}.
  Json compiled;               ///< compile_config or training_config; null where the model was never compiled.
  bool has_optimizer = false;  ///< Whether an optimizer's state is left behind.
  Hdf5File numbers;

  /// Where the words stand: "config.json" or "model_config".
  const char* words_place() const { return is_archive ? "config.json" : "model_config"; }
  /// The place of a dataset or group, as messages say it: "model.weights.h5, layers/dense/vars/0" in an archive,
  /// "/model_weights/dense/dense/kernel" in an .h5.
  std::string place_of(const std::string& path) const;
};

/// Whether the content is an archive of Keras's or an HDF5 file.
bool looks_like_keras(const ByteSource& source);

/// Refused    a container that is broken; an archive of Keras 2; a file of numbers alone; JSON that is none, has a key
///            twice, or is more than 200 deep.
KerasFile open_keras(const ByteSource& source, bool mapped);

/// A list of names that HDF5 may have split over name0, name1, …, each at most 64,512 bytes.
std::vector<std::string> split_texts(const Hdf5Object& object, const std::string& attribute);

}  // namespace causeway::formats::keras
