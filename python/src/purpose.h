// Purpose: what rows are read for. How the rows of a file become numbers depends on it; rows of arrays don't.
#pragma once

#include "linsep/certificate.h"
#include "linsep/learner_info.h"
#include "linsep/model.h"
#include "linsep/table/map.h"

namespace linsep::python {

struct Purpose {
  bool regression = false;   ///< labels are numbers
  bool many_classes = true;  ///< more than two classes are allowed
  /// For proofs and the hard margin: values are doubles, numbers as written, and columns of a table aren't scaled.
  bool exact = false;
  Scale scale = Scale::kNone;  ///< of a table's numbers, where nothing is said
  bool labelled = true;        ///< false: rows without a label are fine
  /// Rows that this model is to score: its classes, its columns and its table.
  const Model* model = nullptr;
  /// For proofs beside this model: every column is a feature, the model's or not, as a checker reads without the model.
  const Model* guide = nullptr;
  /// Rows that are there and were read for a proof stay as they are: the proof at hand was found on them.
  bool as_proven = false;
  /// Rows that a certificate is about: encoded by its table, where it has one.
  const DataDigest* proof = nullptr;
};

/// Rows to train on, read as `linsep train` reads them.
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

/// Rows to prove something about, read as `linsep certify` reads them.
inline Purpose for_proof() {
  Purpose purpose;
  purpose.exact = true;
  return purpose;
}

/// Rows that a certificate was just found on.
inline Purpose as_proven() {
  Purpose purpose = for_proof();
  purpose.as_proven = true;
  return purpose;
}

}  // namespace linsep::python
