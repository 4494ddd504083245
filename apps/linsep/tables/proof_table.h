// Tables that proofs are about. Their rows are encoded, and the encoding stands in the proof.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/table/map.h"

namespace linsep::app {

/// A column that a proof uses, and how its values are encoded.
struct ProofColumn {
  std::string name, kind, encoding;
};

/// None for svmlight, and none for a table whose hash alone is in the proof, unless `known` (may be null) is that
/// table.
std::vector<ProofColumn> proof_columns(const DataDigest& data, const TableMap* known);
/// The label, the columns used with their encoding, and those left out, with a line or more for each. "" for svmlight.
std::string columns_words(const DataDigest& data, const std::vector<ProofColumn>& columns);
nlohmann::ordered_json columns_json(const std::vector<ProofColumn>& columns);

/// `read_options_as_encoded` with the table of the file `model`, for a proof that has only its hash. Throws a usage
/// Error if that file is needed or isn't.
ReadOptions options_as_encoded(const DataDigest& data, const std::string& proof, const std::string& model,
                               ReadOptions options);

/// Adds a name for every feature of encoded rows, if they aren't too many.
Schema with_feature_names(Schema schema);

}  // namespace linsep::app
