#include "table/fit/fitted_encoders.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace linsep {
namespace {

/// A factor that divides by `by`; 1 where that isn't a number above 0.
double factor_of(double by) {
  const double factor = 1 / by;
  return by > 0 && std::isfinite(factor) && factor > 0 ? factor : 1;
}

/// Takes over terms or buckets. A value that can't be told apart as `terms` has it (a cross: U+001F in the first of
/// two) is never one of the terms.
void take_terms(const TableSpec& spec, CountedTerms& counted, Encoder& encoder) {
  encoder.bits = counted.bits;
  if (counted.bits > 0) {
    encoder.has_signs = spec.has_signs;
    encoder.every_bucket = spec.min_count <= 1;
    if (!encoder.every_bucket) encoder.buckets = std::move(counted.buckets);
    encoder.names = std::move(counted.names);
    return;
  }
  encoder.terms.reserve(counted.terms.size());
  for (CountedTerm& counted_term : counted.terms) {
    const bool ambiguous = encoder.kind == Encoder::Kind::kCross &&
                           std::count(counted_term.term.begin(), counted_term.term.end(), '\x1f') > 1;
    if (!ambiguous) encoder.terms.push_back(std::move(counted_term.term));
  }
  encoder.rare = encoder.kind != Encoder::Kind::kText && counted.distinct > encoder.terms.size();
}

/// The same doubles on all workers: those of the first.
void take_from_first(std::vector<double>& numbers, Comm& comm) {
  if (comm.size() == 1) return;
  const std::span<const std::byte> mine = std::as_bytes(std::span(numbers));
  const auto all = comm.all_gather(comm.rank() == 0 ? mine : std::span<const std::byte>());
  std::memcpy(numbers.data(), all[0].data(), numbers.size() * sizeof(double));
}

bool has_indicator(const TableSpec& spec, std::int64_t missing) {
  return missing > 0 && spec.missing == TableSpec::Missing::kIndicator;
}

}  // namespace

NumberFacts number_facts(const TableFitter::Counts& counts, const ColumnCounts& column, double centre) {
  NumberFacts facts;
  facts.count = counts.rows - column.missing;
  if (facts.count == 0) return facts;
  facts.least = column.least;
  facts.greatest = column.greatest;
  const auto count = static_cast<double>(facts.count);
  const double off = counts.sums.value(column.sums) / count, squares = counts.sums.value(column.sums + 1) / count;
  const double mean = centre + off;
  // Of numbers near the ends of what doubles can say, sums may not be finite.
  facts.mean =
      std::isfinite(mean) ? std::clamp(mean, facts.least, facts.greatest) : facts.least / 2 + facts.greatest / 2;
  const double variance = squares - off * off;
  if (facts.least < facts.greatest && std::isfinite(variance) && variance > 0) facts.deviation = std::sqrt(variance);
  return facts;
}

Encoder number_encoder(const TableSpec& spec, const PlannedColumn& plan, const NumberFacts& facts,
                       std::int64_t missing) {
  Encoder encoder;
  encoder.column = plan.name;
  encoder.kind = Encoder::Kind::kNumber;
  encoder.scale = spec.scale;
  encoder.mean = facts.mean;
  encoder.missing = has_indicator(spec, missing);
  const bool zero = spec.as_written && spec.missing == TableSpec::Missing::kIndicator;
  encoder.fill = zero ? 0 : facts.mean;
  const double greatest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  const double deviation = facts.deviation > 0 ? facts.deviation : greatest;
  if (spec.scale == Scale::kDeviation || spec.scale == Scale::kStandard) {
    encoder.factor = factor_of(deviation);
    const bool far = facts.deviation > 0 && std::abs(facts.mean) > 8 * facts.deviation;
    if (spec.scale == Scale::kStandard || far) encoder.shift = facts.mean;
  } else if (spec.scale == Scale::kMaxAbs) {
    encoder.factor = factor_of(greatest);
  }
  return encoder;
}

Encoder date_encoder(const TableSpec& spec, const PlannedColumn& plan, const NumberFacts& facts,
                     const ColumnCounts& column) {
  Encoder encoder = number_encoder(spec, plan, facts, column.missing);
  encoder.kind = Encoder::Kind::kDate;
  encoder.format = plan.format;
  encoder.parts = {Encoder::Part::kDays, Encoder::Part::kWeekday, Encoder::Part::kMonth};
  if (column.earliest < column.latest) encoder.parts.push_back(Encoder::Part::kHour);
  if (spec.as_written) return encoder;
  encoder.shift = facts.mean;
  if (spec.scale == Scale::kMaxAbs) {
    encoder.factor = factor_of(std::max(facts.greatest - facts.mean, facts.mean - facts.least));
  } else if (facts.deviation == 0) {
    encoder.factor = 1;
  }
  return encoder;
}

Encoder category_encoder(const TableSpec& spec, const PlannedColumn& plan, CountedTerms& counted,
                         std::int64_t missing) {
  Encoder encoder;
  encoder.column = plan.name;
  encoder.kind = Encoder::Kind::kCategory;
  encoder.missing = has_indicator(spec, missing);
  take_terms(spec, counted, encoder);
  return encoder;
}

Encoder pair_encoder(const TableSpec& spec, const std::string& first, const std::string& second,
                     CountedTerms& counted) {
  Encoder encoder;
  encoder.column = first;
  encoder.second = second;
  encoder.kind = Encoder::Kind::kCross;
  encoder.cross = Encoder::Cross::kCategories;
  take_terms(spec, counted, encoder);
  return encoder;
}

Encoder text_encoder(const TableSpec& spec, const PlannedColumn& plan, const TextCounts& text, CountedTerms& counted,
                     std::int64_t rows, Comm& comm) {
  Encoder encoder;
  encoder.column = plan.name;
  encoder.kind = Encoder::Kind::kText;
  encoder.words = text.words;
  encoder.chars = text.chars;
  using Weighting = TableSpec::Weighting;
  const bool counts = spec.weighting == Weighting::kCounts || (spec.as_written && spec.weighting == Weighting::kTfIdf);
  encoder.weight = counts                                   ? TermWeight::kCount
                   : spec.weighting == Weighting::kPresence ? TermWeight::kPresence
                                                            : TermWeight::kSqrt;
  encoder.norm = spec.norm && !spec.as_written;
  const bool has_idf = spec.weighting == Weighting::kTfIdf && !spec.as_written;
  if (has_idf) {
    const auto idf = [&](std::uint64_t df) {
      return std::log((1 + static_cast<double>(rows)) / (1 + static_cast<double>(df))) + 1;
    };
    for (const CountedTerm& term : counted.terms) encoder.idf.push_back(idf(term.count));
    for (const std::uint64_t count : counted.counts) encoder.idf.push_back(idf(count));
    take_from_first(encoder.idf, comm);
  }
  std::vector<std::uint32_t> buckets;
  if (has_idf) buckets = counted.buckets;
  take_terms(spec, counted, encoder);
  // A bucket without an idf weighs nothing.
  if (encoder.bits > 0 && has_idf) {
    encoder.every_bucket = false;
    encoder.buckets = std::move(buckets);
  }
  return encoder;
}

}  // namespace linsep
