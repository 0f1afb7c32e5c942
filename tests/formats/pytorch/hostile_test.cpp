// Files that mean harm: whatever they say, reading them ends soon and within the memory they explain.

#include <gmock/gmock.h>
#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "causeway/formats/pytorch/containers.h"
#include "tests/formats/pytorch/archive_maker.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace {

// Every allocation of this program is counted, so that a test can say how much was held at once.
std::atomic<size_t> held_bytes{0}, most_held_bytes{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const size_t now = held_bytes += malloc_usable_size(memory);
  size_t most = most_held_bytes;
  while (now > most && !most_held_bytes.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void released(void* memory) {
  if (memory != nullptr) held_bytes -= malloc_usable_size(memory);
  free(memory);
}

}  // namespace

void* operator new(size_t size) { return counted(malloc(size)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  void* const memory = malloc(size);
  return memory == nullptr ? nullptr : counted(memory);
}
void* operator new(size_t size, std::align_val_t alignment) {
  const size_t to = static_cast<size_t>(alignment);
  return counted(aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* memory) noexcept { released(memory); }
void operator delete(void* memory, size_t) noexcept { released(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { released(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { released(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { released(memory); }

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::ArchiveMaker;
using tests::PickleMaker;
using tests::refusal_of;

constexpr size_t kMegabyte = size_t{1} << 20;

ByteSource source_of(std::string_view bytes) {
  return ByteSource::in_memory("memory", std::as_bytes(std::span(bytes.data(), bytes.size())));
}

ByteSource pickled(const std::string& pickle) { return source_of(ArchiveMaker().add("data.pkl", pickle).finish()); }

/// The most that is held during the call, beyond what was held before.
template <class Call>
size_t peak_of(const Call& call) {
  const size_t before = held_bytes;
  most_held_bytes = before;
  call();
  return most_held_bytes - before;
}

template <class Call>
double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(HostileTorchFile, EightyThousandKeysThatCollideInPythonTakeNoSecond) {
  PickleMaker pickle;
  pickle.op("}(");
  // Python's hash of a whole number is its rest by 2^61 - 1, so these all share one.
  constexpr int64_t kModulus = (int64_t{1} << 61) - 1;
  for (int64_t i = 0; i < 80'000; ++i) pickle.integer((i % 4) * kModulus + i / 4 * 4096).op("N");
  const ByteSource source = pickled(pickle.op("u").finish());
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(read_state(source).faults.size(), 80'000u); }), 1.0);
}

TEST(HostileTorchFile, OneLongTextAsAKeyAgainAndAgainIsComparedOnce) {
  PickleMaker pickle;
  const std::string name(kMegabyte, 'x');
  pickle.op("}").text(name).op("q\x01").op("N").op("s");
  for (int i = 0; i < 100'000; ++i) pickle.op("h\x01").op("N").op("s");
  const ByteSource source = pickled(pickle.finish());
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(read_state(source).faults.size(), 2u); }), 1.0);
}

TEST(HostileTorchFile, DictionariesThatHoldOneAnotherTwiceAreWalkedOnce) {
  constexpr char kDeep = 58;
  PickleMaker pickle;
  pickle.op("}(").text("all").op("(}q").op(std::string(1, '\0'));
  for (char i = 0; i < kDeep; ++i) {
    const std::string before(1, i), here(1, static_cast<char>(i + 1));
    pickle.op("}(").text("a").op("h").op(before).text("b").op("h").op(before).op("uq").op(here);
  }
  pickle.op("t").text("top").op("h").op(std::string(1, kDeep)).op("u");
  const ByteSource source = pickled(pickle.finish());
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(read_state(source).faults.size(), 2u); }), 1.0);
}

TEST(HostileTorchFile, ABombIsRefusedBeforeItInflates) {
  const std::string bomb(64 * kMegabyte, '\0');
  const ByteSource source = source_of(ArchiveMaker().add_deflated("data.pkl", bomb).finish());
  EXPECT_LT(source.size(), kMegabyte);
  EXPECT_LT(peak_of([&] { EXPECT_THAT(refusal_of([&] { read_state(source); }), ElementsAre(HasSubstr("data.pkl"))); }),
            4 * kMegabyte);
}

TEST(HostileTorchFile, AHundredViewsOfOneStorageTakeTheMemoryOfOne) {
  constexpr int64_t kCount = static_cast<int64_t>(kMegabyte) / 4;
  PickleMaker pickle;
  pickle.op("}(");
  for (int i = 0; i < 100; ++i) {
    pickle.text(std::to_string(i)).tensor("0", kCount, 0, {512, 512}, {1, 512});
  }
  const ByteSource source = source_of(
      ArchiveMaker().add("data.pkl", pickle.op("u").finish()).add("data/0", std::string(kMegabyte, '\0')).finish());
  EXPECT_LT(peak_of([&] {
              const StateDictionary state = read_state(source);
              EXPECT_EQ(state.tensors.size(), 100u);
              EXPECT_EQ(numbers_of(state.tensors[7]).size(), kCount);
            }),
            8 * kMegabyte);
}

/// Pickles that try to make much of few bytes.
struct Greedy {
  const char* name;
  std::string piece;  ///< Written a quarter of a million times.
};
const Greedy kGreedy[] = {
    {"nothing", "N"},
    {"dictionaries", "}"},
    {"lists", "]"},
    {"empty_tuples", ")"},
    {"tuples_of_one", "N\x85"},
    {"marks", "("},
    {"memo", "Nq\x01"},
    {"sets", "\x8f"},
    {"dictionaries_of_one", "}NNs"},
    {"lists_of_one", "]Na"},
    {"texts", std::string("X\0\0\0\0", 5)},
};
class GreedyPickle : public testing::TestWithParam<Greedy> {};
TEST_P(GreedyPickle, HoldsAtMostSixtyFourTimesItsBytes) {
  std::string pickle = "\x80\x02";
  for (int i = 0; i < 250'000; ++i) pickle += GetParam().piece;
  const ByteSource source = pickled(pickle);
  EXPECT_LT(peak_of([&] { refusal_of([&] { read_state(source); }); }), 64 * pickle.size() + kMegabyte);
}
INSTANTIATE_TEST_SUITE_P(Pickles, GreedyPickle, testing::ValuesIn(kGreedy),
                         [](const testing::TestParamInfo<Greedy>& row) { return std::string(row.param.name); });

TEST(HostileTorchFile, ANameOfTenMegabytesIsShownShort) {
  PickleMaker pickle;
  pickle.op("}").text(std::string(10 * kMegabyte, 'x')).op("Ns");
  const std::vector<Fault> faults = read_state(pickled(pickle.finish())).faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_LT(faults[0].what.size(), 400u);
}

class DamagedTorchFile : public testing::TestWithParam<const char*> {};
TEST_P(DamagedTorchFile, IsReadOrRefusedWhereverItIsCutOrFlipped) {
  const std::string good = tests::bytes_of(tests::fixture("pytorch/" + std::string(GetParam())));
  const auto read = [](std::string_view bytes) {
    try {
      const StateDictionary state = read_state(source_of(bytes));
      for (const StateTensor& tensor : state.tensors) {
        if (tensor.refused.empty() && is_readable(*tensor.kind)) numbers_of(tensor);
      }
      return true;
    } catch (const Refused&) {
      return false;
    }
  };
  ASSERT_TRUE(read(good));
  for (size_t length = 0; length < good.size(); ++length) EXPECT_FALSE(read(good.substr(0, length))) << length;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    read(flipped);
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, DamagedTorchFile, testing::Values("by_hand.pt", "deflated.pt", "before_1_6.pt"),
                         [](const testing::TestParamInfo<const char*>& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace causeway::formats::pytorch
