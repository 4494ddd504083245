#include "table/fitter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linsep/error.h"
#include "table/date.h"
#include "table/fit/column_counts.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

constexpr double kDay = 86400;
constexpr std::size_t kAhead = 16;  ///< rows whose slots are asked for beforehand

bool is_missing(const TableColumn& column, std::size_t row) {
  return !column.missing.empty() && column.missing[row] != 0;
}

VocabularyLimits limits_of(const TableSpec& spec) { return {spec.bits, spec.most_terms, spec.most_names}; }

void take_number(ColumnCounts& counts, BinnedSums& sums, double x, double centre) {
  counts.least = std::min(counts.least, x);
  counts.greatest = std::max(counts.greatest, x);
  const double off = x - centre;
  sums.add(counts.sums, off);
  if (counts.has_squares) sums.add(counts.sums + 1, off * off);
}

void take_numbers(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts) {
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = column.number[row];
    if (is_missing(column, row) || std::isnan(x)) {
      ++counts.missing;
    } else {
      take_number(counts, sums, x, centre);
    }
  }
}

void take_dates(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      ++counts.missing;
      continue;
    }
    const double days = parts_of(column.seconds[row]).days;
    const std::int64_t rest = column.seconds[row] % static_cast<std::int64_t>(kDay);
    const double time = static_cast<double>(rest) + (rest < 0 ? kDay : 0);
    counts.earliest = std::min(counts.earliest, time);
    counts.latest = std::max(counts.latest, time);
    take_number(counts, sums, days, centre);
  }
}

void take_categories(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts) {
  Vocabulary& vocabulary = counts.categories.front();
  vocabulary.begin_batch(place);
  counts.keys.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    counts.keys[row] = is_missing(column, row) ? 0 : value_key(column.text[row]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (row + kAhead < rows) vocabulary.prefetch(counts.keys[row + kAhead]);
    if (is_missing(column, row)) {
      ++counts.missing;
      continue;
    }
    counts.one.take(column.text[row]);
    vocabulary.take_one(counts.keys[row], [&] { return column.text[row]; });
  }
}

void take_texts(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      ++counts.missing;
    } else {
      counts.one.take(column.text[row]);
    }
  }
  for (TextCounts& text : counts.texts) {
    text.vocabulary.begin_batch(place);
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_missing(column, row)) continue;
      text.vocabulary.take_row(text.reader.read(column.text[row]), [&](std::size_t i) { return text.reader.term(i); });
    }
  }
}

void take_column(const PlannedColumn& plan, const TableColumn& column, std::size_t rows, std::uint64_t place,
                 BinnedSums& sums, ColumnCounts& counts) {
  switch (plan.kind) {
    case Kind::kNumber:
      return take_numbers(column, rows, plan.centre, sums, counts);
    case Kind::kDate:
      return take_dates(column, rows, plan.centre, sums, counts);
    case Kind::kCategory:
      return take_categories(column, rows, place, counts);
    case Kind::kText:
      return take_texts(column, rows, place, counts);
    case Kind::kVector:
    case Kind::kCross:
      counts.missing +=
          std::count_if(column.missing.begin(), column.missing.end(), [](auto hole) { return hole != 0; });
  }
}

/// Pairs of values of two category columns whose keys are there already.
void take_pairs(const TableBatch& batch, const PlannedCross& cross, std::uint64_t place,
                const std::vector<ColumnCounts>& counts, Vocabulary& pairs) {
  const TableColumn& a = batch.columns[cross.first];
  const TableColumn& b = batch.columns[cross.second];
  pairs.begin_batch(place);
  std::string term;
  for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
    if (is_missing(a, row) || is_missing(b, row)) continue;
    pairs.take_one(pair_key(counts[cross.first].keys[row], counts[cross.second].keys[row]), [&]() -> std::string_view {
      term.assign(a.text[row]).append(1, '\x1f').append(b.text[row]);
      return term;
    });
  }
}

