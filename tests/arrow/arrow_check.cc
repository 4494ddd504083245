// For Python: trains on an Arrow stream, or on a CSV file, and writes the model.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "linsep/table/arrow.h"
#include "linsep/table/fit.h"
#include "linsep/train.h"

namespace {

void train(ArrowArrayStream* stream, const std::string& csv, const std::string& model) {
  linsep::TableSpec spec;
  spec.scale = linsep::Scale::kStandard;
  linsep::ReadOptions options;
  std::unique_ptr<linsep::Source> source;
  if (stream != nullptr) {
    const linsep::ArrowTable table(stream);
    options.table = std::make_shared<const linsep::TableMap>(linsep::fit_table(table, options, spec).map);
    source = linsep::load(table, options);
  } else {
    const std::unique_ptr<linsep::Comm> alone = linsep::solo();
    options.table =
        std::make_shared<const linsep::TableMap>(linsep::fit_table(std::span(&csv, 1), options, spec, *alone).map);
    source = linsep::load(csv, options);
  }
  linsep::TrainSpec how;
  how.learner = "perceptron";
  how.options["passes"] = std::int64_t{5};
  save_model(linsep::fit(*source, how).model, model);
}

}  // namespace

extern "C" int arrow_check_train(ArrowArrayStream* stream, const char* csv, const char* model, char* message,
                                 std::size_t size) {
  try {
    train(stream, csv == nullptr ? "" : csv, model);
    return 0;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    const std::size_t length = std::min(text.size(), size - 1);
    std::copy_n(text.data(), length, message);
    message[length] = 0;
    return 1;
  }
}
