// Texts in DuckDB's SQL: words by a regular expression, n-grams by LEAD, a table of weights, counts, lengths and sums.
#include <fmt/format.h>

#include "export/sql/shares.h"
#include "export/sql/text.h"
#include "export/word_pattern.h"

namespace linsep {
namespace {

/// All n-grams of the words, row by row.
std::string grams_text(const Encoder& e, const std::string& words) {
  std::string text;
  for (int n = e.words.from; n <= e.words.to; ++n) {
    std::string term = "word";
    for (int k = 1; k < n; ++k) {
      term += fmt::format(" || ' ' || LEAD(word, {}) OVER (PARTITION BY linsep_row ORDER BY place)", k);
    }
    text += fmt::format("{}SELECT linsep_row, {} AS term FROM {}", text.empty() ? "" : "\n    UNION ALL ", term, words);
  }
  return text;
}

}  // namespace

void SqlShares::take_text(std::size_t number) {
  const Encoder& e = encoder(number);
  if (e.terms.empty()) return;
  numbered_ = true;
  const std::string words = fmt::format("linsep_words_{}", number), weights = fmt::format("linsep_weights_{}", number);
  const std::string values = fmt::format("linsep_terms_{}", number), sums = fmt::format("linsep_sums_{}", number);
  tables_.push_back(fmt::format(
      "{}(linsep_row, word, place) AS (SELECT linsep_row, UNNEST(words), GENERATE_SUBSCRIPTS(words, 1)\n"
      "    FROM (SELECT linsep_row, REGEXP_EXTRACT_ALL(LOWER(CAST({} AS VARCHAR)), {}) AS words FROM linsep_rows))",
      words, sql_name(e.column), sql_string(word_pattern())));
  std::string columns, any, added;
  std::vector<std::vector<double>> numbers{e.idf.empty() ? std::vector<double>(e.terms.size(), 1.0) : e.idf};
  for (std::size_t part = 0; part < plan_.parts; ++part) {
    columns += fmt::format(", w{}", part);
    any += fmt::format(", ANY_VALUE(w{})", part);
    added += fmt::format(", SUM(w{} * value)", part);
    std::vector<double>& theta = numbers.emplace_back();
    for (std::size_t place = 0; place < e.terms.size(); ++place) theta.push_back(weight(part, number, place));
  }
  tables_.push_back(sql_list(fmt::format("{}(term, idf{})", weights, columns), e.terms, numbers));
  std::string value = "CAST(COUNT(*) AS DOUBLE PRECISION)";
  if (e.weight == TermWeight::kSqrt) value = fmt::format("SQRT({})", value);
  if (e.weight == TermWeight::kPresence) value = sql_number(1);
  tables_.push_back(fmt::format(
      "{}(linsep_row, value{}) AS (SELECT linsep_row, {} * ANY_VALUE(idf){}\n    FROM ({}) AS g JOIN {} USING (term)\n"
      "    GROUP BY linsep_row, term)",
      values, columns, value, any, grams_text(e, words), weights));
  const std::string length = e.norm ? " / SQRT(SUM(value * value) OVER (PARTITION BY linsep_row))" : "";
  const std::string scaled =
      plan_.table.single ? fmt::format("CAST(CAST(value{} AS REAL) AS DOUBLE PRECISION)", length) : "value" + length;
  tables_.push_back(
      fmt::format("{}(linsep_row{}) AS (SELECT linsep_row{}\n    FROM (SELECT linsep_row, {} AS value{} FROM {}) AS v "
                  "GROUP BY linsep_row)",
                  sums, columns, added, scaled, columns, values));
  joins_ += fmt::format("LEFT JOIN {0} ON {0}.linsep_row = t.linsep_row\n", sums);
  for (std::size_t part = 0; part < plan_.parts; ++part) add(part, fmt::format("COALESCE({}.w{}, 0)", sums, part));
}

}  // namespace linsep
