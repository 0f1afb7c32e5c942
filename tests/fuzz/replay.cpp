// Stands in for libFuzzer's main where a target runs as an ordinary test:
//
//   NAME_fuzz [FILE ...] [--damaged FILE ...]
//
// hands each file to the target, and those after --damaged also cut short and with a bit flipped: at every length and
// bit of a small file, at lengths and bits spread evenly over a larger one. Memory is limited, so that a file that
// claims more than it holds ends the test.

#include <sys/resource.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

#if defined(__SANITIZE_ADDRESS__)  // slow, and with addresses of its own that reach over terabytes
constexpr size_t kMostCuts = 2'000, kMostFlips = 8'000;
constexpr bool kLimitsMemory = false;
#else
constexpr size_t kMostCuts = 10'000, kMostFlips = 40'000;
constexpr bool kLimitsMemory = true;
#endif
constexpr rlim_t kMemoryBytes = rlim_t{2} << 30;

std::vector<uint8_t> bytes_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A copy of the exact size, so that the address sanitizer sees the first byte read past it.
void hand_over(std::vector<uint8_t> bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

void hand_over_damaged(const std::vector<uint8_t>& whole) {
  const size_t bits = whole.size() * 8;
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / kMostCuts) {
    hand_over({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
  }
  // The step is odd, so that each of a byte's bits has its turn.
  for (size_t bit = 0; bit < bits; bit += 1 + bits / kMostFlips / 2 * 2) {
    std::vector<uint8_t> flipped = whole;
    flipped[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    hand_over(std::move(flipped));
  }
}

void limit_memory() {
  const rlimit limit{kMemoryBytes, kMemoryBytes};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  if (kLimitsMemory) limit_memory();
  bool damaged = false;
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--damaged") {
      damaged = true;
      continue;
    }
    std::cout << argv[i] << std::endl;  // flushed, so that the last line names the file that crashes
    const std::vector<uint8_t> bytes = bytes_of(argv[i]);
    hand_over(bytes);
    if (damaged) hand_over_damaged(bytes);
    ++files;
  }
  std::cout << files << " files handed over\n";
  return files > 0 ? 0 : 1;
}
