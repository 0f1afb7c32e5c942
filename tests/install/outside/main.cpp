#include <causeway/causeway.h>

#include <cmath>
#include <iostream>
#include <vector>

// Builds a network, answers with it, and is refused what cannot be.
int main() {
  const causeway::Network network = causeway::Sequential({14}).dense(16).relu().dense(1).build(/*seed=*/7);
  const causeway::Tensor answers = causeway::predict(causeway::SavedNetwork{.network = network},
                                                     causeway::Tensor::of({3, 14}, std::vector<float>(42, 0.5f)));
  std::cout << answers.lengths().size() << " axes, the first answer " << answers.number_at(0) << '\n';
  if (answers.lengths() != std::vector<int64_t>{3, 1} || !std::isfinite(answers.number_at(0))) return 1;
  try {
    causeway::read_model("not/there.onnx");
  } catch (const causeway::Refused& refused) {
    std::cout << refused.what() << '\n';
    return refused.faults().size() == 1 ? 0 : 1;
  }
  return 1;
}
