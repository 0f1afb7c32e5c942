#include "causeway/base/fault.h"
#include "causeway/engine/cpu/kernel.h"

namespace causeway::engine::cpu {

std::unique_ptr<Kernel> kernel_for(const Draft& draft, const Task& task) {
  if (std::unique_ptr<Kernel> kernel = reference_kernel(draft, task)) return kernel;
  throw Refused(task.origin ? passes::place_of(*task.origin) : "engine",
                "the cpu engine has no kernel for " + std::string(task.op.name()) + ".");
}

}  // namespace causeway::engine::cpu
