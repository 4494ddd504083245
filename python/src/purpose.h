// Purpose is what rows are read for. It decides how the rows of a file become numbers. Rows of arrays don't depend on
// it.
#pragma once

#include "linsep/certificate.h"
#include "linsep/learner_info.h"
#include "linsep/model.h"
#include "linsep/table/map.h"

namespace linsep::python {

struct Purpose {
  bool regression = false;   ///< labels are numbers
  bool many_classes = true;  ///< more than two classes are allowed
  /// For proofs and the hard margin. Values are doubles, numbers are as written, and columns of a table aren't scaled.
  bool exact = false;
  Scale scale = Scale::kNone;  ///< for a table's numbers, unless the user chooses
  bool labelled = true;        ///< false if rows may lack a label
  /// The model that is to score the rows. It sets their classes, columns and table.
  const Model* model = nullptr;
  /// The guide of a proof. Every column is a feature, whether this model has it or not, because a checker reads rows
  /// without the model.
  const Model* guide = nullptr;
  /// Rows that were already read for a proof stay as they are, because the current proof was found on them.
  bool as_proven = false;
  /// The data that a certificate is about. The rows are encoded by its table, if it has one.
  const DataDigest* proof = nullptr;
};

/// Rows to train on, read like `linsep train` reads them.
inline Purpose for_learner(const LearnerInfo& learner, bool hard = false) {
  Purpose purpose;
  purpose.regression = learner.regression;
  purpose.many_classes = learner.many;
  purpose.exact = hard;
  purpose.scale = learner.objective ? Scale::kDeviation : Scale::kNone;
  return purpose;
}

/// Rows that a model is to score.
inline Purpose for_model(const Model& model, bool labelled) {
  Purpose purpose;
  purpose.model = &model;
  purpose.labelled = labelled;
  return purpose;
}

/// Rows to prove something about, read like `linsep certify` reads them.
inline Purpose for_proof() {
  Purpose purpose;
  purpose.exact = true;
  return purpose;
}

/// Rows on which a certificate was just found.
inline Purpose as_proven() {
  Purpose purpose = for_proof();
  purpose.as_proven = true;
  return purpose;
}

}  // namespace linsep::python
