#include "report/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>

#include "linsep/comm.h"
#include "linsep/map.h"
#include "linsep/tools/proof_rows.h"
#include "linsep/tools/shown_text.h"
#include "report/coefficients.h"
#include "report/words.h"

namespace linsep {
namespace {

constexpr std::size_t kShownRows = 10, kFewRows = 12;
constexpr std::size_t kLongFraction = 7;

}  // namespace

std::string row_words(const NamedRow& row) {
  const std::string number = std::to_string(row.row + 1);  // without commas, because it stands in lists
  return row.id.empty() ? number : fmt::format("{} ({})", number, shown_text(row.id));
}

std::string share_words(const WitnessRow& row) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSigns = {
      {{"1/2", "½"}, {"1/3", "⅓"}, {"2/3", "⅔"}, {"1/4", "¼"}, {"3/4", "¾"}}};
  for (const auto& [plain, sign] : kSigns) {
    if (row.exact_share == plain) return std::string(sign);
  }
  const bool is_short = !row.exact_share.empty() && row.exact_share.size() <= kLongFraction;
  return is_short ? row.exact_share : figure_text(row.share);
}

std::vector<std::size_t> shown_rows(const std::vector<double>& shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (shares.size() > kFewRows) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    order.resize(kShownRows);
  }
  return order;
}

Statement shown_statement(const Certificate& certificate) {
  Statement statement = statement_of(certificate);
  statement.against = shown_text(statement.against);
  statement.reference = shown_text(statement.reference);
  return statement;
}

std::string weight_0_sentence(Source& source, Comm& comm) {
  std::int64_t rows = 0;
  source.rewind(0);
  while (const auto batch = source.next()) rows += std::ranges::count(batch->weight, 0.0);
  rows = all_reduce_sum(comm, rows);
  if (rows == 0) return "";
  const bool one = rows == 1;
  return fmt::format(
      "{} of weight 0 {} like any other, since the verdict is about all rows; to leave {} out, take {} out of the "
      "data.\n",
      counted(rows, "row"), one ? "counts" : "count", one ? "it" : "them", one ? "it" : "them");
}

std::string wrong_in_each_words(const Statement& statement) {
  return fmt::format("Every {} is wrong on at least one row of each of these sets. Look for wrong labels here first",
                     classifier_words(statement));
}

std::string separator_formula(const Certificate& certificate, const Model& names, std::size_t most) {
  constexpr double kReadable = 1e6;
  if (certificate.levels.size() != 1 || certificate.levels.front().size() > most + 1) return "";
  const ExactWeights& weights = certificate.levels.front();
  std::vector<std::int64_t> numbers;
  std::int64_t divisor = 0;
  for (const ColumnWeight& weight : weights) {
    const double value = exact_to_double(weight.weight);
    const bool fraction = weight.weight.find('/') != std::string::npos;
    if (fraction || std::fabs(value) >= kReadable || value != std::round(value)) return "";
    numbers.push_back(static_cast<std::int64_t>(value));
    divisor = std::gcd(divisor, numbers.back());
  }
  const std::uint32_t mapped = mapped_features(names.map, names.features);
  Formula formula;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::uint32_t column = weights[k].column;
    const auto factor = static_cast<double>(numbers[k] / divisor);
    formula.add(factor, column == mapped ? "" : short_text(feature_name(names, column)));
  }
  return formula.text();
}

std::string ending_words(const CertifyOutcome& outcome) {
  switch (outcome.reason) {
    case StopReason::kTime:
      return "the time ran out";
    case StopReason::kInterrupted:
      return "it was interrupted";
    case StopReason::kPasses:
      return "the passes ran out";
    default:
      return "the search ended";
  }
}

namespace {

constexpr std::size_t kFew = 10;
constexpr double kWholeNumbers = 9e15;

class Account {
 public:
  explicit Account(const CertifyReport& report)
      : report_(report), outcome_(report.outcome), statement_(shown_statement(report.outcome.certificate)) {
    names_.schema = shown_names(report.schema);
    names_.map = certificate().map;
    names_.features = outcome_.features;
  }

  std::string text() {
    size();
    trials();
    switch (certificate().claim) {
      case Claim::kSeparable:
        separable();
        break;
      case Claim::kQuasiSeparable:
        quasi_separable();
        break;
      case Claim::kOverlapping:
        verdict();
        witness();
        break;
      case Claim::kUndecided:
        undecided();
        break;
    }
    mistakes();
    proof();
    return text_;
  }

