// A user names the fields that matter, `ReadOptions{.label = "ill"}`. With -Wextra the compiler complains about every
// field left out that has no default initializer. So each struct that a user fills in is written here, with its first
// field and with its last alone. Not so those that inherit RunLimits: gcc complains about the base class, which can't
// have an initializer.
#include "linsep/batch.h"
#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/checkpoint.h"
#include "linsep/limits.h"
#include "linsep/logit.h"
#include "linsep/map.h"
#include "linsep/model.h"
#include "linsep/options.h"
#include "linsep/picture/draw.h"
#include "linsep/picture/make.h"
#include "linsep/progress.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/specs.h"
#include "linsep/table/fit.h"
#include "linsep/tools/advice.h"
#include "linsep/tools/arrow_writer.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/engines.h"
#include "linsep/tools/file.h"
#include "linsep/tools/shards.h"
#include "linsep/train.h"

namespace {

template <class... Options>
constexpr int count(const Options&...) {
  return sizeof...(Options);
}

[[maybe_unused]] int options() {
  using namespace linsep;
  return count(RunLimits{.time_limit = 1}, RunLimits{.memory = 1}, Checkpoint{.path = "run"}, Checkpoint{.tell = {}},
               ReadOptions{.format = ReadOptions::Format::kCsv}, ReadOptions{.label = "ill"}, ReadOptions{.counts = {}},
               TrainSpec{.learner = "basic"}, TrainSpec{.visits = 1}, LogitTerm{.name = "town"},
               LogitTerm{.columns = {}}, TableSpec{.number = {"age"}}, TableSpec{.as_written = true},
               TableSpec::Date{.column = "day"}, TableSpec::Date{.format = "iso"}, PictureSpec{.title = "rows"},
               PictureSpec{.limits = {}}, PictureInput{.data = nullptr}, PictureInput{.trained = nullptr},
               RunRecord{.learner = "basic"}, RunRecord{.seconds = 1}, NamedModel{.name = "a"},
               NamedModel{.seconds = 1.0}, TextPlot{.width = 80}, SvgPlot{.width = 100}, StopFacts{.gap = 0.1},
               StopFacts{.after_option = ""}, BundleNotes{.data = "rows"}, BundleNotes{.of_stored = ""},
               GlooOptions{.rank = 1}, GlooOptions{.ports = {.first = 1}}, FileOptions{.sync = false},
               FileOptions{.named = true}, ArrowField{.name = "age"}, ArrowColumn{.number = {1}},
               ArrowColumn{.null = {}}, ArrivingRows{.ids = {}});
}

[[maybe_unused]] int learners() {
  using namespace linsep;
  return count(Perceptron{.origin = true}, Perceptron{.trace = true}, DualPerceptron{.kernel = {.gamma = 2}},
               Basic{.origin = true}, LeastSquares{.tolerance = 1}, Margin{.loss = Loss::kLogistic, .C = 10},
               Margin{.class_weight = "balanced"}, linsep::Regression{.rate = 1}, FeatureMap{.degree = 2},
               OptionSpec{.name = "rate"}, OptionSpec{.help = "Why."});
}

[[maybe_unused]] int rows() {
  using namespace linsep;
  return count(Shape{.rows = 1}, Reading{.format = "csv"}, Reading{.drop_missing_labels = true},
               Schema{.classes = {"no", "yes"}}, Schema{.table = {}}, WrittenValue{.decimal = "0.1"},
               WrittenRow{.label = "yes"}, WrittenRow{.values = {}}, Batch{.rows = 1}, Progress{.pass = 1},
               Progress{.passes_in_all = 1});
}

}  // namespace
