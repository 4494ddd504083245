#include "report/logit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/elementary.h"
#include "linsep/tools/fields.h"
#include "report/words.h"

namespace linsep {
namespace {

using Method = LogitOptions::Method;
constexpr int kFigures = 6;

/// A number with `count` figures, or "–" if there is none.
std::string figures(double number, int count = kFigures) {
  if (std::isnan(number)) return "–";
  if (std::isinf(number)) return number > 0 ? "+∞" : "−∞";
  return fmt::format("{}{:.{}g}", number < 0 ? "−" : "", std::fabs(number), count);
}

/// No more figures than are proven.
std::string estimate_words(const LogitCoefficient& each) {
  if (std::isnan(each.error) || !std::isfinite(each.estimate) || each.estimate == 0) return figures(each.estimate);
  const double sure = -elementary::log10(2 * each.error / std::fabs(each.estimate));
  if (sure >= kFigures) return figures(each.estimate);
  if (sure < 1) return fmt::format("{} ± {:.1g}", figures(each.estimate, 1), each.error);
  return figures(each.estimate, static_cast<int>(sure));
}

/// Below this a double has few digits or none.
constexpr double kLeastP = 1e-300;

std::string p_words(double p) {
  if (std::isnan(p)) return "–";
  if (p < kLeastP) return "< 1e-300";
  if (p < 1e-4) return fmt::format("{:.2e}", p);
  return fmt::format("{:.4f}", p);
}

std::string interval_words(double low, double high, int count) {
  if (std::isnan(low) && std::isnan(high)) return "–";
  const bool open_low = std::isinf(low), open_high = std::isinf(high);
  return fmt::format("{}{}, {}{}", open_low ? "(" : "[", open_low ? "−∞" : figures(low, count),
                     open_high ? "∞" : figures(high, count), open_high ? ")" : "]");
}

/// ln of an odds ratio, which is per unit of the column, or per standard deviation.
double log_odds(const LogitReport& report, const LogitCoefficient& each, double number) {
  return number * (report.per_deviation && each.column + 1 < report.names.size() ? each.deviation : 1);
}

/// The odds ratio, which is 0 or infinite for an infinite coefficient, and NaN if it is too large or too small for a
/// double.
double odds(const LogitReport& report, const LogitCoefficient& each, double number) {
  if (std::isinf(number)) return number > 0 ? number : 0;
  const double ratio = elementary::exp(log_odds(report, each, number));
  return std::isnormal(ratio) ? ratio : LogitCoefficient::kNone;
}

std::string odds_words(const LogitReport& report, const LogitCoefficient& each, double number) {
  const double ratio = odds(report, each, number);
  if (!std::isnan(ratio) || std::isnan(number)) return figures(ratio, 4);
  return log_odds(report, each, number) > 0 ? "> 1e+308" : "< 1e-307";
}

std::string odds_interval(const LogitReport& report, const LogitCoefficient& each) {
  if (std::isnan(each.low) && std::isnan(each.high)) return "–";
  const bool open_low = std::isinf(each.low), open_high = std::isinf(each.high);
  return fmt::format("{}{}, {}{}", open_low ? "(" : "[", odds_words(report, each, each.low),
                     open_high ? "∞" : odds_words(report, each, each.high), open_high ? ")" : "]");
}

std::string percent_words(double confidence) { return fmt::format("{:.4g} %", 100 * confidence); }

std::string method_words(Method method) {
  switch (method) {
    case Method::kMaximumLikelihood:
      return "maximum likelihood";
    case Method::kFirth:
      return "Firth's penalized likelihood";
    case Method::kFlic:
      return "Firth's penalized likelihood with the intercept corrected (FLIC)";
    case Method::kFlac:
      return "Firth's penalized likelihood with added covariate (FLAC)";
  }
  return "";
}
std::string_view method_name(Method method) {
  switch (method) {
    case Method::kMaximumLikelihood:
      return "maximum likelihood";
    case Method::kFirth:
      return "firth";
    case Method::kFlic:
      return "flic";
    case Method::kFlac:
      return "flac";
  }
  return "";
}

const std::string& name_of(const LogitReport& report, std::uint32_t column) {
  return report.names[std::min<std::size_t>(column, report.names.size() - 1)];
}

bool is_robust(const LogitReport& report) { return report.robust || !report.cluster.empty(); }

/// The table's cells, the header first.
std::vector<std::vector<std::string>> cells(const LogitReport& report) {
  const std::string percent = percent_words(report.confidence);
  const std::string ratio = report.per_deviation ? "odds ratio per SD" : "odds ratio";
  std::vector<std::vector<std::string>> table = {{"", "coefficient", is_robust(report) ? "robust SE" : "SE",
                                                  percent + " interval", report.profile ? "χ²" : "z", "p", ratio,
                                                  percent + " interval"}};
  for (const LogitCoefficient& each : report.result.coefficients) {
    const bool intercept = each.column + 1 == report.names.size();
    table.push_back(
        {short_text(name_of(report, each.column)), estimate_words(each), figures(each.standard_error, 5),
         interval_words(each.low, each.high, 5), report.profile ? figures(each.chi_square, 5) : figures(each.z, 4),
         p_words(report.profile ? each.p : each.wald_p), intercept ? "" : odds_words(report, each, each.estimate),
         intercept ? "" : odds_interval(report, each)});
  }
  return table;
}

/// Cells in columns, the first to the left, all others to the right.
std::string table_text(const std::vector<std::vector<std::string>>& table) {
  std::vector<std::size_t> width(table.front().size(), 0);
  for (const auto& row : table) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], text_width(row[c]));
  }
  std::string text;
  for (const auto& row : table) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += c == 0 ? padded(row[c], width[c]) : fmt::format("  {}", padded_left(row[c], width[c]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string names_words(const LogitReport& report, CoefficientStatus status, const char* suffix = "") {
  std::vector<std::string> names;
  for (const LogitCoefficient& each : report.result.coefficients) {
    if (each.status == status) names.push_back(short_text(name_of(report, each.column)) + suffix);
  }
  constexpr std::size_t kFew = 10;
  const std::size_t count = names.size();
  if (names.size() > kFew) names.resize(kFew);
  return listed(names, kFew, count);
}

bool has(const LogitReport& report, CoefficientStatus status) {
  return std::ranges::any_of(report.result.coefficients,
                             [&](const LogitCoefficient& each) { return each.status == status; });
}

/// Columns with missing values, as in " (age 3, smoker 1)".
std::string missing_words(const LogitReport& report) {
  std::vector<std::string> columns;
  const std::vector<std::int64_t>& missing = report.result.missing;
  for (std::size_t k = 0; k < missing.size() && k < report.missing_columns.size(); ++k) {
    if (missing[k] == 0) continue;
    columns.push_back(fmt::format("{} {}", short_text(report.missing_columns[k]), with_commas(missing[k])));
  }
  if (report.result.unclustered > 0) {
    columns.push_back(fmt::format("{} {}", short_text(report.cluster), with_commas(report.result.unclustered)));
  }
  constexpr std::size_t kFew = 10;
  const std::size_t count = columns.size();
  if (count > kFew) columns.resize(kFew);
  return columns.empty() ? "" : fmt::format(" ({}{})", fmt::join(columns, ", "), count > kFew ? ", …" : "");
}

std::string header_words(const LogitReport& report) {
  const LogitResult& result = report.result;
  const std::string label = report.label.empty() ? "class" : short_text(report.label);
  std::string text = fmt::format("{}: logistic regression of {} = {} ({} of {} rows), by {}.\n", report.data, label,
                                 short_text(report.positive), figures(result.positives, 15),
                                 figures(result.observations, 15), method_words(result.method));
  if (!report.weight.empty()) {
    text += fmt::format("Rows count as often as column {} says; the file has {}.\n", short_text(report.weight),
                        counted(result.rows, "row"));
  }
  if (result.incomplete > 0) {
    text +=
        fmt::format("Left out: {} with a missing value{}.\n", counted(result.incomplete, "row"), missing_words(report));
  }
  if (result.weightless > 0) text += fmt::format("Left out: {} of weight 0.\n", counted(result.weightless, "row"));
  if (report.missing_labels > 0) {
    text += fmt::format("Left out: {} without a label.\n", counted(report.missing_labels, "row"));
  }
  if (!report.offset.empty()) text += fmt::format("Offset: {}, with a coefficient of 1.\n", short_text(report.offset));
  if (!report.references.empty()) {
    constexpr std::size_t kFew = 10;
    text += fmt::format("Reference levels: {}.\n", listed(report.references, kFew, report.references.size()));
  }
  if (!report.dates.empty()) {
    constexpr std::size_t kFew = 10;
    text += fmt::format("Dates count in days: {}.\n", listed(report.dates, kFew, report.dates.size()));
  }
  return text;
}

std::string separation_words(const LogitReport& report) {
  const LogitResult& result = report.result;
  const bool likelihood = result.method == Method::kMaximumLikelihood;
  std::string text;
  switch (result.separation.certificate.claim) {
    case Claim::kOverlapping:
      text = "Overlapping (proven): every coefficient that the columns determine has a finite estimate.\n";
      break;
    case Claim::kQuasiSeparable:
      text = "Quasi-separable (proven): maximum likelihood has infinite coefficients.";
      if (likelihood) {
        text += fmt::format(" In the limit {} fitted perfectly; the other {} the finite coefficients.",
                            result.separated == 1 ? "1 row is" : with_commas(result.separated) + " rows are",
                            result.rows - result.separated == 1
                                ? "row determines"
                                : with_commas(result.rows - result.separated) + " rows determine");
      }
      text += "\n";
      break;
    case Claim::kSeparable:
      text = "Separable (proven): a hyperplane separates the classes, so maximum likelihood has no finite estimate.";
      text += likelihood ? " --firth gives finite estimates.\n" : "\n";
      break;
    case Claim::kUndecided:
      break;
  }
  if (has(report, CoefficientStatus::kUndetermined)) {
    text += fmt::format("The rows don't determine the coefficients of {}, not even their signs.\n",
                        names_words(report, CoefficientStatus::kUndetermined));
  }
  for (const LogitAlias& alias : result.aliases) {
    constexpr std::size_t kFew = 10;
    std::vector<std::string> of;
    for (const std::uint32_t column : alias.of) of.push_back(short_text(name_of(report, column)));
    const bool constant = alias.of.size() == 1 && alias.of[0] + 1 == report.names.size();
    text += constant ? fmt::format("{} is left out: it is constant.\n", short_text(name_of(report, alias.column)))
                     : fmt::format("{} is left out: it is{} a linear combination of {}.\n",
                                   short_text(name_of(report, alias.column)), alias.proven ? "" : ", up to rounding,",
                                   listed(of, kFew, of.size()));
  }
  return text;
}

std::string test_words(const LogitReport& report, const LogitTest& test) {
  const std::int64_t clusters = report.result.clusters;
  if (std::isnan(test.chi_square) && clusters > 0 && clusters <= test.degrees) {
    return fmt::format("no test of {} by {}", counted(test.degrees, "coefficient"), counted(clusters, "cluster"));
  }
  if (std::isnan(test.chi_square) && test.wald) return "no Wald test, because an estimate isn't finite";
  return fmt::format("{}χ² = {} on {}, p {}{}", test.wald ? "Wald's " : "", figures(test.chi_square),
                     counted(test.degrees, "degree") + " of freedom", test.p < kLeastP ? "" : "= ", p_words(test.p));
}

std::string robust_words(const LogitReport& report) {
  if (report.robust) return " with robust standard errors (HC1)";
  if (report.cluster.empty()) return "";
  constexpr std::int64_t kFew = 30;
  const std::int64_t clusters = report.result.clusters;
  return fmt::format(" with standard errors that are robust to dependence within the {} of {} (CR1){}",
                     counted(clusters, "cluster"), short_text(report.cluster),
                     clusters < kFew ? "; with so few clusters they tend to be too small" : "");
}

/// How the intervals of infinite coefficients were found, if that differs from others.
std::string infinite_words(const LogitReport& report) {
  using Interval = LogitOptions::InfiniteInterval;
  const bool infinite = has(report, CoefficientStatus::kPlusInfinity) || has(report, CoefficientStatus::kMinusInfinity);
  if (!infinite || report.infinite_interval == Interval::kProfile) return "";
  return fmt::format("; those of infinite coefficients by the probability of the perfectly fitted outcomes{}",
                     report.infinite_interval == Interval::kMidP ? " (mid-p)" : "");
}

/// What else is worth knowing about the term, as in " (all levels, at sex=f)".
std::string term_note(const LogitReport& report, std::size_t term) {
  const LogitTest& test = report.result.terms[term];
  const bool several = test.name.find(',') != std::string::npos;
  const std::string at = term < report.term_at.size() ? report.term_at[term] : "";
  const std::string_view what = several ? "jointly" : test.degrees > 1 ? "all levels" : "";
  if (what.empty() && at.empty()) return "";
  return fmt::format(" ({}{}{})", what, what.empty() || at.empty() ? "" : ", ",
                     at.empty() ? "" : "at " + short_text(at));
}

/// The null model that the whole regression is compared with.
std::string null_words(const LogitReport& report) {
  const auto& coefficients = report.result.coefficients;
  const bool intercept = !coefficients.empty() && coefficients.front().column + 1 == report.names.size();
  if (intercept) return "the intercept alone";
  return report.offset.empty() ? "no coefficients, where every probability is ½" : "no coefficients but the offset";
}

std::string footer_words(const LogitReport& report) {
  const LogitResult& result = report.result;
  const bool firth = result.method != Method::kMaximumLikelihood;
  std::string text;
  if (report.profile) {
    text +=
        fmt::format("p by likelihood-ratio tests; intervals by profile {}likelihood{}{}.\n", firth ? "penalized " : "",
                    result.method == Method::kFlic ? ", Wald's for the intercept" : "", infinite_words(report));
  } else {
    text += fmt::format("p and intervals by Wald's approximation{}.\n", robust_words(report));
  }
  for (std::size_t k = 0; k < result.terms.size(); ++k) {
    const LogitTest& test = result.terms[k];
    text += fmt::format("{}{}: {}.\n", short_text(test.name), term_note(report, k), test_words(report, test));
  }
  if (!std::isnan(result.log_likelihood)) {
    text += fmt::format("Log-likelihood {} with {}", figures(result.log_likelihood),
                        counted(result.degrees, "coefficient"));
    if (!firth) text += fmt::format("; AIC {}, BIC {}", figures(result.aic), figures(result.bic));
    text += ".\n";
  }
  if (result.overall.degrees > 0) {
    text += fmt::format("Against {}: {}.\n", null_words(report), test_words(report, result.overall));
  }
  if (!report.proof.empty()) {
    text += fmt::format("Certificate of separation: {}. Check it with `{}`.\n", report.proof, report.check);
  }
  return text;
}

Json number_json(double number) {
  if (std::isnan(number)) return nullptr;
  if (std::isinf(number)) return number > 0 ? "infinity" : "-infinity";
  return number;
}

Json test_json(const LogitTest& test) {
  return {{"name", test.name},
          {"test", test.wald ? "wald" : "likelihood ratio"},
          {"chi_square", number_json(test.chi_square)},
          {"degrees", test.degrees},
          {"p", number_json(test.p)}};
}

Json coefficients_json(const LogitReport& report) {
  const LogitResult& result = report.result;
  Json coefficients = Json::array();
  for (const LogitCoefficient& each : result.coefficients) {
    const bool intercept = each.column + 1 == report.names.size();
    coefficients.push_back({{"name", name_of(report, each.column)},
                            {"column", intercept ? Json(nullptr) : Json(std::uint64_t{each.column} + 1)},
                            {"status", status_name(each.status)},
                            {"estimate", number_json(each.estimate)},
                            {"error", number_json(each.error)},
                            {"standard_error", number_json(each.standard_error)},
                            {"z", number_json(each.z)},
                            {"wald_p", number_json(each.wald_p)},
                            {"chi_square", number_json(each.chi_square)},
                            {"p", number_json(each.p)},
                            {"low", number_json(each.low)},
                            {"high", number_json(each.high)},
                            {"odds_ratio", number_json(odds(report, each, each.estimate))},
                            {"odds_ratio_low", number_json(odds(report, each, each.low))},
                            {"odds_ratio_high", number_json(odds(report, each, each.high))},
                            {"deviation", number_json(each.deviation)}});
  }
  if (!std::isnan(result.augmented_wald)) {
    for (std::size_t k = 0; k < result.coefficients.size(); ++k) {
      coefficients[k]["standard_error_logistf"] = number_json(result.coefficients[k].augmented_error);
    }
  }
  return coefficients;
}

std::string csv_number(double number) {
  if (std::isnan(number)) return "";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return fmt::format("{}", number);
}

std::string latex_text(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kSymbols = {{{"+∞", "$+\\infty$"},
                                                                                        {"−∞", "$-\\infty$"},
                                                                                        {"∞", "$\\infty$"},
                                                                                        {"−", "$-$"},
                                                                                        {"χ²", "$\\chi^2$"},
                                                                                        {"<", "$<$"},
                                                                                        {">", "$>$"}}};
    const auto symbol = std::ranges::find_if(kSymbols, [&](const auto& each) { return rest.starts_with(each.first); });
    if (symbol != kSymbols.end()) {
      out += symbol->second;
      at += symbol->first.size() - 1;
    } else if (rest.starts_with("–")) {
      out += "--";
      at += std::string_view("–").size() - 1;
    } else if (text[at] == '\\') {
      out += "\\textbackslash{}";
    } else if (text[at] == '~' || text[at] == '^') {
      out += fmt::format("\\{}{{}}", text[at]);
    } else {
      if (std::string_view("&%$#_{}").find(text[at]) != std::string_view::npos) out += '\\';
      out += text[at];
    }
  }
  return out;
}

}  // namespace

