#pragma once

#include "causeway/train/fit.h"

namespace causeway::cli {

/// Draws a bar on stderr while an epoch runs, where that is a terminal, and a line when it ends.
void show_progress(FitOptions& options);

}  // namespace causeway::cli
