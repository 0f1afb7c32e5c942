// Reads one Titanic network, trains it an epoch further behind the pipeline, keeps both as one file, and writes ONNX.
//
//   titanic MODEL.keras PIPELINE.json OUT_FOLDER

#include <causeway/causeway.h>

#include <iostream>
#include <string>

using namespace causeway;

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "titanic MODEL PIPELINE.json OUT_FOLDER\n";
    return 2;
  }
  try {
    const std::string out = words[3];
    const pipeline::Prepared rows = pipeline::Pipeline::read(words[2]).run();
    const SavedNetwork read = read_model(words[1]);
    const Tensor before = predict(read, rows.test.features);
    const TrainedModel model = fit(read, rows, Adam{.learning_rate = 1e-3}, {.seed = 7, .epochs = 1});
    const Tensor after = predict(model.saved, rows.test.features);
    std::cout << "passenger " << 1 + rows.test.source_rows[0] << ": " << before.number_at(0) << ", an epoch later "
              << after.number_at(0) << "\n";
    save(model, out + "/titanic.causeway");
    write_onnx(model.saved, out + "/titanic.onnx");
    return 0;
  } catch (const Refused& refused) {
    for (const Fault& fault : refused.faults()) std::cerr << fault.where << ": " << fault.what << "\n";
    return 1;
  }
}