std::string logit_words(const LogitReport& report) {
  return header_words(report) + separation_words(report) + "\n" + table_text(cells(report)) + "\n" +
         footer_words(report);
}

Json logit_json(const LogitReport& report) {
  const LogitResult& result = report.result;
  Json aliases = Json::array();
  for (const LogitAlias& alias : result.aliases) {
    Json of = Json::array();
    for (const std::uint32_t column : alias.of) of.push_back(name_of(report, column));
    aliases.push_back(
        {{"name", name_of(report, alias.column)}, {"depends_on", std::move(of)}, {"proven", alias.proven}});
  }
  Json missing = Json::object();
  for (std::size_t k = 0; k < result.missing.size() && k < report.missing_columns.size(); ++k) {
    if (result.missing[k] > 0) missing[report.missing_columns[k]] = result.missing[k];
  }
  if (result.unclustered > 0) missing[report.cluster] = result.unclustered;
  Json terms = Json::array();
  for (std::size_t k = 0; k < result.terms.size(); ++k) {
    Json test = test_json(result.terms[k]);
    if (k < report.term_at.size() && !report.term_at[k].empty()) test["at"] = report.term_at[k];
    terms.push_back(std::move(test));
  }
  Json covariance = Json::array();
  const std::size_t count = result.coefficients.size();
  for (std::size_t k = 0; k < count && !result.covariance.empty(); ++k) {
    Json row = Json::array();
    for (std::size_t l = 0; l < count; ++l) row.push_back(number_json(result.covariance[k * count + l]));
    covariance.push_back(std::move(row));
  }
  Json object = {{"data", report.data},
                 {"label", report.label},
                 {"classes", {{"negative", report.negative}, {"positive", report.positive}}},
                 {"method", method_name(result.method)},
                 {"separation", claim_name(result.separation.certificate.claim)},
                 {"confidence", report.confidence},
                 {"intervals", report.profile ? "profile" : "wald"},
                 {"infinite_intervals", report.profile ? Json(interval_name(report.infinite_interval)) : nullptr},
                 {"standard_errors", report.robust            ? "robust"
                                     : report.cluster.empty() ? "information"
                                                              : "clustered"},
                 {"odds_ratio_unit", report.per_deviation ? "deviation" : "unit"},
                 {"coefficients", coefficients_json(report)},
                 {"aliases", std::move(aliases)},
                 {"terms", std::move(terms)},
                 {"overall", test_json(result.overall)},
                 {"overall_wald", test_json(result.overall_wald)},
                 {"log_likelihood", number_json(result.log_likelihood)},
                 {"penalised_log_likelihood", number_json(result.penalised_log_likelihood)},
                 {"null_log_likelihood", number_json(result.null_log_likelihood)},
                 {"degrees", result.degrees},
                 {"aic", number_json(result.aic)},
                 {"bic", number_json(result.bic)},
                 {"rows", result.rows},
                 {"observations", number_json(result.observations)},
                 {"positives", number_json(result.positives)},
                 {"separated_rows", result.separated},
                 {"dropped",
                  {{"missing_value", result.incomplete},
                   {"missing_label", report.missing_labels},
                   {"weight_0", result.weightless},
                   {"missing_by_column", std::move(missing)}}},
                 {"covariance", std::move(covariance)},
                 {"passes", result.passes},
                 {"seconds", report.seconds}};
  if (!std::isnan(result.augmented_wald)) object["wald_logistf"] = result.augmented_wald;
  if (!report.cluster.empty()) object["clusters"] = {{"column", report.cluster}, {"count", result.clusters}};
  if (!report.proof.empty()) object["proof"] = {{"path", report.proof}, {"check", report.check}};
  return object;
}

