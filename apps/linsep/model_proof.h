// Proofs of how good a trained model is: `linsep certify --model` makes them, `linsep verify` checks them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "reading.h"

namespace linsep::app {

/// What `certify` and `verify` were asked to do with a model.
struct ModelProofTask {
  std::string data, model, proof, check;  ///< as OptimalityReport has them
  bool json = false, quiet = false;
  ProofOptions options = {};
  double gap = 1e-3;  ///< a larger one is improved by training
};

/// Whether a model has an objective that can be proven to be near the best possible one.
bool has_objective(const Model& model);

/// Throws an input Error where the rows have other columns than the model's, or another number of them.
void require_columns_of(const Model& model, const Source& rows, const std::string& name);
void require_features(std::uint32_t expected, const Source& rows, const std::string& name);
/// Reads rows for a proof about the model.
std::unique_ptr<Source> rows_of(const Model& model, const InputOptions& reading);

/// Proves how good the model is, writes the proof if a file was named, and says so. Returns the exit code.
int certify_model(const Model& model, Source& data, const InputOptions& reading, const ModelProofTask& task);
/// The same of a classifier of another tool.
int certify_weights(const GivenWeights& given, Source& data, const InputOptions& reading, const ModelProofTask& task);

/// After training: proves how good the model is, writes the proof to `path` and notes the rows' root in the model.
OptimalityProof keep_model_proof(Model& model, const InputOptions& reading, const std::string& path);

/// Checks on the rows what a model's file says of its objective. Returns the exit code: that of a failed check too if
/// the file says nothing.
int verify_model(const Model& model, Source& data, const ModelProofTask& task);

/// Says what `check` finds of such a proof. Returns the exit code.
int verify_model_proof(const OptimalityProof& proof, const ModelProofTask& task,
                       const std::function<OptimalityCheck(const Observer& observe)>& check);

}  // namespace linsep::app
