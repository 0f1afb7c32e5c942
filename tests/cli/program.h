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

/// The same with stdout at a path, or closed where that is "".
Ran causeway_into(const std::string& path, const std::vector<std::string>& words);

/// Runs it until a file is there, and sends it a signal then.
Ran causeway_until(const std::string& file, int signal, const std::vector<std::string>& words);

/// A line as a shell reads it, by spaces alone; '…' keeps spaces together.
std::vector<std::string> words_of(std::string_view line);

}  // namespace causeway::tests
