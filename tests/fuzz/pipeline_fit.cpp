#include "causeway/base/json.h"
#include "causeway/pipeline/fit.h"
#include "causeway/pipeline/prepared.h"
#include "causeway/pipeline/rows.h"
#include "tests/fuzz/any_bytes.h"

// A document that is read prepares a row, whatever its columns are called.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace causeway;
  return tests::any_text(data, size, [](std::string_view text) {
    const pipeline::Fit fit = pipeline::Fit::from_json(parse_json(text, "fit.json"), "fit.json");
    pipeline::Rows rows({"passenger_id", "survived", "pclass", "sex", "age", "sibsp", "parch", "fare"});
    rows.add({1, 0, 3, "male", 22, 1, 0, 7.25});
    fit.prepare(rows);
  });
}
