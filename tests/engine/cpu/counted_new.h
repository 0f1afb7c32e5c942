#pragma once

#include <functional>

namespace causeway::tests {

/// How often f allocates on this thread by any form of new.
int allocations_in(const std::function<void()>& f);

}  // namespace causeway::tests
