#include "causeway/formats/keras/keras.h"

#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/model_builder.h"
#include "causeway/formats/keras/model_plan.h"
#include "causeway/formats/keras/numbers.h"
#include "causeway/formats/load.h"

namespace causeway::formats::keras {
namespace {

// A dataset that no slot took: the file and its words disagree, and nothing is passed over.
void refuse_left_over(const KerasFile& file, const FileNumbers& numbers, std::vector<Fault>& faults) {
  for (const std::string& path : numbers.left_over()) {
    faults.push_back({file.place_of(path), quoted(std::string_view(path).substr(1)) + " is no slot of this network."});
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
  Building building{file, slots, graph, numbers, faults, saved.notes};
  const Values outputs = ModelBuilder(building).build(plan, {}, false);
  refuse_left_over(file, numbers, faults);
  for (size_t i = 0; i < outputs.size(); ++i)
    graph.output(plan.outputs[i].name, outputs[i], axes_of(outputs[i].type()));
  if (file.has_optimizer) saved.notes.push_back("the file holds the state of an optimizer, which is left behind.");

  Graph finished = std::move(graph).finish();
  saved.network = Network(std::move(finished), std::move(slots));
  load(saved.network, building.entries, std::move(faults));
  return saved;
}

}  // namespace causeway::formats::keras
