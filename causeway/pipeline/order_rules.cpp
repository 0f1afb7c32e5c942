#include <algorithm>
#include <optional>

#include "causeway/pipeline/declaration.h"
#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {
namespace {

/// The steps under the rules of order; every rule adds its faults.
class OrderRules {
 public:
  OrderRules(const std::vector<StepDeclared>& declared, const std::vector<std::unique_ptr<const Step>>& steps,
             std::vector<Fault>& faults)
      : declared_(declared), steps_(steps), faults_(faults) {}

  void check() {
    readers_come_first();
    at_most_one(Role::Split, "split");
    at_most_one(Role::Target, "target verb");
    at_most_one(Role::Features, "'features' step");
    at_most_one(Role::Learn, "'learn' step");
    learning_needs_a_target();
    what_learns_stands_below_the_split();
    stands_below_every_change(Role::Features);
    stands_below_every_change(Role::Learn);
    evidence_stands_below_learning();
  }

 private:
  Role role(size_t i) const { return declared_[i].verb->role; }
  void add(size_t i, std::string what) { faults_.push_back({declared_[i].where(), std::move(what)}); }

  std::optional<size_t> first(Role wanted) const {
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (role(i) == wanted) return i;
    }
    return std::nullopt;
  }

  void readers_come_first() {
    if (role(0) != Role::Read) add(0, "The first step reads the rows: 'read.csv' or 'read.rows'.");
    if (declared_.size() < 2 || role(1) != Role::Declare) {
      add(std::min<size_t>(1, declared_.size() - 1), "The step behind the reader is 'declare'.");
    }
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (role(i) == Role::Read && i != 0) add(i, "Rows are read once, by the first step.");
      if (role(i) == Role::Declare && i != 1) add(i, "Columns are declared once, by the step behind the reader.");
    }
  }

  void at_most_one(Role wanted, const std::string& name) {
    const std::optional<size_t> one = first(wanted);
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (role(i) == wanted && i != *one) {
        add(i, "There is one " + name + " at most, and step " + std::to_string(declared_[*one].number) + " is one.");
      }
    }
  }

  void learning_needs_a_target() {
    const std::optional<size_t> learn = first(Role::Learn);
    if (learn && !first(Role::Target))
      add(*learn, "A network learns answers, and no step says the target. Add 'target'.");
  }

  void what_learns_stands_below_the_split() {
    const std::optional<size_t> split = first(Role::Split);
    for (size_t i = 0; split && i < *split; ++i) {
      const auto* change = dynamic_cast<const ChangeStep*>(steps_[i].get());
      if (change == nullptr || !change->learns()) continue;
      add(i, "The step learns from training rows, and which those are is said below, by step " +
                 std::to_string(declared_[*split].number) + ". Put it below the split.");
    }
  }

  void stands_below_every_change(Role wanted) {
    const std::optional<size_t> at = first(wanted);
    if (!at) return;
    for (size_t i = *at + 1; i < declared_.size(); ++i) {
      const bool before_learning = role(i) == Role::Features || role(i) == Role::Split;
      if (role(i) == Role::Change || role(i) == Role::Target || (wanted == Role::Learn && before_learning)) {
        add(*at, "It stands above step " + std::to_string(declared_[i].number) + " (" +
                     std::string(declared_[i].verb->verb) + "), which changes what it is given. Put it below.");
        return;
      }
    }
  }

  void evidence_stands_below_learning() {
    const std::optional<size_t> learn = first(Role::Learn);
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (role(i) == Role::Evidence && learn && i < *learn) {
        add(i, "It judges what the network answers, and the network is learned below, by step " +
                   std::to_string(declared_[*learn].number) + ". Put it below.");
      }
    }
  }

  const std::vector<StepDeclared>& declared_;
  const std::vector<std::unique_ptr<const Step>>& steps_;
  std::vector<Fault>& faults_;
};

}  // namespace

void check_order(const std::vector<StepDeclared>& declared, const std::vector<std::unique_ptr<const Step>>& steps,
                 std::vector<Fault>& faults) {
  if (!declared.empty()) OrderRules(declared, steps, faults).check();
}

}  // namespace causeway::pipeline
