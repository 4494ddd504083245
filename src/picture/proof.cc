// The proven parts, from a proof's file or from a search that has just ended.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "linsep/error.h"
#include "linsep/specs.h"
#include "linsep/tools/proof_rows.h"
#include "picture/names.h"
#include "picture/parts.h"
#include "report/coefficients.h"
#include "report/proof.h"
#include "report/words.h"

namespace linsep {
namespace {

constexpr std::size_t kMostWitnessRows = 200, kMostSets = 200, kMostMeans = 12;
/// The largest rows × columns for which the hard margin is worked out for a picture.
constexpr double kFewValues = 1 << 17;

/// The rows of the proof, from the data or from the proof itself.
using ProofRows = std::map<std::int64_t, WrittenRow>;

/// A row that a proof carries, as in "17 +1 1:0.5 3:-2 #salt". Its label is its sign, or with several classes a number.
WrittenRow carried(const std::string& leaf) {
  WrittenRow row;
  std::size_t begin = 0;
  for (int word = 0; begin < leaf.size(); ++word) {
    const std::size_t end = std::min(leaf.find(' ', begin), leaf.size());
    const std::string text = leaf.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = text.find(':');
    if (word == 0) row.row = std::atoll(text.c_str()) - 1;
    if (word == 1) row.label = text;
    if (word < 2 || colon == std::string::npos) continue;
    row.values.push_back({static_cast<std::uint32_t>(std::atoll(text.c_str()) - 1), text.substr(colon + 1)});
  }
  return row;
}

/// The name of the class that a proof about several classes carries as its number.
std::string class_named(const DataDigest& data, const std::string& number) {
  const std::size_t place = std::strtoull(number.c_str(), nullptr, 10);
  return place > 0 && place <= data.classes.size() ? data.classes[place - 1] : number;
}

ProofRows rows_of(const Certificate& certificate, const PictureInput& input) {
  std::vector<std::int64_t> wanted;
  for (const RowWeight& weight : certificate.witness) wanted.push_back(weight.row);
  ProofRows rows = written_by_row(input.data, wanted);
  if (!rows.empty()) return rows;
  for (const CarriedRow& row : certificate.rows) {
    WrittenRow read = carried(row.leaf);
    read.label = class_named(certificate.data, read.label);
    const std::int64_t number = read.row;
    rows.emplace(number, std::move(read));
  }
  return rows;
}

double value_of(const WrittenValue& value) {
  return value.decimal.empty() ? value.binary : std::strtod(value.decimal.c_str(), nullptr);
}

/// One proof on its way into a picture.
class ProofTeller {
 public:
  ProofTeller(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered,
              const Certificate& certificate, const CertifyOutcome* outcome)
      : picture_(picture),
        input_(input),
        spec_(spec),
        gathered_(gathered),
        certificate_(certificate),
        outcome_(outcome) {
    names_.schema = gathered.schema.classes.empty() && gathered.schema.feature_names.empty()
                        ? Schema{{certificate.data.negative, certificate.data.positive}, certificate.data.names}
                        : gathered.schema;
    if (gathered.schema.table) names_.table = *gathered.schema.table;
    names_.map = certificate.map;
    names_.features = gathered.features > 0 ? gathered.features : certificate.data.features;
    // With all classes jointly, a row of the proof is a row and a class.
    joint_ = !certificate.data.classes.empty() && certificate.data.positive.empty();
  }

  void tell() {
    Picture::Proof proof;
    proof.verdict = claim_name(certificate_.claim);
    proof.statement = shown_statement(certificate_);
    proof.statement.against = short_text(proof.statement.against);
    if (certificate_.claim == Claim::kQuasiSeparable && !joint_) {
      proof.at_zero = proof.statement.at_zero;
      proof.separated = proof.statement.separated;
    }
    if (certificate_.claim == Claim::kUndecided) proof.stopped_because = certificate_.stopped_because;
    proof.witness_rows = static_cast<std::int64_t>(certificate_.witness.size());
    margins(proof);
    infinite(proof);
    mistakes(proof);
    if (!joint_ && !certificate_.witness.empty() && !spec_.no_rows) witness(proof);
    picture_.proof = std::move(proof);
  }

 private:
  static std::optional<double> root_of(const std::optional<std::string>& exact) {
    if (!exact) return std::nullopt;
    const double root = std::sqrt(exact_to_double(*exact));
    return std::isfinite(root) ? std::optional(root) : std::nullopt;
  }

