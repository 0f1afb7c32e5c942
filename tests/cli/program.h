#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace causeway::tests {

/// What a run of the program ended in.
struct Ran {
  int exit = -1;
  std::string out, err;
};

/// Runs build/…/causeway with these words, and waits for it.
Ran causeway(const std::vector<std::string>& words);

/// A line as a shell reads it, by spaces alone; '…' keeps spaces together.
std::vector<std::string> words_of(std::string_view line);

}  // namespace causeway::tests
