#pragma once

#include <string>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/formats/byte_source.h"

namespace causeway::cli {

/// What a .causeway file tells beside its network: "pipeline" (steps, answers, trained_behind), "history", and of a
/// checkpoint the "training" it goes on with; members that the file lacks are not there, and none are of other formats.
/// Refused: a pipeline or a history that is none, and a pipeline that is not the one the network was trained behind.
Json story_of(const formats::ByteSource& source);

/// The same as lines for people.
std::string story_text(const Json& story);

/// Columns as wide as their widest cell, a line a row.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

}  // namespace causeway::cli
