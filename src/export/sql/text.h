// Pieces of SQL that both dialects read alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/plan.h"
#include "linsep/tools/export.h"

namespace linsep {

/// The very double: written as a string, for both dialects read 0.1 as a decimal.
std::string sql_number(double value);
std::string sql_string(std::string_view bytes);
/// A name in quotes.
std::string sql_name(std::string_view name);
/// A table in WITH: NAME(COLUMN, …), of strings and then of columns of numbers. Long literals that are taken apart:
/// both dialects need many times longer to read as many rows of VALUES. Throws a usage Error for strings that leave no
/// sign to stand between them.
std::string sql_list(const std::string& head, const std::vector<std::string>& strings,
                     const std::vector<std::vector<double>>& columns);
/// What the first line says of the dialect and the columns.
std::string sql_comment(const Plan& plan, SqlDialect dialect);

}  // namespace linsep