std::string logit_csv(const LogitReport& report) {
  std::string text =
      "name,status,estimate,error,standard_error,z,wald_p,chi_square,p,low,high,odds_ratio,odds_ratio_low,"
      "odds_ratio_high\n";
  for (const LogitCoefficient& each : report.result.coefficients) {
    text += csv_field(name_of(report, each.column), ',') + "," + std::string(status_name(each.status));
    for (const double number :
         {each.estimate, each.error, each.standard_error, each.z, each.wald_p, each.chi_square, each.p, each.low,
          each.high, odds(report, each, each.estimate), odds(report, each, each.low), odds(report, each, each.high)}) {
      text += fmt::format(",{}", csv_number(number));
    }
    text += "\n";
  }
  return text;
}

std::string logit_markdown(const LogitReport& report) {
  std::string text;
  const auto table = cells(report);
  for (std::size_t r = 0; r < table.size(); ++r) {
    text += "|";
    for (const std::string& cell : table[r]) {
      std::string escaped;
      for (const char letter : cell) escaped += letter == '|' ? std::string("\\|") : std::string(1, letter);
      text += fmt::format(" {} |", escaped);
    }
    text += "\n";
    if (r > 0) continue;
    text += "|---|";
    for (std::size_t c = 1; c < table[r].size(); ++c) text += "---:|";
    text += "\n";
  }
  return text;
}

