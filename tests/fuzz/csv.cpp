#include "causeway/pipeline/csv.h"

#include "tests/fuzz/any_bytes.h"

namespace {

struct Nowhere : causeway::pipeline::CellSink {
  void cell(size_t, std::string_view) override {}
  void end_row() override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_text(data, size, [](std::string_view text) {
    Nowhere nowhere;
    causeway::pipeline::RowFaults faults;
    causeway::pipeline::CsvSource::over(text, "fuzzed.csv")->read(nowhere, faults);
    faults.refuse_if_any();
  });
}
