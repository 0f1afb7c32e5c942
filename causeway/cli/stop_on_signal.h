#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace causeway::cli {

/// While one lives, SIGINT and SIGTERM ask the token to stop instead of ending the program; a second one ends it. To be
/// made before the threads that work, which take over what it holds back.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();

  std::stop_source source_;
  sigset_t awaited_ = {}, before_ = {};
  std::atomic<bool> over_ = false;
  std::thread waiter_;
};

}  // namespace causeway::cli
