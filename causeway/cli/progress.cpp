#include "causeway/cli/progress.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace causeway::cli {
namespace {

constexpr int kBarWidth = 24;
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

void show_progress(FitOptions& options) {
  if (isatty(STDERR_FILENO) == 0) return;
  const int epochs = options.epochs;
  options.on_step = [epochs](const StepReport& at) {
    // A hundred redraws an epoch are enough to look at.
    if (at.batch != at.batches && at.batch % std::max<int64_t>(1, at.batches / 100) != 0) return;
    const int done = static_cast<int>(kBarWidth * at.batch / at.batches);
    std::fprintf(stderr, "%sepoch %d/%d [", kClearLine, at.epoch, epochs);
    for (int i = 0; i < kBarWidth; ++i) std::fputc(i < done ? '=' : ' ', stderr);
    std::fprintf(stderr, "] loss %.6g", at.loss);
    std::fflush(stderr);
  };
  options.on_epoch = [epochs](const EpochRecord& epoch) {
    std::fprintf(stderr, "%sepoch %d/%d: loss %.6g", kClearLine, epoch.epoch, epochs, epoch.loss);
    if (epoch.validation_loss) std::fprintf(stderr, ", validation loss %.6g", *epoch.validation_loss);
    std::fputc('\n', stderr);
  };
}

}  // namespace causeway::cli
