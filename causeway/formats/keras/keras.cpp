#include "causeway/formats/keras/keras.h"

#include <set>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/losses.h"
#include "causeway/formats/keras/model_builder.h"
#include "causeway/formats/keras/model_plan.h"
#include "causeway/formats/keras/numbers.h"
#include "causeway/formats/load.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/nn/network_maker.h"

namespace causeway::formats::keras {
namespace {

// A dataset that no slot took: the file and its words disagree, and nothing is passed over.
void refuse_left_over(const KerasFile& file, const FileNumbers& numbers, std::vector<Fault>& faults) {
  for (const std::string& path : numbers.left_over()) {
    faults.push_back({file.place_of(path), quoted(std::string_view(path).substr(1)) + " is no slot of this network."});
  }
}

// A layer that is not trained holds every slot under it, what a batch normalization measures too.
void hold(Slots& slots, const std::vector<std::string>& held) {
  const std::set<std::string_view> paths(held.begin(), held.end());
  for (size_t i = 0; i < slots.size(); ++i) {
    const std::string_view path = slots[i].path;
    for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
      if (paths.contains(path.substr(0, dot))) slots[i].held = true;
    }
  }
}

// A loss that a caller hands over takes the place of the file's for that output; the others keep theirs.
std::vector<OutputLoss> losses_of(const KerasFile& file, const ModelPlan& plan, const ReadOptions& options,
                                  std::vector<Fault>& faults, std::vector<std::string>& notes) {
  std::vector<OutputLoss> losses;
  std::set<std::string> handed_over;
  const auto take = [&](const std::string& output, const StatedLoss& stated) {
    losses.push_back({output, stated.loss, stated.from_logits});
    handed_over.insert(output);
  };
  for (const auto& [output, loss] : options.losses) take(output, loss);
  if (options.loss && plan.outputs.size() == 1) take(plan.outputs[0].name, *options.loss);
  if (options.loss && plan.outputs.size() > 1) {
    faults.push_back({"loss", "the network has " + std::to_string(plan.outputs.size()) +
                                  " outputs, and each loss is handed over by its output's name."});
  }
  const bool all_known = std::all_of(plan.outputs.begin(), plan.outputs.end(), [&](const ModelPlan::DoorPlan& output) {
    return handed_over.contains(output.name);
  });
  if (all_known) return losses;
  for (OutputLoss& stated : read_losses(file, plan, handed_over, faults, notes)) losses.push_back(std::move(stated));
  return losses;
}

// Takes each loss's activation off its output. A network with faults has ends that nobody knows.
void give_losses(SavedNetwork& saved, const std::vector<OutputLoss>& losses, const KerasFile& file,
                 std::vector<Fault>& faults) {
  if (!faults.empty()) return;
  for (const OutputLoss& each : losses) {
    std::optional<Fault> fault = nn::give_loss(saved, each.output, each.loss, each.from_logits);
    if (!fault) continue;
    fault->where = file.words_place() + (", " + fault->where);
    faults.push_back(std::move(*fault));
  }
}

}  // namespace

bool KerasImporter::claims(const ByteSource& source) const { return looks_like_keras(source); }

SavedNetwork KerasImporter::read(const ByteSource& source, const ReadOptions& options) const {
  const KerasFile file = open_keras(source, options.mapped);
  std::vector<Fault> faults;
  const ModelPlan plan = plan_model(file.model, file.words_place(), faults);
  if (plan.order.empty()) throw Refused(std::move(faults));

  SavedNetwork saved;
  saved.format = "keras";
  saved.producer = "Keras " + escaped(file.version);
  FileNumbers numbers(file, plan, faults);
  Slots slots;
  GraphBuilder graph(slots);
  Building building{file, graph, numbers, faults, saved.notes, options.dims};
  ModelBuilder builder(building);
  const Flows outputs = builder.build(plan, {}, false);
  for (Fault& fault : nn::unknown_lengths(options.dims, builder.open_lengths())) faults.push_back(std::move(fault));
  refuse_left_over(file, numbers, faults);
  const std::vector<OutputLoss> losses = losses_of(file, plan, options, faults, saved.notes);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Value value = builder.at_door(outputs[i]);
    const Shape& shape = value.shape();
    graph.output(plan.outputs[i].name, value, shape.has_rank() ? nn::channels_last_axes(shape.rank()) : "");
    if (outputs[i].mask) {
      saved.notes.push_back(
          "output " + quoted(plan.outputs[i].name) +
          " carries a mask of its steps: Keras leaves masked steps out of the loss, and training here "
          "counts them.");
    }
  }
  if (file.has_optimizer) saved.notes.push_back("the file holds the state of an optimizer, which is left behind.");

  Graph finished = std::move(graph).finish();
  saved.network = Network(std::move(finished), std::move(slots));
  hold(saved.network.slots(), building.held);
  give_losses(saved, losses, file, faults);
  load(saved.network, building.entries, std::move(faults));
  return saved;
}

}  // namespace causeway::formats::keras