void merge_sums(BinnedSums& mine, BinnedSums& theirs) {
  std::vector<std::int64_t> bases = mine.bases();
  const std::vector<std::int64_t> others = theirs.bases();
  for (std::size_t k = 0; k < bases.size(); ++k) bases[k] = std::max(bases[k], others[k]);
  mine.raise_to(bases);
  theirs.raise_to(bases);
  std::vector<std::int64_t> bins = mine.bins();
  const std::vector<std::int64_t> more = theirs.bins();
  for (std::size_t k = 0; k < bins.size(); ++k) bins[k] += more[k];
  mine.set(bases, bins);
}

void merge_column(ColumnCounts& mine, ColumnCounts& theirs) {
  mine.missing += theirs.missing;
  mine.least = std::min(mine.least, theirs.least);
  mine.greatest = std::max(mine.greatest, theirs.greatest);
  mine.earliest = std::min(mine.earliest, theirs.earliest);
  mine.latest = std::max(mine.latest, theirs.latest);
  mine.one.merge(theirs.one);
  for (std::size_t k = 0; k < mine.categories.size(); ++k) mine.categories[k].merge(theirs.categories[k]);
  for (std::size_t k = 0; k < mine.texts.size(); ++k) mine.texts[k].vocabulary.merge(theirs.texts[k].vocabulary);
}

/// The counts of a table without rows.
std::unique_ptr<TableFitter::Counts> empty_counts(const TableSpec& spec, const std::vector<PlannedColumn>& columns) {
  auto counts = std::make_unique<TableFitter::Counts>();
  counts->crosses = plan_crosses(spec, columns);
  const VocabularyLimits limits = limits_of(spec);
  std::size_t sums = 0;
  for (const PlannedColumn& plan : columns) {
    ColumnCounts& column = counts->columns.emplace_back();
    if (plan.kind == Kind::kNumber || plan.kind == Kind::kDate) {
      column.sums = sums;
      column.has_squares = spec.scale == Scale::kDeviation || spec.scale == Scale::kStandard;
      sums += 2;
    }
    if (plan.kind == Kind::kCategory) column.categories.emplace_back(limits);
    if (plan.kind == Kind::kText && !spec.words.none()) column.texts.emplace_back(spec.words, TermRange{}, limits);
    if (plan.kind == Kind::kText && !spec.chars.none()) column.texts.emplace_back(TermRange{}, spec.chars, limits);
  }
  counts->sums.resize(sums);
  for (const PlannedCross& cross : counts->crosses) {
    counts->pairs.emplace_back(cross.cross == Encoder::Cross::kCategories ? limits : VocabularyLimits{});
  }
  return counts;
}

}  // namespace

TableFitter::TableFitter(TableSpec spec, std::vector<PlannedColumn> columns)
    : spec_(std::move(spec)), columns_(std::move(columns)), counts_(empty_counts(spec_, columns_)) {}

TableFitter::~TableFitter() = default;

void TableFitter::take(const TableBatch& batch, std::uint64_t place) {
  counts_->rows += batch.rows;
  const auto rows = static_cast<std::size_t>(batch.rows);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    take_column(columns_[k], batch.columns[k], rows, place, counts_->sums, counts_->columns[k]);
  }
  for (std::size_t k = 0; k < counts_->crosses.size(); ++k) {
    if (counts_->crosses[k].cross != Encoder::Cross::kCategories) continue;
    take_pairs(batch, counts_->crosses[k], place, counts_->columns, counts_->pairs[k]);
  }
}

void TableFitter::merge(TableFitter& other) {
  counts_->rows += other.counts_->rows;
  merge_sums(counts_->sums, other.counts_->sums);
  for (std::size_t k = 0; k < columns_.size(); ++k) merge_column(counts_->columns[k], other.counts_->columns[k]);
  for (std::size_t k = 0; k < counts_->pairs.size(); ++k) counts_->pairs[k].merge(other.counts_->pairs[k]);
  other.counts_ = empty_counts(other.spec_, other.columns_);
}

std::uint64_t TableFitter::bytes() const {
  std::uint64_t bytes = 0;
  for (const ColumnCounts& column : counts_->columns) {
    for (const Vocabulary& vocabulary : column.categories) bytes += vocabulary.bytes();
    for (const TextCounts& text : column.texts) bytes += text.vocabulary.bytes();
  }
  for (const Vocabulary& pairs : counts_->pairs) bytes += pairs.bytes();
  return bytes;
}

}  // namespace linsep
