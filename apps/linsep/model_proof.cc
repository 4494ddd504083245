#include "model_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "keep_proof.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/tools/number_words.h"
#include "linsep/tools/purpose.h"
#include "linsep/tools/shown_text.h"
#include "os/process.h"
#include "output.h"
#include "progress_bar.h"
#include "report/optimality.h"
#include "report/words.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {

bool has_objective(const Model& model) {
  const LearnerInfo* const learner = find_learner(model.learner);
  return learner != nullptr && learner->objective && !model.regression &&
         !get_flag(complete_options(learner->table, model.options), "hard");
}

namespace {

OptimalityProof proof_of(const Model& model, Source& rows, const ProofOptions& options, const std::string& doing) {
  ProgressBar bar(doing);
  return prove_optimality(model, rows, workers(), options, [&](const Progress& progress) { bar.observe(progress); });
}

/// As JSON, or under a name that ends with .zip as a bundle.
void save_proof(const OptimalityProof& proof, Source& rows, const std::string& path, const InputOptions& reading) {
  if (!is_bundle(path)) {
    if (first_worker()) save_optimality(proof, path);
    return;
  }
  ProgressBar bar("writing the bundle");
  write_bundle(proof, rows, path, reading, ProofOptions{reading.limits(0)},
               [&](const Progress& progress) { bar.observe(progress); });
}

}  // namespace

void require_columns_of(const Model& model, const Source& rows, const std::string& name) {
  Model doubles = model;
  doubles.table.single = false;
  check_feature_names(doubles, rows, name);
  require_features(model.features, rows, name);
}

void require_features(std::uint32_t expected, const Source& rows, const std::string& name) {
  const std::uint32_t features = rows.shape().features;
  if (features == expected) return;
  throw Error(Place{name, 0, 0}, fmt::format("has {} features, but the model was trained with {}", features, expected));
}

std::unique_ptr<Source> rows_of(const Model& model, const InputOptions& reading) {
  if (reading.standard_input()) throw usage_error("a proof needs a file, because it reads the rows more than once");
  ReadOptions options = read_options_for_proof(model, reading.complete());
  options.interrupt = &interrupt_flag();
  ProgressBar bar("reading");
  std::unique_ptr<Source> rows =
      load(reading.paths, options, workers(), [&](const Progress& progress) { bar.observe(progress); });
  require_columns_of(model, *rows, reading.name());
  return rows;
}

OptimalityProof keep_model_proof(Model& model, const InputOptions& reading, const std::string& path) {
  const std::unique_ptr<Source> rows = rows_of(model, reading);
  OptimalityProof proof = proof_of(model, *rows, ProofOptions{reading.limits(0)}, "proving");
  save_proof(proof, *rows, path, reading);
  model.training.root = proof.data.root;
  return proof;
}

namespace {

int certified(Source& data, const InputOptions& reading, const ModelProofTask& task,
              const std::function<OptimalityProof(const Observer& observe)>& prove) {
  OptimalityProof proof;
  {
    ProgressBar bar("proving");
    proof = prove([&](const Progress& progress) { bar.observe(progress); });
  }
  if (!task.proof.empty()) save_proof(proof, data, task.proof, reading);
  const OptimalityReport report{task.data, task.model, task.proof, task.check, proof};
  if (task.json) {
    print_json(optimality_json(report));
  } else if (!task.quiet) {
    print_words(optimality_words(report));
  }
  return kDone;
}

}  // namespace

int certify_model(const Model& model, Source& data, const InputOptions& reading, const ModelProofTask& task) {
  // A model that was asked for less has what it was asked for.
  const double asked = model.options.contains("gap") ? get_number(model.options, "gap") : 0;
  const double gap = std::max(task.gap, asked);
  return certified(data, reading, task, [&](const Observer& observe) {
    return audit_model(model, data, gap, workers(), task.options, observe);
  });
}

int certify_weights(const GivenWeights& given, Source& data, const InputOptions& reading, const ModelProofTask& task) {
  return certified(data, reading, task, [&](const Observer& observe) {
    return audit_weights(given, data, task.gap, workers(), task.options, observe);
  });
}