  void margins(Picture::Proof& proof) const {
    const MarginBounds& bounds = certificate_.margin;
    proof.margin = root_of(bounds.at_least_squared);
    proof.margin_upper_bound = root_of(bounds.at_most_squared);
    proof.radius = root_of(bounds.radius_squared);
    if (bounds.mistake_bound) proof.mistake_bound = exact_to_double(*bounds.mistake_bound);
    if (certificate_.claim != Claim::kSeparable || joint_) return;
    proof.separator = separator_formula(certificate_, names_, kFormulaTerms);
    widest(proof);
  }

  /// The largest margin of few rows, and the separator that has it. Rows that can't be read again have none, and
  /// neither have rows of weight 0.
  void widest(Picture::Proof& proof) const {
    const std::uint32_t mapped = mapped_features(certificate_.map, names_.features);
    const double values = static_cast<double>(gathered_.rows) * (mapped + 1.0);
    if (input_.data == nullptr || gathered_.task != kTwoClasses || gathered_.rows < 2 || values > kFewValues) return;
    const std::shared_ptr<const TableMap>& table = input_.data->schema().table;
    if (table && !table->empty() && table->single)
      return;  // encoded values rounded to floats aren't those of the proof
    TrainSpec hard = Margin{.origin = certificate_.origin, .hard = true, .gap = 1e-9};
    hard.map = certificate_.map;
    try {
      const Outcome outcome = fit(*input_.data, hard, TrainOptions{spec_.limits});
      if (outcome.reason != StopReason::kConverged || !outcome.hard_margin) return;
      proof.margin = outcome.hard_margin->margin;
      proof.margin_upper_bound = outcome.hard_margin->margin_upper_bound;
      if (mapped <= kFormulaTerms) proof.separator = formula_text(outcome.model);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::kUsage && error.kind() != Error::Kind::kInput) throw;
    }
  }

  void infinite(Picture::Proof& proof) const {
    const Coefficients& coefficients = certificate_.coefficients;
    std::vector<std::pair<std::uint32_t, int>> columns;
    for (const auto& one : coefficients.plus_infinity) columns.emplace_back(one.column, 1);
    for (const auto& one : coefficients.minus_infinity) columns.emplace_back(one.column, -1);
    std::ranges::sort(columns);
    const Model& names = joint_ ? joint_names(names_, certificate_.origin) : names_;
    const std::uint32_t offset = mapped_features(names.map, names.features);
    for (const auto& [column, sign] : columns) {
      proof.infinite.push_back({column == offset ? "the intercept" : short_text(feature_name(names, column)), sign});
    }
  }

  void mistakes(Picture::Proof& proof) const {
    const MistakeBounds& bounds = certificate_.mistakes;
    if (outcome_ != nullptr) {
      proof.mistakes_at_least = outcome_->mistakes_at_least;
      proof.mistakes_at_most = outcome_->mistakes_at_most;
    } else if (!bounds.witnesses.empty() || bounds.at_most) {
      proof.mistakes_at_least = static_cast<std::int64_t>(bounds.witnesses.size());
      proof.mistakes_at_most = bounds.at_most;
    }
    // A witness by itself costs a mistake.
    if (!proof.mistakes_at_least && !certificate_.witness.empty()) proof.mistakes_at_least = 1;
    if (spec_.no_rows || joint_) return;
    for (const RowWeights& set : bounds.witnesses) {
      if (proof.packing.size() == kMostSets) break;
      std::vector<std::int64_t>& rows = proof.packing.emplace_back();
      for (const RowWeight& row : set) rows.push_back(row.row);
    }
  }

  bool positive(const WrittenRow& row) const {
    if (row.label == "+1") return true;
    if (row.label == "-1") return false;
    if (!certificate_.data.classes.empty()) return row.label == certificate_.data.positive;
    return label_index(names_.schema, row.label) == 1;
  }

