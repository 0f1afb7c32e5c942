#include "causeway/formats/onnx/model.h"

#include <algorithm>

namespace causeway::formats::onnx {

std::string full_op(const FileNode& node) { return node.domain.empty() ? node.op : node.domain + "." + node.op; }

const std::string* find(const Properties& properties, std::string_view key) {
  const auto at =
      std::find_if(properties.begin(), properties.end(), [&](const auto& each) { return each.first == key; });
  return at == properties.end() ? nullptr : &at->second;
}

}  // namespace causeway::formats::onnx
