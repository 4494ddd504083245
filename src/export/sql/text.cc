#include "export/sql/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/error.h"

namespace linsep {
namespace {

std::string doubled(std::string_view bytes, char quote) {
  std::string text(1, quote);
  for (const char byte : bytes) {
    text.push_back(byte);
    if (byte == quote) text.push_back(byte);
  }
  text.push_back(quote);
  return text;
}

/// A byte that no string holds, 0 where there is none; a newline reads best.
char byte_between(const std::vector<std::string>& strings) {
  const auto free = [&](char byte) {
    return std::ranges::none_of(strings, [&](const std::string& one) { return one.find(byte) != std::string::npos; });
  };
  if (free('\n')) return '\n';
  for (char byte = 1; byte < 32; ++byte) {
    if (free(byte)) return byte;
  }
  return 0;
}

}  // namespace

std::string sql_number(double value) { return fmt::format("CAST('{}' AS DOUBLE PRECISION)", value); }
std::string sql_string(std::string_view bytes) { return doubled(bytes, '\''); }
std::string sql_name(std::string_view name) { return doubled(name, '"'); }

std::string sql_list(const std::string& head, const std::vector<std::string>& strings,
                     const std::vector<std::vector<double>>& columns) {
  const char between = byte_between(strings);
  if (between == 0) throw usage_error("the model can't be said in SQL: its values hold every control character");
  std::string joined;
  for (const std::string& one : strings) {
    if (!joined.empty()) joined += between;
    joined += one;
  }
  std::string text = fmt::format("{} AS (SELECT UNNEST(STRING_TO_ARRAY({}, CHR({})))", head, sql_string(joined),
                                 static_cast<int>(between));
  for (const std::vector<double>& column : columns) {
    text +=
        fmt::format(",\n    UNNEST(CAST(STRING_TO_ARRAY('{}', ' ') AS DOUBLE PRECISION[]))", fmt::join(column, " "));
  }
  return text + ")";
}

std::string sql_comment(const Plan& plan, SqlDialect dialect) {
  return fmt::format("{}; it reads {} columns", dialect == SqlDialect::kDuckDb ? "DuckDB" : "PostgreSQL",
                     plan.inputs.size());
}

}  // namespace linsep
