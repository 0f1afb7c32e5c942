#include "causeway/train/optimizer_list.h"

namespace causeway::train {
namespace {

template <class S>
constexpr OptimizerRow row() {
  return {S::kName,
          [](const Json& object, const std::string& where, const std::vector<std::string_view>& others,
             std::vector<Fault>& faults) {
            return Optimizer(nn::SettingReader(object, std::string(S::kName), where, faults).template read<S>(others));
          },
          [] { return Optimizer(S{}); }};
}

constexpr OptimizerRow kRows[] = {row<Adagrad>(), row<Adam>(),  row<Adamax>(),  row<AdamW>(),
                                  row<Lion>(),    row<NAdam>(), row<RmsProp>(), row<Sgd>()};

}  // namespace

std::span<const OptimizerRow> all_optimizers() { return kRows; }

}  // namespace causeway::train
