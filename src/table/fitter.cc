#include "table/fitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/bytes.h"
#include "core/words.h"
#include "linsep/error.h"
#include "table/fitting.h"

namespace linsep {
namespace {

VocabularyLimits limits_of(const TableSpec& spec) { return {spec.bits, spec.most_terms, spec.most_names}; }

void count_column(const PlannedColumn& plan, const TableColumn& column, std::size_t rows, std::uint64_t place,
                  BinnedSums& sums, ColumnCounts& counts) {
  switch (plan.kind) {
    case ColumnKind::kNumber:
      return count_numbers(column, rows, plan.centre, sums, counts);
    case ColumnKind::kDate:
      return count_dates(column, rows, plan.centre, sums, counts);
    case ColumnKind::kCategory:
      return count_categories(column, rows, place, counts);
    case ColumnKind::kText:
      return count_texts(column, rows, place, counts);
    case ColumnKind::kVector:
      counts.missing +=
          std::count_if(column.missing.begin(), column.missing.end(), [](auto hole) { return hole != 0; });
  }
}

FittedColumn fit_column(Fitting& fitting, std::size_t k) {
  switch (fitting.plans[k].kind) {
    case ColumnKind::kNumber:
      return fit_number(fitting, k);
    case ColumnKind::kDate:
      return fit_date(fitting, k);
    case ColumnKind::kCategory:
      return fit_category(fitting, k);
    case ColumnKind::kText:
      return fit_text(fitting, k);
    case ColumnKind::kVector:
      return fit_vector(fitting, k);
  }
  return {};
}

/// Why a column is left out, or "" if it isn't.
std::string left_out(const Fitting& fitting, std::size_t k) {
  const PlannedColumn& plan = fitting.plans[k];
  const ColumnCounts& column = fitting.counts.columns[k];
  const bool crossed = std::ranges::any_of(
      fitting.counts.crosses, [&](const PlannedCross& cross) { return cross.first == k || cross.second == k; });
  if (plan.asked || crossed) return "";
  if (column.missing == fitting.counts.rows) return "no value in any row";
  const bool numeric = plan.kind == ColumnKind::kNumber || plan.kind == ColumnKind::kDate;
  const bool one = numeric ? column.least == column.greatest : plan.kind != ColumnKind::kVector && !column.one.varies;
  return one && column.missing == 0 ? "the same value in every row" : "";
}

void refuse_missing(const Fitting& fitting, std::size_t k) {
  const std::int64_t missing = fitting.counts.columns[k].missing;
  if (fitting.spec.missing != TableSpec::Missing::kRefuse || missing == 0) return;
  throw Error(Error::Kind::kInput, {}, {"missing"},
              fmt::format("column '{}' has no value in {} rows, and {{}} is refuse", fitting.plans[k].name,
                          with_commas(static_cast<std::uint64_t>(missing))));
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

void add_integers(TableFitter::Counts& counts, Comm& comm) {
  std::vector<std::int64_t> all = {counts.rows};
  for (const ColumnCounts& column : counts.columns) all.push_back(column.missing);
  comm.all_reduce(std::span(all), Comm::Op::kSum);
  counts.rows = all[0];
  for (std::size_t k = 0; k < counts.columns.size(); ++k) counts.columns[k].missing = all[k + 1];
}

void add_ranges(TableFitter::Counts& counts, Comm& comm) {
  std::vector<double> all;
  for (const ColumnCounts& column : counts.columns) {
    all.insert(all.end(), {-column.least, column.greatest, -column.earliest, column.latest});
  }
  if (all.empty()) return;
  comm.all_reduce(std::span(all), Comm::Op::kMax);
  for (std::size_t k = 0; k < counts.columns.size(); ++k) {
    ColumnCounts& column = counts.columns[k];
    column.least = -all[4 * k];
    column.greatest = all[4 * k + 1];
    column.earliest = -all[4 * k + 2];
    column.latest = all[4 * k + 3];
  }
}

void add_sums(BinnedSums& sums, Comm& comm) {
  if (sums.size() == 0) return;
  std::vector<std::int64_t> bases = sums.bases();
  comm.all_reduce(std::span(bases), Comm::Op::kMax);
  sums.raise_to(bases);
  std::vector<std::int64_t> bins = sums.bins();
  comm.all_reduce(std::span(bins), Comm::Op::kSum);
  sums.set(bases, bins);
}

void add_values(TableFitter::Counts& counts, Comm& comm) {
  ByteWriter writer;
  for (const ColumnCounts& column : counts.columns) {
    writer.number<std::uint8_t>(column.one.any ? 1 : 0);
    writer.number<std::uint8_t>(column.one.varies ? 1 : 0);
    writer.text(column.one.value);
  }
  const auto all = comm.all_gather(std::as_bytes(std::span(writer.bytes())));
  for (ColumnCounts& column : counts.columns) column.one = {};
  for (const auto& bytes : all) {
    ByteReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (ColumnCounts& column : counts.columns) {
      ConstantDetector theirs;
      theirs.any = reader.flag();
      theirs.varies = reader.flag();
      theirs.value = reader.text();
      column.one.merge(theirs);
    }
  }
}

/// Adds the counts of numbers, missing values and single values of all workers. Vocabularies stay this worker's. A
/// collective call.
void add_workers(TableFitter::Counts& counts, Comm& comm) {
  if (comm.size() == 1) return;
  add_integers(counts, comm);
  add_ranges(counts, comm);
  add_sums(counts.sums, comm);
  add_values(counts, comm);
}

/// The counts of a table without rows.
std::unique_ptr<TableFitter::Counts> empty_counts(const TableSpec& spec, const std::vector<PlannedColumn>& columns) {
  auto counts = std::make_unique<TableFitter::Counts>();
  counts->crosses = plan_crosses(spec, columns);
  const VocabularyLimits limits = limits_of(spec);
  std::size_t sums = 0;
  for (const PlannedColumn& plan : columns) {
    ColumnCounts& column = counts->columns.emplace_back();
    if (plan.kind == ColumnKind::kNumber || plan.kind == ColumnKind::kDate) {
      column.sums = sums;
      column.has_squares = spec.scale == Scale::kDeviation || spec.scale == Scale::kStandard;
      sums += 2;
    }
    if (plan.kind == ColumnKind::kCategory) column.categories.emplace_back(limits);
    if (plan.kind == ColumnKind::kText && !spec.words.none())
      column.texts.emplace_back(spec.words, TermRange{}, limits);
    if (plan.kind == ColumnKind::kText && !spec.chars.none())
      column.texts.emplace_back(TermRange{}, spec.chars, limits);
  }
  counts->sums.resize(sums);
  for (const PlannedCross& cross : counts->crosses) {
    counts->pairs.emplace_back(cross.of == CrossEncoder::Of::kCategories ? limits : VocabularyLimits{});
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
    count_column(columns_[k], batch.columns[k], rows, place, counts_->sums, counts_->columns[k]);
  }
  for (std::size_t k = 0; k < counts_->crosses.size(); ++k) {
    if (counts_->crosses[k].of != CrossEncoder::Of::kCategories) continue;
    count_pairs(batch, counts_->crosses[k], place, counts_->columns, counts_->pairs[k]);
  }
}

void TableFitter::merge(TableFitter& other) {
  counts_->rows += other.counts_->rows;
  merge_sums(counts_->sums, other.counts_->sums);
  for (std::size_t k = 0; k < columns_.size(); ++k) merge_column(counts_->columns[k], other.counts_->columns[k]);
  for (std::size_t k = 0; k < counts_->pairs.size(); ++k) counts_->pairs[k].merge(other.counts_->pairs[k]);
  other.counts_ = empty_counts(other.spec_, other.columns_);
}

TableFitter::ValueCounts TableFitter::count_accepted(std::size_t column,
                                                     const std::function<bool(std::string_view)>& is) const {
  const ColumnCounts& counted = counts_->columns[column];
  ValueCounts result;
  result.values = counts_->rows - counted.missing;
  for (const Vocabulary& vocabulary : counted.categories) {
    if (vocabulary.hashed()) return result;
    vocabulary.table().each([&](const TermTable::Slot& slot) {
      if (is(vocabulary.table().term(slot))) result.accepted += static_cast<std::int64_t>(slot.count);
    });
  }
  return result;
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

void TableFitter::finish(Comm& comm, TableMap& map, std::vector<FittedColumn>& fitted) {
  add_workers(*counts_, comm);
  map.encoders.clear();
  map.rows = counts_->rows;
  fitted.clear();
  crosses_.clear();
  Fitting fitting{spec_, columns_, *counts_, comm, map, std::vector<double>(columns_.size())};
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string why = left_out(fitting, k);
    if (why.empty()) refuse_missing(fitting, k);
    fitted.push_back(why.empty() ? fit_column(fitting, k) : FittedColumn{why, ""});
  }
  for (std::size_t k = 0; k < counts_->crosses.size(); ++k) crosses_.push_back(fit_cross(fitting, k));
}

}  // namespace linsep
