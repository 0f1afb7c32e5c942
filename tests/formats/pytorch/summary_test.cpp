#include "causeway/formats/pytorch/summary.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAreArray;

struct Case {
  const char* name;
  std::vector<std::string> tensors, notes;
};
const Case kCases[] = {
    {"plain.pt", {"0.weight", "0.bias", "2.weight", "2.bias"}, {}},
    {"under_key.pt",
     {"state_dict.0.weight", "state_dict.0.bias", "state_dict.2.weight", "state_dict.2.bias"},
     {"this is no state dictionary: under 'state_dict' it holds 4 tensors by name. Read it with --key state_dict, or "
      "save "
      "model.state_dict() on its own."}},
    {"prefix_module.pt",
     {"module.0.weight", "module.0.bias", "module.2.weight", "module.2.bias"},
     {"all 4 names begin with 'module.'. Where the network's do not, read it with --strip-prefix module."}},
    {"tied.safetensors", {"0.weight"}, {"'2.weight' is tied to '0.weight' and left out."}},
    {"spectral_norm_old.pt",
     {"0.bias", "0.weight_orig", "0.weight_u", "0.weight_v"},
     {"'0' keeps its weight under spectral_norm, which is worked out anew at each training step. Call "
      "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight') and save again."}},
    {"weight_norm_half.pt",
     {"0.bias", "0.weight_v", "1.weight", "1.bias", "1.running_mean", "1.running_var"},
     {"'0.weight_v' is half of a weight under weight_norm, and '0.weight_g' is missing beside it."}},
};
class TorchSummary : public testing::TestWithParam<Case> {};
TEST_P(TorchSummary, ListsTensorsAndNotesTheWrapping) {
  const StateSummary summary = summary_of(ByteSource::open(tests::fixture("pytorch/" + std::string(GetParam().name))));
  std::vector<std::string> names;
  for (const StateTensor& tensor : summary.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAreArray(GetParam().tensors));
  EXPECT_THAT(summary.notes, ElementsAreArray(GetParam().notes));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, TorchSummary, testing::ValuesIn(kCases), tests::by_name);

}  // namespace
}  // namespace causeway::formats::pytorch
