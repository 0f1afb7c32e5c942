#pragma once

// tests/support/ holds what the tests of several folders share: how a refusal is looked at, where fixtures lie, and a
// folder to write into.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "causeway/base/fault.h"

namespace causeway::tests {

/// Every fault of the refusal that the call ends in; a test failure and none when it ends in no refusal.
template <class Call>
std::vector<Fault> faults_of(const Call& call) {
  try {
    call();
  } catch (const Refused& refused) {
    return refused.faults();
  }
  ADD_FAILURE() << "Nothing is refused.";
  return {};
}

/// The same as lines, `where: what`.
template <class Call>
std::vector<std::string> refusal_of(const Call& call) {
  std::vector<std::string> lines;
  for (const Fault& fault : faults_of(call)) {
    lines.push_back(fault.where.empty() ? fault.what : fault.where + ": " + fault.what);
  }
  return lines;
}

/// The sentence of a rule that cannot be met, before anyone has added the place.
template <class Call>
std::string unfit_of(const Call& call) {
  try {
    call();
  } catch (const Unfit& unfit) {
    return unfit.what();
  }
  ADD_FAILURE() << "Nothing is unfit.";
  return {};
}

}  // namespace causeway::tests
