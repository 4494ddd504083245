// How rows are read for a purpose, the same by every door. Every function takes the options that were asked for and
// completes them. For rows that a model is to score, this is `read_options_for` of linsep/read.h.
#pragma once

#include <memory>
#include <string>

#include "linsep/certificate.h"
#include "linsep/learner_info.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "linsep/table/map.h"

namespace linsep {

/// To train the learner: labels are of its kind. With `hard`, for the hard margin, values are exact as for a proof.
ReadOptions read_options_for(const LearnerInfo& learner, bool hard, ReadOptions base = {});

/// How numbers of a table are scaled for the learner, unless the caller decides it. Those that go into a soft margin
/// are, and every other learner's stay as they are.
Scale usual_scale(const LearnerInfo& learner);

/// To prove something: values are doubles, as written, and there may be any number of classes.
ReadOptions read_options_for_proof(ReadOptions base = {});

/// To prove something about `model` or with its help. Its classes and table are taken, and every column is a feature,
/// whether the model has it or not, because a checker reads rows without the model.
ReadOptions read_options_for_proof(const Model& model, ReadOptions base = {});

/// To check a proof about `data`, with its label, its columns and its table. What `base` already specifies stays.
/// `known` is the table if the proof has only its hash, otherwise it may be null. `proof` is for messages. Throws an
/// input Error if the proof's table is no map.
ReadOptions read_options_as_encoded(const DataDigest& data, const std::string& proof, const TableMap* known,
                                    ReadOptions base = {});
/// Whether a proof has only the hash of its table.
bool has_table_hash(const DataDigest& data);

/// The table as a proof uses it, whose numbers are doubles.
std::shared_ptr<const TableMap> exact_table(TableMap map);

}  // namespace linsep