 private:
  const Certificate& certificate() const { return outcome_.certificate; }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::uint32_t mapped() const { return mapped_features(certificate().map, outcome_.features); }
  std::string column_name(std::uint32_t column) const {
    return column == mapped() ? "the intercept" : feature_name(names_, column);
  }

  void verdict() { line(capitalized(claim_words(statement_)) + "."); }
  std::string regression() const { return "A " + regression_words(statement_); }

  void size() {
    std::string text = fmt::format("{}: {} × {}", shown_text(report_.data), counted(report_.rows, "row"),
                                   counted(outcome_.features, "feature"));
    const std::vector<std::string>& classes = names_.schema.classes;
    if (!report_.against.empty()) {
      text += fmt::format(", class {} against the other {}", shown_text(report_.against), classes.size() - 1);
    }
    if (classes.size() == 2) text += fmt::format(", classes {} and {} (positive)", classes[0], classes[1]);
    line(text + ".");
    const bool is_mapped = certificate().map.kind != FeatureMap::Kind::kNone;
    if (is_mapped && report_.trials.empty()) {
      line(fmt::format("Through the map {}: {}.", map_text(certificate().map), counted(mapped(), "feature")));
    }
    if (certificate().origin) line("For classifiers through the origin, without an intercept.");
  }

  void trials() {
    if (report_.trials.empty()) return;
    for (const MapTrial& trial : report_.trials) {
      line(fmt::format("  map {:<14}{}, {}", map_text(trial.map), trial.verdict, time_words(trial.seconds)));
    }
    if (report_.first_separable) {
      line(fmt::format("The first map that makes the rows separable: {}.", map_text(*report_.first_separable)));
    } else {
      line(fmt::format("None of these maps is known to make the rows separable. For {}:", map_text(certificate().map)));
    }
  }

  void peeled() {
    if (outcome_.peeled == 0) return;
    line(fmt::format("The signs of the features alone settled {} of {}.", with_commas(outcome_.peeled),
                     counted(report_.rows, "row")));
  }

  void separable() {
    verdict();
    formula();
    peeled();
    margin();
    text_ += coefficient_words(outcome_, names_, regression());
    if (report_.perceptron) {
      line(fmt::format("A perceptron with the options of {} made {} in {}{}.", report_.guide,
                       counted(report_.perceptron->mistakes, "mistake"), counted_passes(report_.perceptron->passes),
                       report_.perceptron->converged ? "" : " and did not converge"));
    }
  }

  void margin() {
    const MarginBounds& bounds = certificate().margin;
    if (!bounds.at_least_squared) {
      line(fmt::format("The proof has {} of weights, in order of importance, and states no margin.",
                       counted(static_cast<std::int64_t>(certificate().levels.size()), "level")));
      return;
    }
    const std::string radius =
        bounds.radius_squared ? fmt::format(", radius {}", root_figure(*bounds.radius_squared, true)) : "";
    line(fmt::format("Geometric margin at least {}{}.", root_figure(*bounds.at_least_squared, false), radius));
    if (!bounds.mistake_bound) return;
    const double bound = outcome_.mistake_bound.value_or(INFINITY);
    line(fmt::format("Starting from θ = 0, a {} makes at most {} mistakes, by the bound (R/γ)²{}.",
                     classifier_words(statement_, "perceptron"),
                     bound < kWholeNumbers ? with_commas(static_cast<std::int64_t>(bound))
                                           : exact_figure(*bounds.mistake_bound, true),
                     certificate().origin ? "" : ", with the intercept as a feature that is always 1"));
  }

  /// A separator that is short enough to read, with whole numbers on few features.
  void formula() {
    if (mapped() > kFew) return;
    const std::string formula = separator_formula(certificate(), names_, kFew);
    if (!formula.empty()) line(formula);
  }

  void quasi_separable() {
    verdict();
    if (outcome_.reason != StopReason::kConverged) line(why() + " before it was clear whether more can be separated.");
    text_ += coefficient_words(outcome_, names_, regression());
    peeled();
    std::vector<std::string> rows;
    for (const NamedRow& row : report_.separated) rows.push_back(row_words(row));
    if (!rows.empty()) {
      line(fmt::format("Separated: {} {}.", outcome_.separated == 1 ? "row" : "rows",
                       listed(rows, kFew, static_cast<std::size_t>(outcome_.separated))));
    }
    witness();
  }

