// Tables that proofs speak of: their rows are encoded, and what they are encoded by stands in the proof.
#pragma once

#include <string>

#include "linsep/certificate.h"
#include "linsep/read.h"
#include "linsep/source.h"

namespace linsep::app {

/// Where a proof is about rows of a table: makes `options` read and encode them as the proof says. `model` names the
/// model whose table that is, for a proof that has only its hash; `proof` is for messages. Throws an input Error where
/// the proof's table is no map, a usage Error where a model is needed.
void take_proof_table(const DataDigest& data, const std::string& proof, const std::string& model, ReadOptions& options);

/// With a name for every feature of encoded rows, where they aren't too many.
Schema with_feature_names(Schema schema);

}  // namespace linsep::app
