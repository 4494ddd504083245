#include "report/classes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "linsep/map.h"
#include "linsep/tools/shown_text.h"
#include "report/coefficients.h"
#include "report/proof.h"
#include "report/words.h"

namespace linsep {
namespace {

/// Features and classes of scores that are printed.
constexpr std::size_t kFew = 10;

Model names_of(const ClassesReport& report) {
  Model raw;
  raw.schema = report.schema;
  raw.features = report.joint.certificate.data.features;
  return joint_names(raw, report.joint.certificate.origin);
}

class ClassesAccount {
 public:
  explicit ClassesAccount(const ClassesReport& report) : report_(report), schema_(shown_names(report.schema)) {}

  std::string text() {
    line(fmt::format("{}: {} × {}, {} classes.", shown_text(report_.data), counted(report_.rows, "row"),
                     counted(certificate().data.features, "feature"), schema_.classes.size()));
    if (certificate().origin) line("For classifiers through the origin, without offsets.");
    against();
    joint();
    proof();
    return text_;
  }

 private:
  const Certificate& certificate() const { return report_.joint.certificate; }
  void line(const std::string& text) { text_ += text + "\n"; }

  void against() {
    if (report_.against.empty()) return;
    line("Each class against all others together:");
    std::vector<std::vector<std::string>> cells;
    for (std::size_t c = 0; c < report_.against.size(); ++c) {
      const CertifyOutcome& outcome = report_.against[c].outcome;
      cells.push_back({schema_.classes[c], std::string(claim_name(outcome.certificate.claim)), trial_words(outcome)});
    }
    text_ += aligned(cells);
    if (cells.size() < schema_.classes.size()) {
      line(fmt::format("The search ended before it got to the other {}.", schema_.classes.size() - cells.size()));
    }
  }

  std::string trial_words(const CertifyOutcome& outcome) const {
    const Certificate& proof = outcome.certificate;
    const auto witness = static_cast<std::int64_t>(proof.witness.size());
    switch (proof.claim) {
      case Claim::kSeparable:
        if (proof.margin.at_least_squared) {
          return fmt::format("geometric margin at least {}", root_figure(*proof.margin.at_least_squared, false));
        }
        return outcome.peeled == report_.rows ? "by the signs of features alone" : "by weights in order of importance";
      case Claim::kQuasiSeparable:
        return fmt::format("{} of {} can be separated; witness of {}", with_commas(outcome.separated),
                           counted(report_.rows, "row"), counted(witness, "row"));
      case Claim::kOverlapping:
        return fmt::format("witness of {}", counted(witness, "row"));
      case Claim::kUndecided:
        return proof.witness.empty()
                   ? ending_words(outcome)
                   : fmt::format("not separable: witness of {}; {}", counted(witness, "row"), ending_words(outcome));
    }
    return {};
  }

  void joint() {
    const Statement statement = shown_statement(certificate());
    if (certificate().claim == Claim::kUndecided) {
      line(fmt::format("Jointly undecided: {}.", ending_words(report_.joint)));
      if (statement.has_witness) line(fmt::format("Proven: {}.", not_separable_words(statement)));
    } else {
      line(capitalized(claim_words(statement)) + ".");
    }
    if (certificate().claim == Claim::kSeparable) scores();
    text_ += coefficient_words(report_.joint, shown_joint_names(), "A " + regression_words(statement));
    witness();
  }

  Model shown_joint_names() const {
    Model names = names_of(report_);
    names.schema = shown_names(names.schema);
    return names;
  }

  /// Scores that are short enough to read, with whole numbers on few features.
  void scores() {
    const std::uint32_t features = certificate().data.features;
    if (certificate().levels.size() != 1) {
      line(fmt::format("The proof has {} of weights, in order of importance.",
                       counted(static_cast<std::int64_t>(certificate().levels.size()), "level")));
      return;
    }
    if (features > kFew || schema_.classes.size() > kFew) return;
    const std::size_t block = std::size_t{features} + (certificate().origin ? 0 : 1);
    Model names;
    names.schema = schema_;
    names.features = features;
    names.theta.assign(features, 0.0);
    std::vector<Model> score(schema_.classes.size(), names);
    for (const ColumnWeight& weight : certificate().levels.front()) {
      const double value = std::strtod(weight.weight.c_str(), nullptr);
      if (weight.weight.find('/') != std::string::npos || std::fabs(value) >= 1e6 || value != std::round(value)) return;
      Model& model = score[weight.column / block];
      const std::size_t place = weight.column % block;
      (place == features ? model.offset : model.theta[place]) = value;
    }
    std::vector<std::vector<std::string>> cells;
    for (std::size_t c = 0; c < score.size(); ++c) cells.push_back({schema_.classes[c], score_formula(score[c])});
    text_ += aligned(cells);
  }

