// What `linsep logit` reports about a logistic regression, with the table of coefficients in words, JSON, CSV, Markdown
// and LaTeX.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/logit.h"
#include "linsep/picture/document.h"
#include "report/json.h"

namespace linsep {

struct LogitReport {
  std::string data;   ///< the file's name
  std::string label;  ///< the label's column, or "" if it has no name
  std::string positive, negative;
  std::vector<std::string> names;  ///< of the columns of the source, with the intercept's last
  LogitResult result;
  double confidence = 0.95;
  bool profile = true;  ///< tests and intervals are likelihood ratios and profiles, otherwise Wald's
  LogitOptions::InfiniteInterval infinite_interval = LogitOptions::InfiniteInterval::kMidP;  ///< with `profile`
  bool robust = false;
  std::string cluster{};            ///< standard errors are robust by the clusters of this column, or "" if they aren't
  bool per_deviation = false;       ///< odds ratios are per standard deviation of the column
  std::int64_t missing_labels = 0;  ///< rows that were left out
  std::string offset, weight;       ///< columns, or "" for none
  std::vector<std::string> references{};       ///< "smoker: never"
  std::vector<std::string> dates{};            ///< columns that count in days
  std::vector<std::string> missing_columns{};  ///< names for LogitResult::missing
  /// For each of LogitResult::terms, the values of interacting columns at which it is tested, as in "sex=f".
  std::vector<std::string> term_at{};
  std::string proof, check;  ///< the certificate's file and the command that checks it, or "" if it isn't saved
  double seconds = 0;
};

std::string logit_words(const LogitReport& report);
Json logit_json(const LogitReport& report);
/// A header and a line per coefficient. Infinite numbers are inf and -inf. A number that doesn't exist is empty.
std::string logit_csv(const LogitReport& report);
/// The table alone, to be pasted.
std::string logit_markdown(const LogitReport& report);
std::string logit_latex(const LogitReport& report);
/// For a report page, the table with its odds ratios, and the sentences about it.
void add_coefficients(Picture& picture, const LogitReport& report);

}  // namespace linsep
