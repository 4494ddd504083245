// What a TableFitter counts for each column and each cross, and what each kind makes of it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/binned_sums.h"
#include "table/fitter.h"
#include "table/terms.h"
#include "table/vocabulary.h"

namespace linsep {

/// Finds out whether a column has more than one value, and keeps the value if not.
struct ConstantDetector {
  bool any = false, varies = false;
  std::string value;

  void take(std::string_view next) {
    if (varies) return;
    if (!any) {
      any = true;
      value = next;
    } else if (value != next) {
      varies = true;
      value.clear();
    }
  }
  void merge(const ConstantDetector& other) {
    if (other.varies) {
      any = varies = true;
      value.clear();
    } else if (other.any) {
      take(other.value);
    }
  }
};

/// The terms of a text of one kind, either words or characters.
struct TextCounts {
  TermRange words, chars;
  TermReader reader;
  Vocabulary vocabulary;

  TextCounts(TermRange w, TermRange c, const VocabularyLimits& limits)
      : words(w), chars(c), reader(w, c), vocabulary(limits) {}
};

struct ColumnCounts {
  std::int64_t missing = 0;
  // For numbers, and for the days of dates.
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  std::size_t sums = 0;     ///< index in `TableFitter::Counts::sums` of Σ(x − centre), which Σ(x − centre)² follows
  bool has_squares = true;  ///< only if a deviation is needed
  double earliest = std::numeric_limits<double>::infinity();  ///< for dates: seconds of the day
  double latest = -std::numeric_limits<double>::infinity();
  // For categories and texts.
  ConstantDetector one;
  std::vector<Vocabulary> categories;  ///< for a category: one
  std::vector<TextCounts> texts;       ///< for a text: words, characters or both
  std::vector<std::uint64_t> keys;     ///< for a category: those of the batch's values
};

/// A cross in terms of planned columns.
struct PlannedCross {
  CrossEncoder::Of of = CrossEncoder::Of::kCategories;
  std::size_t first = 0, second = 0;  ///< indexes of planned columns
  std::string name;                   ///< as the user wrote it
};

struct TableFitter::Counts {
  std::int64_t rows = 0;
  std::vector<ColumnCounts> columns;
  std::vector<PlannedCross> crosses;
  std::vector<Vocabulary> pairs;  ///< one per cross, used by those of categories
  BinnedSums sums;
};

/// The end of fitting makes encoders from the counts of all workers, one column after another.
struct Fitting {
  const TableSpec& spec;
  const std::vector<PlannedColumn>& plans;
  TableFitter::Counts& counts;
  Comm& comm;
  TableMap& map;
  std::vector<double> values;  ///< by column: the number of distinct values of a category

  /// Whether missing values of a column get their own feature.
  bool has_indicator(std::size_t k) const {
    return counts.columns[k].missing > 0 && spec.missing == TableSpec::Missing::kIndicator;
  }
  CountedTerms terms_of(Vocabulary& vocabulary) const {
    return count_terms(vocabulary, comm, spec.min_count, counts.rows);
  }
  void add(const std::string& column, Encoder::Kind kind) { map.encoders.push_back({column, std::move(kind)}); }
};

// For each kind of column, these count a batch and append the encoder to the map. Counts are integers, or sums that are
// the same in any order.
void count_numbers(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts);
void count_dates(const TableColumn& column, std::size_t rows, double centre, BinnedSums& sums, ColumnCounts& counts);
void count_categories(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts);
void count_texts(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts);
FittedColumn fit_number(Fitting& fitting, std::size_t k);
FittedColumn fit_date(Fitting& fitting, std::size_t k);
FittedColumn fit_category(Fitting& fitting, std::size_t k);
FittedColumn fit_text(Fitting& fitting, std::size_t k);
FittedColumn fit_vector(Fitting& fitting, std::size_t k);

// The same for crosses (cross_kind.cc).

/// Throws a usage Error for crosses of columns that don't exist or can't be crossed.
std::vector<PlannedCross> plan_crosses(const TableSpec& spec, const std::vector<PlannedColumn>& columns);
/// Counts pairs of values of two category columns whose keys are already there.
void count_pairs(const TableBatch& batch, const PlannedCross& cross, std::uint64_t place,
                 const std::vector<ColumnCounts>& counts, Vocabulary& pairs);
FittedCross fit_cross(Fitting& fitting, std::size_t k);

// Shared by numbers and dates (number_kind.cc).

struct NumberFacts {
  std::int64_t count = 0;
  double least = 0, greatest = 0, mean = 0;
  double deviation = 0;  ///< 0 if unknown: one value, no squares, or squares that aren't doubles
};
NumberFacts number_facts(const TableFitter::Counts& counts, const ColumnCounts& column, double centre);
void count_number(ColumnCounts& counts, BinnedSums& sums, double x, double centre);
Scaling fitted_scaling(const TableSpec& spec, const NumberFacts& facts);
/// Returns the factor that divides by `by`, or 1 if `by` isn't a number above 0.
double factor_of(double by);
/// Describes what becomes of missing values: "; indicator".
std::string indicator_detail(bool indicator, std::int64_t missing);

// Shared by categories, texts and crosses (term_set.cc).

/// Takes over terms or buckets. A value that `terms` can't represent unambiguously (in a cross, a first value that
/// contains U+001F) is never one of the terms.
void take_terms(const TableSpec& spec, CountedTerms& counted, bool pairs, TermSet& set);
void take_values(const TableSpec& spec, CountedTerms& counted, bool pairs, ValueSet& values);
/// "hashed into 1,024 buckets, 12 in use"
std::string buckets_detail(const TableSpec& spec, const TermSet& set);
std::string values_detail(const TableSpec& spec, const ValueSet& values, std::uint64_t distinct);

/// ", 3 missing"
std::string missing_detail(std::int64_t missing);

}  // namespace linsep
