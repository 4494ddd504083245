// A model as one query. Rows get a number; large categories and texts are joined by it; all else is one expression.
//
//   WITH linsep_rows AS (the table, with row numbers), weights and sums of texts …
//   SELECT t.*, predicted, score, probability FROM linsep_rows AS t … CROSS JOIN LATERAL (SELECT … AS z0) AS s
#include <fmt/format.h>

#include "export/plan.h"
#include "export/sql/answers.h"
#include "export/sql/shares.h"
#include "export/sql/text.h"
#include "linsep/tools/export.h"

namespace linsep {
namespace {

Language sql_language(SqlDialect dialect) {
  Language language;
  language.name = dialect == SqlDialect::kDuckDb ? "DuckDB's SQL" : "PostgreSQL's SQL";
  language.text = dialect == SqlDialect::kDuckDb;
  language.text_advice = "is text; export for DuckDB, in C or as ONNX";
  language.vector = false;
  return language;
}

}  // namespace

std::string export_sql(const Model& model, SqlDialect dialect, const std::string& from) {
  const Plan plan = make_plan(model, sql_language(dialect));
  SqlShares shares(plan);
  for (std::size_t encoder = 0; encoder < plan.table.encoders.size(); ++encoder) shares.take(encoder);
  std::string query = fmt::format("-- A linear classifier, written by linsep for {}.\n", sql_comment(plan, dialect));
  const bool numbered = shares.numbered();
  if (!shares.tables().empty()) query += "WITH ";
  if (numbered) {
    query += fmt::format("linsep_rows AS (SELECT *, ROW_NUMBER() OVER () AS linsep_row FROM {})", sql_name(from));
  }
  for (std::size_t k = 0; k < shares.tables().size(); ++k) {
    query += (k > 0 || numbered ? ",\n" : "") + shares.tables()[k];
  }
  if (!shares.tables().empty()) query += "\n";
  query += fmt::format("SELECT {}", numbered && dialect == SqlDialect::kDuckDb ? "t.* EXCLUDE (linsep_row)" : "t.*");
  for (const SqlColumn& column : sql_answers(model))
    query += fmt::format(",\n  {} AS {}", column.expression, sql_name(column.name));
  query += fmt::format("\nFROM {} AS t\n{}CROSS JOIN LATERAL (SELECT\n", numbered ? "linsep_rows" : sql_name(from),
                       shares.joins());
  for (std::size_t part = 0; part < plan.parts; ++part) {
    query += fmt::format("{}{} AS z{}", part > 0 ? ",\n" : "", shares.score(part), part);
  }
  query += "\n) AS s";
  query += numbered ? "\nORDER BY t.linsep_row;\n" : ";\n";
  return query;
}

}  // namespace linsep
