#include "causeway/train/setting_place.h"

namespace causeway::train {

const Json& setting_place(const Json& object, std::string_view sentence) {
  if (!object.is_object() || !sentence.starts_with('\'')) return object;
  const std::string_view name = sentence.substr(1, sentence.find('\'', 1) - 1);
  const Json* stated = object.find(name);
  return stated ? *stated : object;
}

}  // namespace causeway::train
