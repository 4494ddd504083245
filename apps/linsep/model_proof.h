// Proofs of how good a trained model is: `linsep certify --model` makes them, `linsep verify` checks them.
#pragma once

#include <string>

#include "linsep/model.h"
#include "linsep/optimality.h"
#include "linsep/source.h"

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

/// Proves how good the model is, writes the proof if a file was named, and says so. Returns the exit code.
int certify_model(const Model& model, Source& data, const ModelProofTask& task);
/// The same of a classifier of another tool.
int certify_weights(const GivenWeights& given, Source& data, const ModelProofTask& task);

/// Checks such a proof on the rows and says so. Returns the exit code.
int verify_model_proof(const OptimalityProof& proof, Source& data, const ModelProofTask& task);

}  // namespace linsep::app
