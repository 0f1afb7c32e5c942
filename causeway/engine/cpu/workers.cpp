#include "causeway/engine/cpu/workers.h"

namespace causeway::engine::cpu {

Workers::Workers(size_t count) {
  for (size_t worker = 1; worker < count; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
}

Workers::~Workers() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  asked_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(size_t pieces, Piece work, const void* job) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ = work;
    job_ = job;
    pieces_ = pieces;
    next_ = 0;
    busy_ = threads_.size();
    ++asked_times_;
  }
  asked_.notify_all();
  take(0);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void Workers::take(size_t worker) {
  for (size_t piece = next_++; piece < pieces_; piece = next_++) work_(job_, worker, piece);
}

void Workers::serve(size_t worker) {
  size_t served = 0;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      asked_.wait(lock, [&] { return ends_ || asked_times_ != served; });
      if (ends_) return;
      served = asked_times_;
    }
    take(worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace causeway::engine::cpu
