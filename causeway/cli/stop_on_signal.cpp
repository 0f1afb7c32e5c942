#include "causeway/cli/stop_on_signal.h"

#include <pthread.h>

namespace causeway::cli {
namespace {

/// Wakes the waiting thread; nobody else heeds it, and it does nothing where it is not awaited.
constexpr int kWake = SIGURG;

}  // namespace

// A handler may hardly do anything; a thread that waits for the signal may do everything.
StopOnSignal::StopOnSignal() {
  sigemptyset(&awaited_);
  for (const int signal : {SIGINT, SIGTERM, kWake}) sigaddset(&awaited_, signal);
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  waiter_ = std::thread([this] { wait(); });
}

StopOnSignal::~StopOnSignal() {
  over_ = true;
  pthread_kill(waiter_.native_handle(), kWake);
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void StopOnSignal::wait() {
  int signal = 0;
  sigwait(&awaited_, &signal);
  if (over_) return;
  source_.request_stop();
  // From here on a further one does what it always does.
  sigset_t again = awaited_;
  sigdelset(&again, kWake);
  pthread_sigmask(SIG_UNBLOCK, &again, nullptr);
  sigset_t wake;
  sigemptyset(&wake);
  sigaddset(&wake, kWake);
  while (!over_) sigwait(&wake, &signal);
}

}  // namespace causeway::cli
