#include "causeway/base/fault.h"

#include <gtest/gtest.h>

#include "causeway/base/check.h"

namespace causeway {
namespace {

TEST(Refused, SaysEveryFaultOnALineOfItsOwn) {
  const Refused refused(std::vector<Fault>{{"0.weight", "the first."}, {"", "the second."}});
  EXPECT_STREQ(refused.what(), "0.weight: the first.\nthe second.");
  EXPECT_EQ(refused.faults().size(), 2u);
}

TEST(Refused, IsThrownWhereThereIsAFaultAlone) {
  EXPECT_NO_THROW(refuse_if_any({}));
  EXPECT_THROW(refuse_if_any({{"here", "something."}}), Refused);
}

TEST(TextOf, ReadsBackTheSame) {
  EXPECT_EQ(text_of(0.1f), "0.1");
  EXPECT_EQ(text_of(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(text_of(1e300), "1e+300");
}

TEST(Check, ThrowsALogicErrorWithWhatMustHold) {
  EXPECT_NO_THROW(CAUSEWAY_CHECK(true, "it holds"));
  EXPECT_THROW(CAUSEWAY_CHECK(false, "it does not"), std::logic_error);
}

}  // namespace
}  // namespace causeway