  void undecided() {
    line(fmt::format("Undecided: {}.", why()));
    if (!proves_something(certificate())) line("Nothing is proven yet.");
    if (!certificate().levels.empty()) {
      line(fmt::format("Proven: {}.", separated_words(statement_)));
    }
    if (!certificate().witness.empty()) {
      line(fmt::format("Proven: {}. Open: whether some rows can be separated with the others on the boundary.",
                       not_separable_words(statement_)));
      witness();
    }
    if (certificate().margin.at_most_squared) {
      line(fmt::format("Proven: no separator has a geometric margin above {}.",
                       root_figure(*certificate().margin.at_most_squared, true)));
    }
  }

  std::string why() const { return ending_words(outcome_); }

  void witness() {
    const std::vector<WitnessRow>& rows = report_.witness;
    if (rows.empty()) return;
    const auto count = static_cast<std::int64_t>(rows.size());
    if (certificate().origin) {
      line(fmt::format("Witness: with these weights, y·x of {} sums to 0.", counted(count, "row")));
    } else {
      const std::string who = report_.against.empty() ? "whose classes" : "in which the class and the others";
      line(fmt::format("Witness: {} {} have a point in common{}.", counted(count, "row"), who, common_point()));
    }
    table(rows);
    blank_rows(rows);
    line(certificate().origin
             ? "A classifier that is right on all of them would give that sum a positive score, but its score is 0."
             : "That point is a weighted average of these rows from each side, so every boundary touches or "
               "misclassifies "
               "one of them.");
  }

  std::string common_point() const {
    const std::vector<double>& point = outcome_.common_point;
    if (point.empty() || point.size() > kFew) return "";
    std::vector<std::string> parts;
    const bool named = !names_.schema.feature_names.empty() || names_.map.kind != FeatureMap::Kind::kNone;
    for (std::uint32_t j = 0; j < point.size(); ++j) {
      parts.push_back(named ? fmt::format("{} = {}", column_name(j), figure_text(point[j])) : figure_text(point[j]));
    }
    return fmt::format(": ({})", fmt::join(parts, ", "));
  }

  /// Every row of a short witness, the heaviest of a long one.
  void table(const std::vector<WitnessRow>& rows) {
    std::vector<double> shares;
    for (const WitnessRow& row : rows) shares.push_back(row.share);
    const std::vector<std::size_t> shown = shown_rows(shares);
    std::vector<std::vector<std::string>> cells{{"row", "class", "weight"}};
    for (const std::size_t k : shown) {
      cells.push_back({row_words(rows[k].name), shown_text(rows[k].name.label), share_words(rows[k])});
    }
    text_ += aligned(cells);
    if (shown.size() < rows.size()) {
      line(fmt::format("  and {} more with smaller weights; --json and the proof list all of them",
                       with_commas(static_cast<std::int64_t>(rows.size() - shown.size()))));
    }
  }

  /// Rows of a table that the encoders know nothing of, which may be a fault of the data.
  void blank_rows(const std::vector<WitnessRow>& rows) {
    if (!report_.schema.table) return;
    std::vector<std::string> blank;
    for (const WitnessRow& row : rows) {
      if (row.name.blank) blank.push_back(row_words(row.name));
    }
    if (blank.empty()) return;
    line(fmt::format("{} {} {} no known term or value: all their features are 0.", blank.size() == 1 ? "Row" : "Rows",
                     listed(blank, kFew), blank.size() == 1 ? "has" : "have"));
  }

  void mistakes() {
    if (!outcome_.mistakes_at_least) return;
    const std::int64_t least = *outcome_.mistakes_at_least;
    const auto most = outcome_.mistakes_at_most;
    if (certificate().claim == Claim::kSeparable) return;  // the verdict states that already
    const std::string every = capitalized(least_words(statement_, least));
    if (most && *most == least) {
      line(fmt::format("{}, and {} makes exactly that many.", every,
                       report_.guide.empty() ? "one" : shown_text(report_.guide)));
    } else if (most) {
      line(fmt::format("{}; {} makes {}.", every,
                       report_.guide.empty() ? "the best one found" : shown_text(report_.guide), with_commas(*most)));
    } else {
      line(fmt::format("{}; no time was left to find a good one and count its mistakes.", every));
    }
    if (report_.mistakes_cut) {
      line("The search was cut short, so the true minimum may be higher.");
    } else if (report_.mistake_limit > 0 && least >= report_.mistake_limit) {
      line("The search stopped at --limit, so the true minimum may be higher.");
    }
    if (report_.mistakes.empty()) return;
    line(wrong_in_each_words(statement_) + ":");
    for (std::size_t k = 0; k < std::min(report_.mistakes.size(), kFew); ++k) {
      std::vector<std::string> rows;
      for (const WitnessRow& row : report_.mistakes[k]) rows.push_back(row_words(row.name));
      line(fmt::format("  rows {}", listed(rows, kFew)));
    }
    if (report_.mistakes.size() > kFew) {
      line(fmt::format("  and {}; --json and the proof list them all",
                       counted(static_cast<std::int64_t>(report_.mistakes.size() - kFew), "more set")));
    }
  }

