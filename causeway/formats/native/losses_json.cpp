#include "causeway/formats/native/losses_json.h"

#include <optional>
#include <string>

#include "causeway/base/quoted.h"
#include "causeway/nn/loss_list.h"

namespace causeway::formats::native {
namespace {

Json loss_to_json(const Loss& loss) {
  Json json = nn::write_loss(loss);
  if (const std::optional<Op> activation = loss.activation()) json.set("activation", std::string(activation->name()));
  return json;
}

std::optional<Loss> loss_from_json(const Json& json, std::vector<Fault>& faults) {
  constexpr char kWhere[] = "causeway.loss";
  Json words = json;
  const Json* activation = json.is_object() ? json.find("activation") : nullptr;
  if (activation) {
    Json::Object members;
    for (const auto& member : json.members()) {
      if (member.first != "activation") members.push_back(member);
    }
    words = Json(std::move(members));
    words.set_place(json.line(), json.column());
  }
  const std::optional<StatedLoss> stated = nn::read_loss(words, kWhere, faults);
  if (!stated || !activation) return stated ? std::optional<Loss>(stated->loss) : std::nullopt;
  const std::optional<Op> own = stated->loss.activation();
  if (own && activation->is_text() && activation->text() == own->name()) return stated->loss;
  faults.push_back({nn::place_in(kWhere, *activation), std::string(stated->loss.name()) + " goes with " +
                                                           (own ? "a " + std::string(own->name()) : "no activation") +
                                                           ", and " + activation->dump() + " stands here."});
  return std::nullopt;
}

}  // namespace

Json losses_to_json(const SavedNetwork& saved) {
  if (saved.losses.empty()) return {};
  if (saved.network.outputs().size() == 1) return loss_to_json(saved.losses.begin()->second);
  Json by_output{Json::Object{}};
  for (const auto& [output, loss] : saved.losses) by_output.set(output, loss_to_json(loss));
  return by_output;
}

void losses_from_json(const Json& json, SavedNetwork& saved, std::vector<Fault>& faults) {
  if (json.is_null()) return;
  const auto give = [&](const std::string& output, const Json& stated) {
    const std::optional<Loss> loss = loss_from_json(stated, faults);
    if (loss) saved.losses.insert_or_assign(output, *loss);
  };
  const std::span<const Door> outputs = saved.network.outputs();
  if (json.is_object() && json.find("kind") && outputs.size() == 1) return give(outputs[0].name, json);
  if (!json.is_object()) {
    faults.push_back({"causeway.loss", "it is no loss, and no object of losses by output."});
    return;
  }
  for (const auto& [output, loss] : json.members()) {
    if (saved.network.graph().output(output)) {
      give(output, loss);
    } else {
      faults.push_back({"causeway.loss", "the network has no output " + quoted(output) + "."});
    }
  }
}

}  // namespace causeway::formats::native
