// Reads a certificate's texts into numbers and checks every demand on its shape.
#include <algorithm>
#include <set>

#include "proof/canonical.h"
#include "proof/exact_text.h"
#include "proof/verify.h"

namespace linsep {
namespace {

Vector read_weights(const ExactWeights& weights, const Columns& columns) {
  Vector vector;
  for (const ColumnWeight& entry : weights) {
    need(entry.column < columns.count() && (vector.empty() || vector.back().first < entry.column),
         "the columns of weights don't ascend or don't exist");
    const auto weight = parse_exact(entry.weight);
    need(weight.has_value(), "a weight is not an exact number");
    vector.emplace_back(entry.column, *weight);
  }
  return vector;
}

Alphas read_alphas(const RowWeights& weights, std::int64_t rows) {
  Alphas alphas;
  for (const RowWeight& entry : weights) {
    const std::int64_t before = alphas.empty() ? -1 : alphas.back().first;
    need(entry.row > before && entry.row < rows, "the rows of a witness don't ascend or don't exist");
    const auto alpha = parse_exact(entry.alpha);
    need(alpha && sign_of(*alpha) > 0, "an alpha is not an exact number above 0");
    alphas.emplace_back(entry.row, *alpha);
  }
  return alphas;
}

// Fills in `independent` and `equations`.
void read_span(const SpanProof& span, ReadCertificate& read) {
  std::set<std::uint32_t> dependent;
  for (const SpanProof::Dependent& each : span.dependent) {
    need(each.column < read.columns.count() && (dependent.empty() || *dependent.rbegin() < each.column),
         "the dependent columns don't ascend or don't exist");
    dependent.insert(each.column);
  }
  need(span.rows.size() + dependent.size() == read.columns.count(), "the span has the wrong number of rows");
  for (const SpanProof::Dependent& each : span.dependent) {
    Vector equation = read_weights(each.sum, read.columns);
    for (const auto& [column, weight] : equation) need(!dependent.contains(column), "a dependent column is in a sum");
    equation.emplace_back(each.column, Rational(-1));
    std::ranges::sort(equation, {}, [](const auto& entry) { return entry.first; });
    read.equations.push_back(std::move(equation));
  }
  for (std::uint64_t column = 0; column < read.columns.count(); ++column) {
    if (!dependent.contains(static_cast<std::uint32_t>(column))) {
      read.independent.push_back(static_cast<std::uint32_t>(column));
    }
  }
}

/// Fills in the statements about coefficients. No column may be in two lists.
void read_coefficients(const Coefficients& coefficients, ReadCertificate& read) {
  std::set<std::uint32_t> seen;
  const auto once = [&](std::uint32_t column) {
    need(column < read.columns.count(), "a coefficient is of a column that doesn't exist");
    need(seen.insert(column).second, "a coefficient is listed twice");
  };
  const auto infinite = [&](const std::vector<Coefficients::Infinite>& from, auto& to) {
    for (const Coefficients::Infinite& each : from) {
      once(each.column);
      to.emplace_back(each.column, read_alphas(each.alpha, read.made.rows()));
    }
  };
  infinite(coefficients.plus_infinity, read.plus_infinity);
  infinite(coefficients.minus_infinity, read.minus_infinity);
  for (const std::uint32_t column : coefficients.finite) once(column);
  for (const std::uint32_t column : coefficients.undetermined) once(column);
  for (const ExactWeights& direction : coefficients.directions) {
    read.directions.push_back(read_weights(direction, read.columns));
  }
  read.steps = read_weights(coefficients.steps, read.columns);
  need(read.steps.empty() || !read.directions.empty(), "steps without a direction");
}

}  // namespace

void need_few_products(const ReadCertificate& certificate, std::size_t entries) {
  constexpr std::uint64_t kMostProducts = 131'072;
  if (certificate.trusted || certificate.columns.degree() == 1) return;
  need(products_of(certificate.columns, entries) <= kMostProducts, "a row has more than 131072 entries under the map");
}

void NamedEntries::add(std::size_t bytes, const CheckedRow& row) {
  constexpr std::uint64_t kFree = 262'144, kPerByte = 64;
  if (read_.trusted) return;
  entries_ += products_of(read_.columns, row.leaf().entries.size()) + 1;
  bytes_ += bytes;
  need(entries_ <= kFree + kPerByte * bytes_, "the rows that are named have too many entries under the map");
}

ReadCertificate read_certificate(const Certificate& certificate, bool trusted) {
  ReadCertificate read{certificate,
                       ClassRows(certificate.data, certificate.origin),
                       columns_of(certificate),
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       trusted};
  need(certificate.data.rows >= 0, "the number of rows is negative");
  if (const char* problem = read.made.problem(); problem != nullptr) throw Refusal(problem);
  need(!read.made.jointly() || certificate.map.kind == FeatureMap::Kind::kNone, "all classes jointly have no map");
  need(read.columns.mapped().has_value(), "the feature map is unknown or has too many columns");
  for (const ExactWeights& level : certificate.levels) read.levels.push_back(read_weights(level, read.columns));
  const std::int64_t rows = read.made.rows();
  read.witness = read_alphas(certificate.witness, rows);
  if (certificate.span) read_span(*certificate.span, read);
  read.alpha = read_alphas(certificate.margin.alpha, rows);
  for (const RowWeights& witness : certificate.mistakes.witnesses) read.packing.push_back(read_alphas(witness, rows));
  need(certificate.mistakes.at_most || certificate.mistakes.weights.empty(), "weights without mistakes.at_most");
  read.classifier = read_weights(certificate.mistakes.weights, read.columns);
  if (certificate.margin.radius_squared) {
    read.radius_squared = parse_exact(*certificate.margin.radius_squared);
    need(read.radius_squared.has_value(), "the radius is not an exact number");
  }
  read_coefficients(certificate.coefficients, read);
  return read;
}

std::vector<std::int64_t> named_rows(const Certificate& certificate) {
  std::set<std::int64_t> rows;
  const auto add = [&rows](const RowWeights& weights) {
    for (const RowWeight& entry : weights) rows.insert(entry.row);
  };
  add(certificate.witness);
  add(certificate.margin.alpha);
  for (const RowWeights& witness : certificate.mistakes.witnesses) add(witness);
  for (const auto* list : {&certificate.coefficients.plus_infinity, &certificate.coefficients.minus_infinity}) {
    for (const Coefficients::Infinite& each : *list) add(each.alpha);
  }
  return {rows.begin(), rows.end()};
}

std::vector<std::int64_t> named_data_rows(const Certificate& certificate) {
  std::vector<std::int64_t> rows = named_rows(certificate);
  const std::int64_t per_row = ClassRows(certificate.data, certificate.origin).per_row();
  for (std::int64_t& row : rows) row /= per_row;
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace linsep
