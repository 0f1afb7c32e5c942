#include "causeway/formats/given_losses.h"

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/lifting.h"

namespace causeway::formats {

void give_losses(SavedNetwork& saved, const ReadOptions& options) {
  std::map<std::string, StatedLoss, std::less<>> losses = options.losses;
  std::vector<Fault> faults;
  const std::span<const Door> outputs = saved.network.outputs();
  if (options.loss && outputs.size() == 1) {
    losses.insert_or_assign(outputs[0].name, *options.loss);
  } else if (options.loss) {
    faults.push_back({"loss", "the network has " + std::to_string(outputs.size()) +
                                  " outputs, and a loss is given without the output it belongs to."});
  }
  for (const auto& [output, loss] : losses) {
    if (!saved.network.graph().output(output)) {
      std::vector<std::string_view> names;
      for (const Door& door : outputs) names.push_back(door.name);
      faults.push_back(
          {"loss", quoted(output) + " is no output of this network, which has " + quoted_list(names) + "."});
    } else if (std::optional<Fault> fault = nn::give_loss(saved, output, loss.loss, loss.from_logits)) {
      faults.push_back(std::move(*fault));
    }
  }
  refuse_if_any(std::move(faults));
}

}  // namespace causeway::formats
