#include <causeway/base/fault.h>

#include <iostream>

int main() {
  try {
    throw causeway::Refused("the outside", "This is a refusal, made in a library that was installed.");
  } catch (const causeway::Refused& refused) {
    std::cout << refused.what() << '\n';
    return refused.faults().size() == 1 ? 0 : 1;
  }
}