std::string logit_latex(const LogitReport& report) {
  const auto table = cells(report);
  std::string text = fmt::format("\\begin{{tabular}}{{l{}}}\n\\hline\n", std::string(table.front().size() - 1, 'r'));
  for (std::size_t r = 0; r < table.size(); ++r) {
    for (std::size_t c = 0; c < table[r].size(); ++c) text += (c > 0 ? " & " : "") + latex_text(table[r][c]);
    text += r == 0 ? " \\\\\n\\hline\n" : " \\\\\n";
  }
  return text + "\\hline\n\\end{tabular}\n";
}

void add_coefficients(Picture& picture, const LogitReport& report) {
  Picture::Coefficients& part = *(picture.coefficients = Picture::Coefficients{});
  part.rows = cells(report);
  part.header = part.rows.front();
  part.header.front() = "coefficient of";
  part.header[1] = "estimate";
  part.rows.erase(part.rows.begin());
  double least = 1, greatest = 1;
  bool open_low = false, open_high = false;
  for (const LogitCoefficient& each : report.result.coefficients) {
    const bool intercept = each.column + 1 == report.names.size();
    if (intercept || std::isnan(each.estimate) || std::isnan(each.low) || std::isnan(each.high)) continue;
    const double ratio = odds(report, each, each.estimate), low = odds(report, each, each.low),
                 high = odds(report, each, each.high);
    if (std::isnan(ratio) || std::isnan(low) || std::isnan(high)) continue;  // beyond what can be drawn
    part.ratios.push_back({short_text(name_of(report, each.column)), ratio, low, high, figures(ratio, 3)});
    open_low = open_low || low == 0;
    open_high = open_high || std::isinf(high);
    for (const double number : {ratio, low, high}) {
      if (!std::isfinite(number) || number == 0) continue;
      least = std::min(least, number);
      greatest = std::max(greatest, number);
    }
  }
  // Ticks at powers of ten. On less than two decades also at 2 and 5 times these.
  constexpr double kRoom = 1.3, kRoomForArrow = 6;
  part.low = least / (open_low ? kRoomForArrow : kRoom);
  part.high = greatest * (open_high ? kRoomForArrow : kRoom);
  constexpr int kMost = 300, kManyDecades = 8;
  const double decades = elementary::log10(part.high / part.low);
  const int every = std::max(1, static_cast<int>(decades / kManyDecades));
  for (int power = -kMost; power <= kMost; power += every) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * elementary::pow(10.0, power);
      const bool round = factor == 1 || decades < 2;
      if (round && tick >= part.low && tick <= part.high) part.ticks.push_back(tick);
    }
  }
  const auto say = [&](const char* role, const std::string& lines) {
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = lines.find('\n', at);
      picture.sentences.push_back({"coefficients", role, lines.substr(at, end - at)});
      at = end == std::string::npos ? lines.size() : end + 1;
    }
  };
  say("meaning", header_words(report) + separation_words(report));
  say("note", footer_words(report));
}

}  // namespace linsep