  void witness() {
    const std::vector<RivalRow>& rows = report_.witness;
    if (rows.empty()) return;
    std::vector<double> shares;
    for (const RivalRow& row : rows) shares.push_back(row.row.share);
    const std::vector<std::size_t> shown = shown_rows(shares);
    line(fmt::format("Witness: {} of a row's own class with another, and their weights:",
                     counted(static_cast<std::int64_t>(rows.size()), "comparison")));
    std::vector<std::vector<std::string>> cells{{"row", "class", "compared with", "weight"}};
    for (const std::size_t k : shown) {
      cells.push_back({row_words(rows[k].row.name), shown_text(rows[k].row.name.label), shown_text(rows[k].rival),
                       share_words(rows[k].row)});
    }
    text_ += aligned(cells);
    if (shown.size() < rows.size()) {
      line(fmt::format("  and {} more with smaller weights; --json and the proof list all of them",
                       with_commas(static_cast<std::int64_t>(rows.size() - shown.size()))));
    }
    line("For every classifier, the leads of the own class in these comparisons, weighted like this, add up to 0,");
    line("so they can't all be positive.");
  }

  void proof() {
    std::int64_t passes = report_.joint.passes;
    for (const ClassTrial& trial : report_.against) passes += trial.outcome.passes;
    const std::string made = fmt::format("{}, {}", counted_passes(passes), time_words(report_.certify_seconds));
    if (!proves_something(certificate())) return line(fmt::format("{}.", made));
    if (report_.proof.empty()) {
      line(fmt::format(
          "{}. No proof was saved; use -o proof.json to save the joint one, or with --against CLASS that of a class.",
          made));
    } else {
      line(fmt::format("{}. Proof for all classes jointly written to {}. To check it:\n  {}", made,
                       shown_text(report_.proof), report_.check));
    }
  }

  const ClassesReport& report_;
  Schema schema_;
  std::string text_;
};

Json named_row(const WitnessRow& row) {
  Json object{{"row", row.name.row + 1}};
  if (!row.name.id.empty()) object["id"] = row.name.id;
  object["class"] = row.name.label;
  return object;
}

void add_weight(const WitnessRow& row, Json& object) {
  object["alpha"] = row.alpha;
  object["share"] = row.share;
}

Json against_json(const ClassesReport& report) {
  Json list = Json::array();
  for (std::size_t c = 0; c < report.against.size(); ++c) {
    const ClassTrial& trial = report.against[c];
    const CertifyOutcome& outcome = trial.outcome;
    Json witness = Json::array();
    for (const WitnessRow& row : trial.witness) {
      witness.push_back(named_row(row));
      add_weight(row, witness.back());
    }
    list.push_back({{"class", report.schema.classes[c]},
                    {"verdict", claim_name(outcome.certificate.claim)},
                    {"stopped_because", stop_reason_name(outcome.reason)},
                    {"margin", outcome.margin ? Json(*outcome.margin) : Json(nullptr)},
                    {"peeled", outcome.peeled},
                    {"separated", outcome.separated},
                    {"witness", std::move(witness)},
                    {"passes", outcome.passes},
                    {"seconds", trial.seconds}});
  }
  return list;
}

Json joint_json(const ClassesReport& report, bool full) {
  const CertifyOutcome& outcome = report.joint;
  Json witness = Json::array();
  for (const RivalRow& row : report.witness) {
    witness.push_back(named_row(row.row));
    witness.back()["rival"] = row.rival;
    add_weight(row.row, witness.back());
  }
  Json object{{"verdict", claim_name(outcome.certificate.claim)},
              {"stopped_because", stop_reason_name(outcome.reason)},
              {"comparisons", report.rows * static_cast<std::int64_t>(report.schema.classes.size() - 1)},
              {"peeled", outcome.peeled},
              {"separated", outcome.separated},
              {"witness", std::move(witness)},
              {"passes", outcome.passes}};
  add_coefficients(outcome, names_of(report), full, object);
  return object;
}

}  // namespace

Json report_json(const ClassesReport& report, bool full) {
  Json object{{"classes", classes_json(report.schema)},
              {"rows", report.rows},
              {"features", report.joint.certificate.data.features},
              {"origin", report.joint.certificate.origin},
              {"map", map_text({})},
              {"against_the_rest", against_json(report)},
              {"jointly", joint_json(report, full)}};
  object["seconds"] = {
      {"read", report.read_seconds}, {"certify", report.certify_seconds}, {"seal", report.seal_seconds}};
  object["certificate"] = report.proof.empty() ? Json(nullptr) : Json(report.proof);
  return object;
}

std::string report_words(const ClassesReport& report) { return ClassesAccount(report).text(); }

}  // namespace linsep