namespace {

/// At most the model's objective, of several classifiers the sum of theirs.
double sum_of_objectives(const OptimalityProof& proof) {
  if (proof.parts.empty()) return std::strtod(proof.at_most.c_str(), nullptr);
  double sum = 0;
  for (const OptimalityProof& part : proof.parts) sum += sum_of_objectives(part);
  return sum;
}

/// What the model's file claims of its objective, as far as the proof contradicts it; "" where it doesn't. Training
/// sums in floating-point numbers of values that may be rounded, so its figures may be a little off.
std::string contradiction(const Model& model, const OptimalityProof& proof) {
  constexpr double kGapFactor = 1.1, kErrorFactor = 1.05, kGapSlack = 1e-7, kObjectiveSlack = 1e-5;
  const TrainingRecord& claimed = model.training;
  if (!claimed.root.empty() && claimed.root != proof.data.root) {
    return fmt::format("its file names other rows (root {})", claimed.root);
  }
  const double gap = proven_gap(proof), objective = sum_of_objectives(proof);
  if (std::fabs(*claimed.objective - objective) > kObjectiveSlack * objective) {
    return fmt::format("its file says that its objective is {}", figure_text(*claimed.objective));
  }
  if (gap > kGapFactor * *claimed.gap + kGapSlack) {
    return fmt::format("its file says within {}", percent(*claimed.gap));
  }
  const double radius = gap > kGapSlack ? weights_within(proof) * std::sqrt(1 - kGapSlack / gap) : 0;
  if (model.weight_error > 0 && radius > kErrorFactor * model.weight_error) {
    return fmt::format("its file says that its weights are within ±{:.2g} of the best possible ones",
                       model.weight_error);
  }
  return "";
}

}  // namespace

int verify_model(const Model& model, Source& data, const ModelProofTask& task) {
  const OptimalityProof proof = proof_of(model, data, task.options, "checking");
  ProgressBar bar("checking");
  const OptimalityCheck check =
      verify_optimality(proof, data, workers(), task.options, [&](const Progress& progress) { bar.observe(progress); });
  if (!check.valid) throw input_error(check.reason);  // the rows have changed meanwhile
  const OptimalityReport report{task.data, task.model, "", "", proof};
  const bool claims = model.training.objective && model.training.gap;
  const std::string problem = claims ? contradiction(model, proof) : "";
  const bool confirmed = claims && problem.empty();
  if (task.json) {
    Json object = optimality_json(report);
    object["valid"] = confirmed;
    object["claimed_gap"] = claims ? Json(*model.training.gap) : Json(nullptr);
    add_check(object, check);
    object["reason"] = !claims ? "the file says nothing of its objective" : confirmed ? "confirmed" : problem;
    print_json(object);
  } else {
    const std::string name = shown_text(task.model);
    std::string verdict = fmt::format("{}: confirmed. ", name);
    if (!claims)
      verdict = fmt::format("{}: its file says nothing of its objective, so there is nothing to confirm.\n", name);
    if (!problem.empty()) verdict = fmt::format("{}: not confirmed: {}.\n", name, problem);
    print_words(fmt::format("{}{}{}That holds for any data with the root {}.\n", verdict, bounds_words(report),
                            check_sentences(proof, check), proof.data.root));
  }
  return confirmed ? kDone : kCheckFailed;
}

int verify_model_proof(const OptimalityProof& proof, const ModelProofTask& task,
                       const std::function<OptimalityCheck(const Observer& observe)>& check) {
  ProgressBar bar("checking");
  const OptimalityCheck result = check([&](const Progress& progress) { bar.observe(progress); });
  const OptimalityReport report{task.data, task.model, task.proof, "", proof};
  if (task.json) {
    Json object = optimality_json(report);
    object["valid"] = result.valid;
    object["reason"] = result.reason;
    add_check(object, result);
    print_json(object);
  } else if (result.valid) {
    print_words(fmt::format("{}: valid. {}{}That holds for any data with the root {}.\n", shown_text(task.proof),
                            optimality_words(report), check_sentences(proof, result), proof.data.root));
  } else {
    print_words(fmt::format("{}: not valid: {}.\n", shown_text(task.proof), shown_text(result.reason)));
  }
  return result.valid ? kDone : kCheckFailed;
}

}  // namespace linsep::app
