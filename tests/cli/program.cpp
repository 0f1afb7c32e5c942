#include "tests/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/support/files.h"

extern char** environ;

namespace causeway::tests {

namespace {

// Started, with stdout and stderr at paths; 0 where it cannot be.
pid_t started(const std::vector<std::string>& words, const std::string& out, const std::string& err) {
  std::string program = CAUSEWAY_PROGRAM;
  std::vector<std::string> copies = words;
  std::vector<char*> arguments{program.data()};
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (out.empty()) {
    posix_spawn_file_actions_addclose(&files, 1);
  } else {
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  }
  posix_spawn_file_actions_addopen(&files, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) ADD_FAILURE() << program << " cannot be run.";
  return failed == 0 ? child : 0;
}

// A signal that ended it is no exit code.
int exit_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Ran causeway(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  const pid_t child = started(words, out, err);
  if (child == 0) return {};
  const int exit = exit_of(child);
  return {exit, bytes_of(out), bytes_of(err)};
}

Ran causeway_into(const std::string& path, const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string err = folder.file("err");
  const pid_t child = started(words, path, err);
  if (child == 0) return {};
  const int exit = exit_of(child);
  return {exit, "", bytes_of(err)};
}

Ran causeway_until(const std::string& file, int signal, const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  const pid_t child = started(words, out, err);
  if (child == 0) return {};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, signal);
  const int exit = exit_of(child);
  return {exit, bytes_of(out), bytes_of(err)};
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false, open = false;
  for (const char letter : line) {
    if (letter == '\'') {
      inside = !inside;
      if (!open) words.emplace_back();
      open = true;
    } else if (letter == ' ' && !inside) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += letter;
    }
  }
  return words;
}

}  // namespace causeway::tests
