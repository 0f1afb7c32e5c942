#pragma once

#include "causeway/formats/importer.h"

namespace causeway::formats {

/// Gives a network that was read the losses its reader was asked for, in place of its own. Refused: an output that is
/// not there, a loss without an output where there are several, and what nn::give_loss() finds.
void give_losses(SavedNetwork& saved, const ReadOptions& options);

}  // namespace causeway::formats
