#include "model_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "keep_proof.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "linsep/tools/shown_text.h"
#include "output.h"
#include "progress_bar.h"
#include "report/optimality.h"
#include "verb.h"
#include "workers.h"

namespace linsep::app {

bool has_objective(const Model& model) {
  const LearnerInfo* const learner = find_learner(model.learner);
  return learner != nullptr && learner->objective && !model.regression && !get_flag(model.options, "hard");
}

namespace {

int certified(const ModelProofTask& task, const std::function<OptimalityProof(const Observer& observe)>& prove) {
  if (workers().size() > 1) throw usage_error("a proof of how good a model is needs a single worker so far");
  if (is_bundle(task.proof))
    throw usage_error("a bundle has no place for a proof about a model yet: name a .json file");
  OptimalityProof proof;
  {
    ProgressBar bar("proving");
    proof = prove([&](const Progress& progress) { bar.observe(progress); });
  }
  if (!task.proof.empty()) save_optimality(proof, task.proof);
  const OptimalityReport report{task.data, task.model, task.proof, task.check, proof};
  if (task.json) {
    print_json(optimality_json(report));
  } else if (!task.quiet) {
    print_words(optimality_words(report));
  }
  return kDone;
}

}  // namespace

int certify_model(const Model& model, Source& data, const ModelProofTask& task) {
  // A model that was asked for less has what it was asked for.
  const double asked = model.options.contains("gap") ? get_number(model.options, "gap") : 0;
  const double gap = std::max(task.gap, asked);
  return certified(task, [&](const Observer& observe) { return audit_model(model, data, gap, task.options, observe); });
}

int certify_weights(const GivenWeights& given, Source& data, const ModelProofTask& task) {
  return certified(
      task, [&](const Observer& observe) { return audit_weights(given, data, task.gap, task.options, observe); });
}

int verify_model_proof(const OptimalityProof& proof, Source& data, const ModelProofTask& task) {
  ProgressBar bar("checking");
  const CheckResult result =
      verify_optimality(proof, data, task.options, [&](const Progress& progress) { bar.observe(progress); });
  const OptimalityReport report{task.data, task.model, task.proof, "", proof};
  if (task.json) {
    Json object = optimality_json(report);
    object["valid"] = result.valid;
    object["reason"] = result.reason;
    print_json(object);
  } else if (result.valid) {
    print_words(fmt::format("{}: valid. {}That holds for any data with the root {}.\n", shown_text(task.proof),
                            optimality_words(report), proof.data.root));
  } else {
    print_words(fmt::format("{}: not valid: {}.\n", shown_text(task.proof), shown_text(result.reason)));
  }
  return result.valid ? kDone : kCheckFailed;
}

}  // namespace linsep::app