  void proof() {
    const std::string made =
        fmt::format("{}, {}", counted_passes(outcome_.passes), time_words(report_.certify_seconds));
    if (!proves_something(certificate())) return line(fmt::format("{}.", made));
    if (report_.proof.empty()) {
      line(fmt::format("{}. The proof was not saved; use -o proof.json to save it.", made));
    } else {
      line(fmt::format("{}. Proof written to {}. To check it:\n  {}", made, shown_text(report_.proof), report_.check));
    }
  }

  const CertifyReport& report_;
  const CertifyOutcome& outcome_;
  const Statement statement_;
  Model names_;
  std::string text_;
};

}  // namespace

bool proves_something(const Certificate& certificate) {
  return certificate.claim != Claim::kUndecided || !certificate.levels.empty() || !certificate.witness.empty() ||
         certificate.margin.at_most_squared.has_value();
}

std::string report_words(const CertifyReport& report) { return Account(report).text(); }

namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json row_json(const NamedRow& row) {
  Json object{{"row", row.row + 1}};
  if (!row.id.empty()) object["id"] = row.id;
  return object;
}

Json witness_json(const std::vector<WitnessRow>& witness) {
  Json rows = Json::array();
  for (const WitnessRow& row : witness) {
    Json object = row_json(row.name);
    object["class"] = row.name.label;
    object["alpha"] = row.alpha;
    object["share"] = row.share;
    rows.push_back(std::move(object));
  }
  return rows;
}

Json mistakes_json(const CertifyReport& report) {
  const CertifyOutcome& outcome = report.outcome;
  Json witnesses = Json::array();
  for (const auto& witness : report.mistakes) witnesses.push_back(witness_json(witness));
  return {{"at_least", *outcome.mistakes_at_least},
          {"at_most", outcome.mistakes_at_most ? Json(*outcome.mistakes_at_most) : Json(nullptr)},
          {"witnesses", std::move(witnesses)}};
}

Json trials_json(const CertifyReport& report) {
  Json maps = Json::array();
  for (const MapTrial& trial : report.trials) {
    maps.push_back({{"map", map_text(trial.map)},
                    {"verdict", trial.verdict},
                    {"passes", trial.passes},
                    {"seconds", trial.seconds}});
  }
  return maps;
}

}  // namespace

Json report_json(const CertifyReport& report, bool full) {
  const CertifyOutcome& outcome = report.outcome;
  const Certificate& certificate = outcome.certificate;
  const auto fits = [&](std::size_t length) { return full || length <= kLongVector; };
  Json object;
  object["verdict"] = claim_name(certificate.claim);
  object["origin"] = certificate.origin;
  object["map"] = map_text(certificate.map);
  object["classes"] = classes_json(report.schema);
  object["rows"] = report.rows;
  object["features"] = outcome.features;
  object["passes"] = outcome.passes;
  object["stopped_because"] = stop_reason_name(outcome.reason);
  object["margin"] = optional_json(outcome.margin);
  object["radius"] = optional_json(outcome.radius);
  object["mistake_bound"] = optional_json(outcome.mistake_bound);
  if (certificate.margin.at_most_squared) {
    object["margin_at_most"] =
        std::nextafter(std::sqrt(exact_to_double(*certificate.margin.at_most_squared)), INFINITY);
  }
  if (report.perceptron) {
    object["perceptron"] = {{"mistakes", report.perceptron->mistakes},
                            {"passes", report.perceptron->passes},
                            {"converged", report.perceptron->converged}};
  }
  object["peeled"] = outcome.peeled;
  object["separated"] = outcome.separated;
  if (certificate.claim == Claim::kQuasiSeparable) {
    Json rows = Json::array();
    for (const NamedRow& row : report.separated) rows.push_back(row_json(row));
    object["separated_rows"] = std::move(rows);
  }
  Model names;
  names.schema = report.schema;
  names.map = certificate.map;
  names.features = outcome.features;
  add_coefficients(outcome, names, full, object);
  object["witness"] = witness_json(report.witness);
  if (!outcome.common_point.empty() && fits(outcome.common_point.size())) {
    object["common_point"] = outcome.common_point;
  }
  if (outcome.mistakes_at_least) object["mistakes"] = mistakes_json(report);
  if (!report.trials.empty()) {
    object["maps"] = trials_json(report);
    object["first_separable"] = report.first_separable ? Json(map_text(*report.first_separable)) : Json(nullptr);
  }
  object["seconds"] = {
      {"read", report.read_seconds}, {"certify", report.certify_seconds}, {"seal", report.seal_seconds}};
  object["certificate"] = report.proof.empty() ? Json(nullptr) : Json(report.proof);
  return object;
}

