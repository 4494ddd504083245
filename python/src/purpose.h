// Purpose is what rows are read for. It decides how the rows of a file become numbers (read_options_for of
// linsep/read.h). Rows of arrays don't depend on it.
#pragma once

#include "linsep/certificate.h"
#include "linsep/learner_info.h"
#include "linsep/model.h"

namespace linsep::python {

struct Purpose {
  /// The learner that is to be trained.
  const LearnerInfo* learner = nullptr;
  /// For proofs and the hard margin. Values are doubles, numbers are as written, and columns of a table aren't scaled.
  bool exact = false;
  /// The model that is to score the rows. It sets their classes, columns and table.
  const Model* model = nullptr;
  bool labelled = true;  ///< false if rows may lack a label
  /// The model that a proof is about or that guides it.
  const Model* guide = nullptr;
  /// Rows that were already read for a proof stay as they are, because the current proof was found on them.
  bool as_proven = false;
  /// The data that a certificate is about. The rows are encoded by its table, if it has one.
  const DataDigest* proof = nullptr;
};

/// Rows to train on, read like `linsep train` reads them.
inline Purpose for_learner(const LearnerInfo& learner, bool hard = false) {
  Purpose purpose;
  purpose.learner = &learner;
  purpose.exact = hard;
  return purpose;
}

/// Rows that a model is to score.
inline Purpose for_model(const Model& model, bool labelled) {
  Purpose purpose;
  purpose.model = &model;
  purpose.labelled = labelled;
  return purpose;
}

/// Rows to prove something about, read like `linsep certify` reads them with the model `guide`, if there is one.
inline Purpose for_proof(const Model* guide = nullptr) {
  Purpose purpose;
  purpose.exact = true;
  purpose.guide = guide;
  return purpose;
}

/// Rows on which a certificate was just found.
inline Purpose as_proven() {
  Purpose purpose = for_proof();
  purpose.as_proven = true;
  return purpose;
}

}  // namespace linsep::python
