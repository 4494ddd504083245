// Tables that proofs speak of: their rows are encoded, and what they are encoded by stands in the proof.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/table/map.h"

namespace linsep::app {

/// A column that a proof uses, and what becomes of its values.
struct ProofColumn {
  std::string name, kind, encoding;
};

/// Of svmlight none; nor of a table whose hash alone is in the proof, unless `known` (may be null) is that table.
std::vector<ProofColumn> proof_columns(const DataDigest& data, const TableMap* known);
/// The label, the columns used and how they are encoded, those left out: a line or more for each; "" of svmlight.
std::string columns_words(const DataDigest& data, const std::vector<ProofColumn>& columns);
nlohmann::ordered_json columns_json(const std::vector<ProofColumn>& columns);

/// Makes `options` read and encode rows as the proof says: its label, its columns, its table; what `options` say
/// already stays. `model` names the model whose table that is, for a proof that has only its hash; `proof` is for
/// messages. Throws an input Error where the proof's table is no map, a usage Error where a model is needed.
void read_as_encoded(const DataDigest& data, const std::string& proof, const std::string& model, ReadOptions& options);

/// With a name for every feature of encoded rows, where they aren't too many.
Schema with_feature_names(Schema schema);

}  // namespace linsep::app
