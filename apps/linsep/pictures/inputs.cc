#include "pictures/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

#include "clock.h"
#include "keep_proof.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/optimality.h"
#include "linsep/read.h"
#include "linsep/table/map.h"
#include "linsep/tools/bundle.h"
#include "linsep/tools/purpose.h"
#include "model_proof.h"
#include "os/file.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "report/run.h"
#include "workers.h"

namespace linsep::app {
namespace {

constexpr std::int64_t kFewRows = 2000;
constexpr std::uint32_t kFewColumns = 50;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error(Place{path, 0, 0}, "can't be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Names that differ, even if files in two folders have the same.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string stem = stem_of(path);
    std::string name = stem;
    for (int k = 2; std::ranges::count(names, name) > 0; ++k) name = fmt::format("{} ({})", stem, k);
    names.push_back(std::move(name));
  }
  return names;
}

/// How to read the rows, which is the first model's way, or their own without a model.
ReadOptions reading_of(const PictureInputs& given, const std::vector<Model>& models) {
  if (!models.empty()) {
    if (given.columns.given()) throw usage_error("-m MODEL defines the columns: leave out the table options");
    return given.reading.complete_for(models.front());
  }
  ReadOptions options = given.reading.complete();
  options.many_classes = true;
  given.columns.take(given.reading, given.columns.spec(true), options, false);
  return options;
}

/// Everything that was read, which a picture refers to while it is made.
struct Read {
  std::vector<Model> models;
  std::optional<RunRecord> run;
  std::optional<Certificate> proof;
  std::optional<CheckResult> checked;     ///< of the proof
  std::optional<OptimalityProof> bounds;  ///< of the first model, if the proof is about that
  std::unique_ptr<Source> rows;
  std::optional<CertifyOutcome> certified;
};

/// The checker's result for a proof and the rows as they are written, encoded by `table` or, without one, as `linsep
/// verify` would. Takes one more reading and a pass.
CheckResult check_proof(const PictureInputs& given, const Certificate& proof, const TableMap& table) {
  ProofOptions checking{given.reading.limits(0)};
  checking.secret = salt_secret(given.salt, false);
  ReadOptions options = read_options_for_proof(given.reading.complete());
  options.cache = false;
  options.interrupt = &interrupt_flag();
  if (table.empty()) {
    given.columns.take(given.reading, given.columns.spec(true), options, true);
  } else {
    options.table = exact_table(table);
  }
  ProgressBar bar("checking the proof");
  const auto observe = [&](const Progress& progress) { bar.observe(progress); };
  try {
    const std::unique_ptr<Source> written = load(given.reading.paths, options, workers(), observe);
    return verify_certificate(proof, written.get(), checking, observe);
  } catch (const Error& error) {
    // The rows can be drawn, but have values too small for a proof.
    if (error.kind() != Error::Kind::kInput) throw;
    CheckResult refused;
    refused.reason = error.reason();
    return refused;
  }
}

/// A proof may be about rows as they are, or as the model encodes them.
CheckResult check_proof(const PictureInputs& given, const Certificate& proof, const Model* model) {
  if (given.reading.standard_input())
    throw usage_error("--proof needs a file, because it reads the rows more than once");
  CheckResult found = check_proof(given, proof, TableMap());
  if (!found.valid && model != nullptr && !model->table.empty()) {
    CheckResult as_model = check_proof(given, proof, model->table);
    if (as_model.valid) return as_model;
  }
  return found;
}

/// Whether the proof names the weights of one classifier, or those for its two classes the other way round.
bool is_about(const OptimalityProof& proof, std::span<const double> own, double own_offset) {
  const auto agree = [&](double sign) {
    std::vector<double> theta(own.size(), 0);
    double offset = 0;
    for (const ColumnWeight& entry : proof.model) {
      const double weight = sign * std::strtod(entry.weight.c_str(), nullptr);
      if (entry.column == own.size()) {
        offset = weight;
      } else if (entry.column < own.size()) {
        theta[entry.column] = weight;
      }
    }
    return std::ranges::equal(theta, own) && offset == own_offset;
  };
  return proof.data.features == own.size() && (agree(1) || agree(-1));
}

/// Of all classes together.
bool is_about_classes(const OptimalityProof& proof, const Model& model) {
  const std::uint32_t features = proof.data.features, block = features + (proof.origin ? 0 : 1);
  const std::size_t classes = proof.data.classes.size();
  std::vector<double> theta(classes * features, 0), offsets(classes, 0);
  for (const ColumnWeight& entry : proof.model) {
    const std::size_t c = entry.column / block, column = entry.column % block;
    (column == features ? offsets.at(c) : theta.at(c * features + column)) = std::strtod(entry.weight.c_str(), nullptr);
  }
  return theta == model.theta && offsets == model.offsets;
}

bool is_about(const OptimalityProof& proof, const Model& model) {
  if (proof.objective.loss == Loss::kSoftmax) return is_about_classes(proof, model);
  if (proof.parts.empty()) return is_about(proof, model.theta, model.offset);
  if (model.form != Model::Form::kClasses || proof.parts.size() != model.offsets.size()) return false;
  for (std::size_t c = 0; c < proof.parts.size(); ++c) {
    if (!is_about(proof.parts[c], weights_of(model, c), model.offsets[c])) return false;
  }
  return true;
}

/// Checks a proof of how good a model is on the rows as written. Throws an input Error if it doesn't hold.
void check_bounds(const PictureInputs& given, const OptimalityProof& proof, const std::vector<Model>& models) {
  if (models.empty() || given.reading.paths.empty()) {
    throw usage_error("this proof is about a model: give the model (-m) and its rows (DATA) too");
  }
  const auto refuse = [&](const std::string& why) { throw Error(Place{given.proof, 0, 0}, why); };
  if (!is_about(proof, models.front())) refuse(fmt::format("is about another model than {}", given.models.front()));
  const std::unique_ptr<Source> written = rows_of(models.front(), given.reading);
  ProofOptions checking{given.reading.limits(0)};
  checking.secret = salt_secret(given.salt, false);
  ProgressBar bar("checking the proof");
  const CheckResult found =
      verify_optimality(proof, *written, checking, [&](const Progress& progress) { bar.observe(progress); });
  if (!found.valid) refuse(fmt::format("doesn't hold for these rows: {}", found.reason));
}

std::variant<Certificate, OptimalityProof> proof_from(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  return is_bundle_text(bytes) ? read_bundle(bytes, path).proof : proof_from_json(bytes, path);
}

Read read_all(const PictureInputs& given) {
  Read all;
  for (const std::string& path : given.models) all.models.push_back(model_for_rows(path, given.reading.memory_limit()));
  if (!given.log.empty()) all.run = read_run_log(text_of(given.log), given.log);
  if (!given.proof.empty()) {
    const auto proof = proof_from(given.proof);
    if (const auto* bounds = std::get_if<OptimalityProof>(&proof)) {
      check_bounds(given, *bounds, all.models);
      all.bounds = *bounds;
    } else {
      all.proof = std::get<Certificate>(proof);
    }
  }
  if (!given.salt.empty() && (given.proof.empty() || given.reading.paths.empty()))
    throw usage_error("--salt needs --proof and DATA");
  if (given.reading.paths.empty()) return all;
  tell_if_waiting(given.reading);
  ReadOptions options = reading_of(given, all.models);
  options.interrupt = &interrupt_flag();
  ProgressBar bar("reading");
  all.rows = load(given.reading.paths, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
  bar.wipe();
  const Model* first = all.models.empty() ? nullptr : &all.models.front();
  if (first != nullptr) check_feature_names(*first, *all.rows, given.reading.name());
  if (all.proof) {
    all.checked = check_proof(given, *all.proof, first);
  } else {
    all.certified = certify_few(given.reading, options, *all.rows, first);
  }
  return all;
}

}  // namespace

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

std::optional<CertifyOutcome> certify_few(const InputOptions& reading, ReadOptions options, const Source& rows,
                                          const Model* model) {
  const Shape shape = rows.shape();
  const Schema& schema = rows.schema();
  if (reading.standard_input() || schema.classes.size() != 2 || !schema.labels.empty()) return std::nullopt;
  if (shape.rows < 1 || shape.rows > kFewRows || shape.features > kFewColumns) return std::nullopt;
  if (model != nullptr && (model->regression || scores_per_row(*model) > 1)) return std::nullopt;
  constexpr double kSeconds = 10;
  CertifyOptions certifying{reading.limits(kSeconds)};
  if (model != nullptr) {
    certifying.origin = model->origin;
    certifying.map = model->map;
    if (mapped_features(model->map, shape.features) > kFewColumns) return std::nullopt;
  }
  options = read_options_for_proof(std::move(options));
  options.cache = false;
  if (options.table && !options.table->empty()) options.table = exact_table(*options.table);
  try {
    const std::unique_ptr<Source> written = load(reading.paths, options, workers());
    return certify(*written, certifying, workers());
  } catch (const Error& error) {
    // The rows can be drawn, but have values too small for a proof.
    if (error.kind() == Error::Kind::kInput || error.kind() == Error::Kind::kUsage) return std::nullopt;
    throw;
  }
}

void PictureInputs::declare(CommandOptions& options) {
  options.add({
      {"-m,--model", &models, "FILE", "A model that `linsep train` wrote; several -m are compared.", OneEach{}},
      {"--log", &log, "FILE", "A run's log, which `linsep train --log` wrote."},
      {"--proof", &proof, "FILE", "A proof that `linsep certify -o` wrote."},
      {"--salt", &salt, "FILE", "The secret that salts the rows of the proof (`certify --salt`)."},
      {"--title", &title, "TEXT", "The title. [made from the inputs]"},
      {"--x", &x, "NAME", "The feature along the first axis, by name or number from 1. [chosen]"},
      {"--y", &y, "NAME", "The feature along the second axis."},
      {"--rows", &rows, "N", "Show at most this many individual rows; counts cover all rows. [2000]",
       WholeFromTo{0, 100000}},
      {"--no-rows", &no_rows, "Write counts only, and nothing about individual rows."},
  });
  columns.declare(options);
  reading.declare(options, true);
}

Picture picture_of(const TrainedRun& run) {
  const Outcome& outcome = run.outcome;
  RunRecord record;
  record.learner = outcome.model.learner;
  record.reason = stop_reason_name(outcome.reason);
  record.command = run.command;
  record.seconds = run.seconds;
  const std::optional<CertifyOutcome> certified = certify_few(run.reading, run.options, run.rows, &outcome.model);
  PictureInput input;
  input.data = &run.rows;
  input.models.push_back({run.model, &outcome.model, run.seconds});
  input.run = &record;
  input.trained = &outcome;
  input.certified = certified ? &*certified : nullptr;
  PictureSpec spec;
  for (const std::string& path : run.reading.paths) spec.files.push_back(file_name(path));
  spec.version = LINSEP_VERSION;
  spec.certify = false;
  spec.limits = run.reading.limits(0);
  spec.limits.interrupt = nullptr;  // it has ended the training, but not this
  ProgressBar bar("drawing");
  return make_picture(input, spec, [&](const Progress& progress) { bar.observe(progress); });
}

Picture PictureInputs::make(const std::string& command) const {
  if (reading.paths.empty() && models.empty() && log.empty() && proof.empty()) {
    throw usage_error(
        "there is nothing to draw: give rows (DATA), a model (-m), a run log (--log) or a proof (--proof)");
  }
  if (workers().size() > 1) throw usage_error(fmt::format("pictures need a single worker, not {}", workers().size()));
  catch_interrupt();
  const Read all = read_all(*this);
  PictureInput input;
  input.data = all.rows.get();
  const std::vector<std::string> names = names_of(models);
  for (std::size_t k = 0; k < names.size(); ++k) input.models.push_back({names[k], &all.models[k], std::nullopt});
  input.run = all.run ? &*all.run : nullptr;
  input.proof = all.proof ? &*all.proof : nullptr;
  input.checked = all.checked ? &*all.checked : nullptr;
  input.bounds = all.bounds ? &*all.bounds : nullptr;
  input.certified = all.certified ? &*all.certified : nullptr;
  PictureSpec spec;
  spec.title = title;
  spec.x = x;
  spec.y = y;
  spec.rows = rows;
  spec.no_rows = no_rows;
  spec.aspect = aspect;
  for (const auto* paths : {&reading.paths, &models}) {
    for (const std::string& path : *paths) spec.files.push_back(file_name(path));
  }
  for (const std::string& path : {log, proof}) {
    if (!path.empty()) spec.files.push_back(file_name(path));
  }
  spec.made.push_back({"Command", command});
  spec.version = LINSEP_VERSION;
  spec.certify = false;  // rows as they were read may be rounded, so certify_few reads them as written
  spec.limits = reading.limits(0);
  ProgressBar bar("drawing");
  Picture picture = make_picture(input, spec, [&](const Progress& progress) { bar.observe(progress); });
  bar.wipe();
  if (all.proof && !picture.proof) {
    for (const Picture::ProvenanceEntry& line : picture.made) {
      if (line.name == "Proof") tell(line.value + "\n");
    }
  }
  return picture;
}

}  // namespace linsep::app