Json verify_json(const Certificate& certificate, const CheckResult& result, const std::string& data) {
  Json object{{"valid", result.valid},
              {"claim", claim_name(certificate.claim)},
              {"origin", certificate.origin},
              {"map", map_text(certificate.map)},
              {"rows", certificate.data.rows},
              {"features", certificate.data.features},
              {"root", certificate.data.root},
              {"needs_data", result.needs_data},
              {"reason", result.reason},
              {"proven", result.proven},
              {"data", data.empty() ? Json(nullptr) : Json(data)}};
  if (!certificate.data.classes.empty()) {
    object["classes"] = certificate.data.classes;
    object["jointly"] = certificate.data.positive.empty();
    if (!certificate.data.positive.empty()) object["against_the_rest"] = certificate.data.positive;
  }
  return object;
}

namespace {

/// The most rows of a witness that words name.
constexpr std::size_t kNamedRows = 10;

std::string named_rows(const RowWeights& witness) {
  std::vector<std::string> numbers;
  for (std::size_t k = 0; k < std::min(witness.size(), kNamedRows); ++k) {
    numbers.push_back(with_commas(witness[k].row + 1));
  }
  return fmt::format("row{} {}{}", witness.size() == 1 ? "" : "s", fmt::join(numbers, ", "),
                     witness.size() > kNamedRows ? ", …" : "");
}

std::string verdict_of(const Certificate& certificate) {
  if (certificate.claim == Claim::kUndecided) return "not separable";
  return std::string(claim_name(certificate.claim));
}

}  // namespace

std::string inseparable_advice(const InseparableReport& report) {
  const Certificate& certificate = report.certificate;
  const std::string proof = report.proof.empty()
                                ? fmt::format("`linsep certify {}{} -o proof.json` writes the proof.", report.data,
                                              certificate.origin ? " --origin" : "")
                                : fmt::format("The proof was written to {}.", shown_text(report.proof));
  return proof + " Without --hard, rows within the margin cost what C says.";
}

std::string inseparable_words(const InseparableReport& report) {
  const Certificate& certificate = report.certificate;
  const std::string almost =
      certificate.claim == Claim::kQuasiSeparable ? " (the rows are quasi-separable: some stay on the boundary)" : "";
  return fmt::format("{}{}, so there is no hard margin: {} of them prove{} it, {}.",
                     not_separable_words(shown_statement(certificate)), almost, certificate.witness.size(),
                     certificate.witness.size() == 1 ? "s" : "", named_rows(certificate.witness));
}

Json inseparable_json(const InseparableReport& report, bool full) {
  Json object;
  object["error"] = fmt::format("{}\n  {}", inseparable_words(report), inseparable_advice(report));
  object["code"] = "inseparable";
  object["verdict"] = verdict_of(report.certificate);
  object["origin"] = report.certificate.origin;
  const std::vector<WitnessRow> rows =
      witness_rows(report.certificate.witness, report.certificate.origin, *report.source);
  if (full || rows.size() <= kLongVector) {
    Json witness = Json::array();
    for (const WitnessRow& row : rows) {
      Json entry{{"row", row.name.row + 1}, {"alpha", row.alpha}, {"label", row.name.label}};
      if (!row.name.id.empty()) entry["id"] = row.name.id;
      witness.push_back(std::move(entry));
    }
    object["witness"] = std::move(witness);
  }
  object["proof"] = report.proof.empty() ? Json(nullptr) : Json(report.proof);
  return object;
}

}  // namespace linsep
