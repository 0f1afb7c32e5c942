#include "causeway/cli/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

namespace causeway::cli {

void hold_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is the stream's own. Of stdout it is opened to be read alone: what is printed fails still.
    const int opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0) return;
  }
}

bool is_printed_whole() { return static_cast<bool>(std::cout.flush()); }

}  // namespace causeway::cli
