#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace causeway::engine::cpu {

/// A small pool of threads that work one job's pieces together with the thread that asks. Which thread works a piece is
/// left to chance, so a piece's result may not depend on it.
class Workers {
 public:
  /// `count` in all: one is the thread that asks.
  explicit Workers(size_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  size_t count() const { return threads_.size() + 1; }

  using Piece = void (*)(const void* job, size_t worker, size_t piece);
  /// Works pieces 0 … `pieces` - 1; allocates nothing. `work` does not throw.
  void run(size_t pieces, Piece work, const void* job);

 private:
  void serve(size_t worker);
  void take(size_t worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable asked_, done_;
  // All but `next_` are written under the mutex.
  size_t asked_times_ = 0, busy_ = 0, pieces_ = 0;
  Piece work_ = nullptr;
  const void* job_ = nullptr;
  bool ends_ = false;
  std::atomic<size_t> next_ = 0;
};

}  // namespace causeway::engine::cpu
