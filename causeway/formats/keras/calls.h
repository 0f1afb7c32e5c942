#pragma once

#include <functional>
#include <map>
#include <string>

#include "causeway/formats/keras/model_plan.h"

namespace causeway::formats::keras {

/// Reads what a layer of a Functional is called on, in the words of Keras 3 and of Keras 2.
class CallReader {
 public:
  CallReader(const std::map<std::string, size_t, std::less<>>& layers, const ModelPlan& plan)
      : layers_(layers), plan_(plan) {}

  /// One entry of `inbound_nodes`. Gives what does not fit, or "".
  std::string read(const Json& node, Call& call) const;
  /// [layer, call, output].
  bool read_triple(const Json& json, Made& made) const;

 private:
  std::string read_keras_2(const Json& node, Call& call) const;
  std::string argument(const Json& json, Argument& into, int depth) const;

  const std::map<std::string, size_t, std::less<>>& layers_;
  const ModelPlan& plan_;
};

/// Every value of other calls that a call reads, however deep in lists.
void for_each_made(const Call& call, const std::function<void(const Made&)>& each);

}  // namespace causeway::formats::keras
