// The JSON object of a TableMap (docs/reference/formats/model.md), with its lists in full or only their lengths.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

enum class TableLists { kInPlace, kLengthsOnly };

/// How long the lists of an encoder are, where they stand elsewhere.
struct EncoderLengths {
  std::uint64_t terms = 0, buckets = 0, names = 0, idf = 0;
};

/// The object as text; keys always in the same order.
std::string table_object_text(const TableMap& map, TableLists lists);

/// Reads an object back. With kLengthsOnly the lists stay empty and `lengths` has one entry for each encoder. Throws a
/// BadJson (core/json.h); what only the complete map can show is left to problem_of. `path` names the object.
TableMap table_of_object(const nlohmann::json& object, const std::string& path, TableLists lists,
                         std::vector<EncoderLengths>& lengths);

}  // namespace linsep
