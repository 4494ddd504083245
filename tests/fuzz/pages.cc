// Page files with every checksum made right: refused with an input Error, or their rows are rows, can be scored,
// evaluated and learned from.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "data/paged/paged_source.h"
#include "linsep/error.h"
#include "linsep/linsep.h"
#include "memory_file.h"
#include "os/file.h"
#include "page_bytes.h"
#include "planned_run.h"
#include "target.h"

namespace linsep::fuzz {
namespace {

constexpr std::uint32_t kMostFeatures = 4096;  // that are learned from: the program asks for memory first
constexpr std::int64_t kMostRows = 2000;

struct Way {
  ReadOptions options;
  unsigned learner = 0;
};

Way way_of(Front& front) {
  Way way;
  Bits first(front.byte()), second(front.byte());
  way.options.threads = 1;
  way.options.labelled = !first.next();
  way.options.regression = first.next();
  way.options.many_classes = first.next();
  way.options.label_sets = first.next();
  if (first.next()) way.options.memory = std::uint64_t{1} << 30;  // pages are mapped one by one
  if (first.next()) way.options.classes = {"-1", "1"};
  if (first.next()) way.options.positive = "1";
  way.learner = second.take(8);
  return way;
}

/// What a batch promises (linsep/batch.h).
void check_batch(const Batch& batch, const Schema& schema, bool regression) {
  const auto size = static_cast<std::size_t>(batch.rows);
  must(batch.rows >= 0 && batch.label.size() <= size, "a batch has more labels than rows");
  std::size_t classes = schema.labels.empty() ? schema.classes.size() : schema.combinations.size();
  if (schema.labels.empty() && classes == 2) classes = 0;
  for (const double label : batch.label) {
    must(std::isfinite(label), "a label isn't finite");
    if (classes > 0) must(label >= 0 && label < static_cast<double>(classes), "a label is beyond the classes");
    if (!regression && classes == 0) must(label == -1 || label == 1 || label == 0, "a label is of neither class");
  }
  for (const double weight : batch.weight) must(std::isfinite(weight) && weight >= 0, "a weight is none");
  for_each_row(batch, [&](const auto& row, std::int64_t) {
    std::int64_t before = -1;
    for_each_entry(row, [&](std::uint32_t column, double value) {
      must(column < batch.features && std::int64_t{column} > before, "columns don't ascend or are beyond the features");
      must(std::isfinite(value), "a value isn't finite");
      before = column;
    });
  });
}

/// Any model for rows of this schema.
Model model_for(const Source& source, bool regression) {
  Model model;
  model.schema = source.schema();
  model.schema.combinations.clear();
  model.regression = regression;
  model.features = std::min<std::uint32_t>(source.shape().features, 16);
  std::size_t parts = 1;
  if (!model.schema.labels.empty()) {
    model.form = Model::Form::kLabels;
    parts = model.schema.labels.size();
  } else if (model.schema.classes.size() > 2) {
    model.form = Model::Form::kClasses;
    parts = model.schema.classes.size();
  }
  model.theta.resize(parts * model.features);
  for (std::size_t i = 0; i < model.theta.size(); ++i) model.theta[i] = i % 3 == 0 ? 1 : -0.5;
  if (model.form != Model::Form::kLinear) model.offsets.resize(parts);
  return model;
}

void learn(Source& source, const Way& way) {
  constexpr const char* kLearners[] = {"perceptron", "margin", "least-squares", "basic", "dual", "margin"};
  TrainSpec spec;
  spec.learner = way.options.regression ? "regression" : kLearners[way.learner % std::size(kLearners)];
  if (way.learner == 5) spec.options["loss"] = std::string("logistic");
  const Run run = planned(source, spec);
  const auto learner = learner_of(run);
  make_passes(run, *learner, 0, 2);
  learner->model();
}

void use(Source& source, const Way& way) {
  std::int64_t rows = 0;
  source.rewind(0);
  while (const auto batch = source.next()) {
    check_batch(*batch, source.schema(), way.options.regression);
    rows += batch->rows;
  }
  must(rows == source.shape().rows, "a page file has another number of rows than it says");
  const Model model = model_for(source, way.options.regression);
  RunLimits limits;
  limits.threads = 1;
  predict(source, model, limits, [](const Batch&, std::span<const double>) {});
  if (!way.options.labelled) return;
  evaluate(source, model, true, {}, limits);
  if (way.learner < 7 && source.shape().features <= kMostFeatures && rows <= kMostRows) learn(source, way);
}

void run(std::string_view bytes) {
  static const MemoryFile file;
  Front front(bytes);
  const Way way = way_of(front);
  file.write(long_form(front));
  try {
    const auto source = load(file.path(), way.options);
    if (auto* paged = dynamic_cast<PagedSource*>(source.get())) paged->set_room(1);  // no thread reads ahead
    use(*source, way);
  } catch (const Error& error) {
    must(error.kind() == Error::Kind::kInput || error.kind() == Error::Kind::kUsage,
         "a page file is refused otherwise than as input");
  }
}

/// The page file of texts, in its short form.
std::string converted(const std::vector<std::string>& texts, const ReadOptions& options) {
  std::string name = (std::filesystem::temp_directory_path() / "linsep-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  std::vector<std::string> paths;
  for (const std::string& text : texts) {
    paths.push_back((folder / ("t" + std::to_string(paths.size()))).string());
    std::ofstream(paths.back(), std::ios::binary) << text;
  }
  const std::string pages = (folder / "p.lsp").string();
  convert(paths, pages, options);
  const std::string bytes = read_whole_file(pages);
  std::filesystem::remove_all(folder);
  return short_form(bytes);
}

std::vector<std::string> seeds() {
  const std::string sparse = "-1 1:0.5 3:-2\n1 2:1 3:3\n1 1:2\n-1\n", more = "1 4:1\n-1 1:-1 2:5\n";
  const std::string words = "a 1:1\nb 2:1\nc 1:-1 2:-1\nb 3:0.5\n";
  ReadOptions plain, twice, csv, weighted, many;
  twice.double_values = true;
  csv.format = weighted.format = many.format = ReadOptions::Format::kCsv;
  weighted.weight = "1";
  many.labels = {"3", "4"};
  const std::string table = "1,2,1\n3,4,-1\n0.5,-1,1\n", wide = "1,2,1,0\n3,4,0,1\n0.5,-1,1,1\n";
  std::vector<std::pair<char, std::string>> files = {
      {'\0', converted({sparse}, plain)},       {'\0', converted({sparse, more}, twice)},
      {'\0', converted({table, table}, csv)},   {'\0', converted({"2,1,5,1\n1,3,4,-1\n"}, weighted)},
      {'\4', converted({words, words}, plain)}, {'\2', converted({"1.5 1:2\n-3 2:1\n0.25 1:1\n"}, plain)},
      {'\0', converted({wide}, many)},          {'\1', converted({sparse}, plain)},
  };
  ReadOptions sets;
  sets.label_sets = true;
  files.emplace_back('\x8', converted({"1,2 1:1\n2 2:1\n1,3 1:2\n"}, sets));
  std::vector<std::string> all;
  for (const auto& [flags, bytes] : files) {
    for (const char paged : {'\0', '\x10'}) {
      for (const char learner : {'\0', '\1', '\2', '\4'}) {
        all.push_back(std::string{static_cast<char>(flags | paged), learner} + bytes);
      }
    }
  }
  return all;
}

}  // namespace

const Target& pages_target() {
  static const Target target{"pages", run, seeds};
  return target;
}

}  // namespace linsep::fuzz