  void witness(Picture::Proof& proof) const {
    const ProofRows rows = rows_of(certificate_, input_);
    std::vector<double> alpha;
    double sums[2] = {0, 0};
    for (const RowWeight& weight : certificate_.witness) {
      alpha.push_back(exact_to_double(weight.alpha));
      const auto found = rows.find(weight.row);
      const bool side = !certificate_.origin && found != rows.end() && positive(found->second);
      sums[side ? 1 : 0] += alpha.back();
    }
    for (std::size_t k = 0; k < certificate_.witness.size(); ++k) {
      const RowWeight& weight = certificate_.witness[k];
      Picture::Proof::Witness one;
      one.row = weight.row;
      one.alpha = weight.alpha;
      one.label = -1;
      const auto found = rows.find(weight.row);
      const bool side = !certificate_.origin && found != rows.end() && positive(found->second);
      one.share = alpha[k] / sums[side ? 1 : 0];
      if (found != rows.end()) {
        one.id = short_text(found->second.id);
        one.label = input_.data != nullptr ? label_index(names_.schema, found->second.label) : positive(found->second);
        one.text = values_text(found->second, names_.schema, names_.features);
      }
      proof.witness.push_back(std::move(one));
    }
    if (rows.size() >= certificate_.witness.size() && !certificate_.origin) means(proof, rows);
    if (proof.witness.size() <= kMostWitnessRows) return;
    std::ranges::stable_sort(proof.witness, [](const auto& a, const auto& b) { return a.share > b.share; });
    proof.witness.resize(kMostWitnessRows);
    std::ranges::sort(proof.witness, {}, &Picture::Proof::Witness::row);
  }

  /// Both classes' weighted means are the common point.
  void means(Picture::Proof& proof, const ProofRows& rows) const {
    std::map<std::uint32_t, std::array<double, 2>> sums;
    for (const auto& one : proof.witness) {
      const WrittenRow& row = rows.at(one.row);
      for (const WrittenValue& value : row.values) {
        sums[value.column][positive(row) ? 1 : 0] += one.share * value_of(value);
      }
    }
    const auto at = [&](std::uint32_t column) { return sums.contains(column) ? sums[column][1] : 0; };
    const PlaneChoice& plane = gathered_.plane;
    if (plane.kind == "features") proof.common_point = PlanePoint{at(plane.x_column), at(plane.y_column)};
    if (plane.kind == "feature") proof.common_point = PlanePoint{at(plane.x_column), 0};
    if (names_.features <= 2 || certificate_.map.kind != FeatureMap::Kind::kNone) return;
    std::vector<std::pair<std::uint32_t, std::array<double, 2>>> largest(sums.begin(), sums.end());
    std::ranges::stable_sort(
        largest, [](const auto& a, const auto& b) { return std::fabs(a.second[1]) > std::fabs(b.second[1]); });
    largest.resize(std::min(largest.size(), kMostMeans));
    for (const auto& [column, mean] : largest) {
      proof.means.push_back({short_text(feature_name(names_, column)), mean[0], mean[1]});
    }
  }

  Picture& picture_;
  const PictureInput& input_;
  const PictureSpec& spec_;
  const Gathered& gathered_;
  const Certificate& certificate_;
  const CertifyOutcome* outcome_;
  Model names_;
  bool joint_ = false;
};

bool are_few(const PictureInput& input, const Gathered& gathered, const FeatureMap& map) {
  constexpr std::int64_t kRows = 2000;
  constexpr std::uint32_t kColumns = 50;
  return input.data != nullptr && gathered.task == kTwoClasses && gathered.rows > 0 && gathered.rows <= kRows &&
         gathered.features <= kColumns && mapped_features(map, gathered.features) <= kColumns;
}

}  // namespace

void add_proof(Picture& picture, const PictureInput& input, const PictureSpec& spec, const Gathered& gathered) {
  if (gathered.task == kOneClass && input.proof == nullptr && gathered.no_proof.empty()) return;  // nothing to separate
  if (input.certified != nullptr) {
    return ProofTeller(picture, input, spec, gathered, input.certified->certificate, input.certified).tell();
  }
  if (!gathered.no_proof.empty()) {
    picture.made.push_back({"Proof", gathered.no_proof});
    return;
  }
  if (input.proof != nullptr) {
    const std::string of = input.data != nullptr ? "checked against these rows" : "checked without rows";
    picture.made.push_back(
        {"Proof", of + " while this page was made, by a checker that shares no arithmetic with the search"});
    return ProofTeller(picture, input, spec, gathered, *input.proof, nullptr).tell();
  }
  CertifyOptions options{spec.limits};
  if (!input.models.empty()) {
    options.map = input.models.front().model->map;
    options.origin = input.models.front().model->origin;
  }
  if (!spec.certify || !are_few(input, gathered, options.map)) return;
  const CertifyOutcome outcome = certify(*input.data, options);
  ProofTeller(picture, input, spec, gathered, outcome.certificate, &outcome).tell();
}

}  // namespace linsep
