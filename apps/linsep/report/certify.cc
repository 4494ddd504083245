// The account of `linsep certify` for people.
#include "report/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "linsep/map.h"
#include "linsep/tools/shown_text.h"
#include "report/bounds.h"
#include "report/coefficients.h"
#include "report/witness_words.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kFew = 10;
constexpr double kWholeNumbers = 9e15;

/// "a, b, c and 7 more": the first of `count` things of which some are named.
std::string first_of(const std::vector<std::string>& named, std::size_t count) {
  const std::size_t shown = std::min(named.size(), kFew);
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    if (k > 0) text += k + 1 == shown && shown == count ? " and " : ", ";
    text += named[k];
  }
  if (count > shown) text += fmt::format(" and {} more", thousands(static_cast<std::int64_t>(count - shown)));
  return text;
}

class Account {
 public:
  explicit Account(const CertifyReport& report) : report_(report), outcome_(report.outcome) {
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
        line(
            "Overlapping: no linear classifier separates these rows, nor some of them with the others on its "
            "boundary.");
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
    return column == mapped() ? "the offset" : feature_name(names_, column);
  }

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
    if (certificate().origin) line("For classifiers through the origin, without an offset.");
  }

  void trials() {
    if (report_.trials.empty()) return;
    for (const MapTrial& trial : report_.trials) {
      line(fmt::format("  map {:<14}{}, {}", map_text(trial.map), trial.verdict, time_words(trial.seconds)));
    }
    if (report_.first_separable) {
      line(fmt::format("The first map under which the rows become separable: {}.", map_text(*report_.first_separable)));
    } else {
      line(fmt::format("The rows are not known to be separable under any of these maps. For {}:",
                       map_text(certificate().map)));
    }
  }

  void peeled() {
    if (outcome_.peeled == 0) return;
    line(fmt::format("Signs alone settled {} of {}.", thousands(outcome_.peeled), counted(report_.rows, "row")));
  }

  void separable() {
    line("Separable: some linear classifier makes no mistake on these rows.");
    formula();
    peeled();
    margin();
    text_ += coefficient_words(outcome_, names_);
    if (report_.perceptron) {
      line(fmt::format("A perceptron with the options of {} really made {} in {}{}.", report_.guide,
                       counted(report_.perceptron->mistakes, "mistake"), passes_words(report_.perceptron->passes),
                       report_.perceptron->converged ? "" : " and had not come to an end"));
    }
  }

  void margin() {
    const MarginBounds& bounds = certificate().margin;
    if (!bounds.at_least_squared) {
      line(fmt::format("The proof is {} of weights, in order of importance; no margin is stated.",
                       counted(static_cast<std::int64_t>(certificate().levels.size()), "level")));
      return;
    }
    const std::string radius =
        bounds.radius_squared ? fmt::format(", radius {}", root_figure(*bounds.radius_squared, true)) : "";
    line(fmt::format("Geometric margin at least {}{}.", root_figure(*bounds.at_least_squared, false), radius));
    if (!bounds.mistake_bound) return;
    const double bound = outcome_.mistake_bound.value_or(INFINITY);
    line(fmt::format(
        "A perceptron from θ = 0 makes at most {} mistakes: (R/γ)²{}.",
        bound < kWholeNumbers ? thousands(static_cast<std::int64_t>(bound)) : exact_figure(*bounds.mistake_bound, true),
        certificate().origin ? "" : ", the offset counted as a feature that is 1"));
  }

  /// A separator that is short enough to read: whole numbers on few features.
  void formula() {
    if (certificate().levels.size() != 1 || mapped() > kFew) return;
    Model model = names_;
    model.theta.assign(mapped(), 0.0);
    for (const ColumnWeight& weight : certificate().levels.front()) {
      const double value = std::strtod(weight.weight.c_str(), nullptr);
      if (weight.weight.find('/') != std::string::npos || std::fabs(value) >= 1e6 || value != std::round(value)) return;
      (weight.column == mapped() ? model.offset : model.theta[weight.column]) = value;
    }
    line(score_formula(model));
  }

  void quasi_separable() {
    const std::int64_t left = certificate().left_at_zero;
    line(fmt::format(
        "Quasi-separable: no linear classifier separates all rows, but one separates {} and has the other {} on its "
        "boundary.",
        thousands(outcome_.separated), thousands(left)));
    if (outcome_.reason != StopReason::kConverged) line(why() + " before it was known whether more can be separated.");
    text_ += coefficient_words(outcome_, names_);
    peeled();
    std::vector<std::string> rows;
    for (const NamedRow& row : report_.separated) rows.push_back(row_words(row));
    if (!rows.empty()) {
      line(fmt::format("Separated: {} {}.", outcome_.separated == 1 ? "row" : "rows",
                       first_of(rows, static_cast<std::size_t>(outcome_.separated))));
    }
    witness();
  }

  void undecided() {
    line(fmt::format("Undecided: {}.", why()));
    if (!proves_something(certificate())) line("Nothing is proven yet.");
    if (!certificate().levels.empty()) {
      line(fmt::format("Some linear classifier separates {} and has none on its wrong side.",
                       counted(outcome_.separated, "row")));
    }
    if (!certificate().witness.empty()) {
      line("Proven: not separable. Open: whether some rows can be separated with the others on the boundary.");
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
      line(fmt::format("Witness: with these weights y·x of {} sums to 0.", counted(count, "row")));
    } else {
      const std::string who = report_.against.empty() ? "whose classes" : "in which the class and the others";
      line(fmt::format("Witness: {} {} have a point in common{}.", counted(count, "row"), who, common_point()));
    }
    table(rows);
    blank_rows(rows);
    line(certificate().origin
             ? "A classifier that is right on all of them would give that sum a score above 0, but its score is 0."
             : "The weighted mean of either side is that point: wherever a boundary runs, one of these rows is on it "
               "or beyond.");
  }

  std::string common_point() const {
    const std::vector<double>& point = outcome_.common_point;
    if (point.empty() || point.size() > kFew) return "";
    std::vector<std::string> parts;
    const bool named = !names_.schema.feature_names.empty() || names_.map.kind != FeatureMap::Kind::kNone;
    for (std::uint32_t j = 0; j < point.size(); ++j) {
      parts.push_back(named ? fmt::format("{} = {}", column_name(j), figure(point[j])) : figure(point[j]));
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
      line(fmt::format("  and {} more of less weight; --json and the proof list them all",
                       thousands(static_cast<std::int64_t>(rows.size() - shown.size()))));
    }
  }

  /// Of a table: rows of which the encoders know nothing, which may be a fault of the data.
  void blank_rows(const std::vector<WitnessRow>& rows) {
    if (!report_.schema.table) return;
    std::vector<std::string> blank;
    for (const WitnessRow& row : rows) {
      if (row.name.blank) blank.push_back(row_words(row.name));
    }
    if (blank.empty()) return;
    line(fmt::format("{} {} {} no known term or value: all features are 0 there.", blank.size() == 1 ? "Row" : "Rows",
                     first_of(blank, blank.size()), blank.size() == 1 ? "has" : "have"));
  }

  void mistakes() {
    if (!outcome_.mistakes_at_least) return;
    const std::int64_t least = *outcome_.mistakes_at_least;
    const auto most = outcome_.mistakes_at_most;
    if (certificate().claim == Claim::kSeparable) return;  // that is what the verdict says
    const std::string every =
        fmt::format("Every linear classifier makes at least {} on these rows", counted(least, "mistake"));
    if (most && *most == least) {
      line(fmt::format("{}, and {} makes no more.", every,
                       report_.guide.empty() ? "one that was found" : shown_text(report_.guide)));
    } else if (most) {
      line(fmt::format("{}; {} makes {}.", every,
                       report_.guide.empty() ? "the best one found" : shown_text(report_.guide), thousands(*most)));
    } else {
      line(fmt::format("{}; there was no time to find one and count its mistakes.", every));
    }
    if (report_.mistakes_cut) {
      line("The search was cut short: the least number may be higher.");
    } else if (report_.mistake_limit > 0 && least >= report_.mistake_limit) {
      line("The search ended at --limit: the least number may be higher.");
    }
    if (report_.mistakes.empty()) return;
    line("Every classifier is wrong on at least one row of each of these sets. Look here first for wrong labels:");
    for (std::size_t k = 0; k < std::min(report_.mistakes.size(), kFew); ++k) {
      std::vector<std::string> rows;
      for (const WitnessRow& row : report_.mistakes[k]) rows.push_back(row_words(row.name));
      line(fmt::format("  rows {}", first_of(rows, rows.size())));
    }
    if (report_.mistakes.size() > kFew) {
      line(fmt::format("  and {}; --json and the proof list them all",
                       counted(static_cast<std::int64_t>(report_.mistakes.size() - kFew), "more set")));
    }
  }

  void proof() {
    const std::string made = fmt::format("{}, {}", passes_words(outcome_.passes), time_words(report_.certify_seconds));
    if (!proves_something(certificate())) return line(fmt::format("{}.", made));
    if (report_.proof.empty()) {
      line(fmt::format("{}. The proof was not kept: -o proof.json would write it.", made));
    } else {
      line(fmt::format("{}. Proof written to {}. To check it:\n  {}", made, shown_text(report_.proof), report_.check));
    }
  }

  const CertifyReport& report_;
  const CertifyOutcome& outcome_;
  Model names_;
  std::string text_;
};

}  // namespace

bool proves_something(const Certificate& certificate) {
  return certificate.claim != Claim::kUndecided || !certificate.levels.empty() || !certificate.witness.empty() ||
         certificate.margin.at_most_squared.has_value();
}

std::string report_words(const CertifyReport& report) { return Account(report).text(); }

}  // namespace linsep::app
