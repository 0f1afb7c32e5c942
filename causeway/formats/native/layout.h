#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace causeway::formats::native {

/// The version of the format that is written, and the newest that is read.
inline constexpr int64_t kVersion = 1;
/// What every key of the metadata but `format` begins with.
inline constexpr std::string_view kPrefix = "causeway.";
/// Documents that a file may hold beside the network and its losses, by the last part of their key.
inline constexpr std::array<std::string_view, 4> kDocuments{"history", "pipeline", "rows", "training"};

}  // namespace causeway::formats::native
