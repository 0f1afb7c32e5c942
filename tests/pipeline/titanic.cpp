#include "tests/pipeline/titanic.h"

#include <algorithm>

#include "causeway/base/sha256.h"

namespace causeway::pipeline {

std::string bytes_hash(const Tensor& tensor) {
  Sha256 hash;
  hash.add(tensor.bytes());
  return hex(hash.finish());
}

std::vector<std::string> ids_of(const Part& part) {
  std::vector<std::string> ids;
  for (size_t row = 0; row < part.rows(); ++row) ids.push_back(part.ids.at(0).cell(row));
  return ids;
}

std::string ids_hash(const Part& part) {
  std::vector<int64_t> ids;
  for (const std::string& id : ids_of(part)) ids.push_back(std::stoll(id));
  std::ranges::sort(ids);
  std::string text;
  for (const int64_t id : ids) text += std::to_string(id) + "\n";
  return hex(sha256(text));
}

}  // namespace causeway::pipeline
