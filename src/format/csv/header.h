// Whether the first row of CSV names the columns. See docs/formats/csv.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/read.h"

namespace linsep::csv {

/// A column's number as people write it, from 1.
std::optional<std::uint64_t> column_number(std::string_view text);

/// Whether a field of the first row can only be a name. A missing or infinite value is no name: taken for one, its row
/// would be lost without a word.
bool is_name(std::string_view field);

/// Without names to go by, a file for a model of `features` features has a label only if it has a column more.
bool has_room_for_label(std::size_t candidates, const ReadOptions& options);

/// Where features are numbers: the options say so or name a column, or a feature's field is a name.
bool has_header(const std::vector<std::string>& fields, const ReadOptions& options);

/// Where fields may be words: the options say so or name a column (`named`: of others than they have); or no field of
/// the first row is a number, and either a name stands above a column of numbers, or all fields are names (the
/// first may be nothing, above numbers), no two of them the same, and none stands in its column again. `columns`: the
/// fields below the first row, column by column, as far as they were looked at.
bool has_table_header(std::span<const std::string_view> first_row,
                      std::span<const std::vector<std::string_view>> columns, const ReadOptions& options,
                      std::span<const std::string> named);

}  // namespace linsep::csv
