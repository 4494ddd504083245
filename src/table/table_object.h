// The JSON object of a TableMap (docs/reference/formats/model.md), with its lists in full or only their lengths.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

enum class TableLists { kInPlace, kLengthsOnly };

/// The lengths of an encoder's lists, if the lists themselves are stored elsewhere.
struct EncoderLengths {
  std::uint64_t terms = 0, buckets = 0, names = 0, idf = 0;
};

/// The object as text, with keys always in the same order.
std::string table_object_text(const TableMap& map, TableLists lists);

/// Reads an object back. With kLengthsOnly the lists stay empty and `lengths` has one entry for each encoder. Throws a
/// BadJson (core/json.h). Problems that only the complete map can show are left to problem_of. `path` names the object.
TableMap table_of_object(const nlohmann::json& object, const std::string& path, TableLists lists,
                         std::vector<EncoderLengths>& lengths);

}  // namespace linsep
