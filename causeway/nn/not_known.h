#pragma once

#include <string_view>

namespace causeway::nn {

/// Said of a layer that is handed a value of which nothing is known. Behind a layer that was refused it is no news.
constexpr std::string_view kShapeNotKnown =
    "the shape of what is handed to it is not known, and its slots depend on it.";

}  // namespace causeway::nn
