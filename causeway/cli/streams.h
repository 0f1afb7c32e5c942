#pragma once

namespace causeway::cli {

/// Puts /dev/null where stdin, stdout or stderr is closed, so that no file opened later takes its number and what is
/// printed goes into it. Asked first of all.
void hold_streams();

/// Whether all that was printed reached stdout. Asked once, last.
bool is_printed_whole();

}  // namespace causeway::cli
