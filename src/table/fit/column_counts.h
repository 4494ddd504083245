// What a TableFitter counts of each column and each cross.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/binned_sums.h"
#include "table/fit/vocabulary.h"
#include "table/fitter.h"
#include "table/terms.h"

namespace linsep {

/// Whether a column has more than one value, and the value if not.
struct OneValue {
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
  void merge(const OneValue& other) {
    if (other.varies) {
      any = varies = true;
      value.clear();
    } else if (other.any) {
      take(other.value);
    }
  }
};

/// Terms of a kind of a text: words or characters.
struct TextCounts {
  TermRange words, chars;
  TermReader reader;
  Vocabulary vocabulary;

  TextCounts(TermRange w, TermRange c, const VocabularyLimits& limits)
      : words(w), chars(c), reader(w, c), vocabulary(limits) {}
};

struct ColumnCounts {
  std::int64_t missing = 0;
  // Of numbers, and of the days of dates.
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  std::size_t sums = 0;     ///< place in `TableFitter::Counts::sums`: Σ(x − centre), then Σ(x − centre)²
  bool has_squares = true;  ///< only where a deviation is asked for
  double earliest = std::numeric_limits<double>::infinity();  ///< of dates: seconds of the day
  double latest = -std::numeric_limits<double>::infinity();
  // Of categories and texts.
  OneValue one;
  std::vector<Vocabulary> categories;  ///< one, of a category
  std::vector<TextCounts> texts;       ///< of a text: words, characters or both
  std::vector<std::uint64_t> keys;     ///< of a category: of the values of the batch
};

/// A cross as a plan of columns.
struct PlannedCross {
  Encoder::Cross cross = Encoder::Cross::kCategories;
  std::size_t first = 0, second = 0;  ///< planned columns
  std::string name;                   ///< as asked for
};

/// Throws a usage Error for crosses of columns that aren't there or can't be crossed.
std::vector<PlannedCross> plan_crosses(const TableSpec& spec, const std::vector<PlannedColumn>& columns);

struct TableFitter::Counts {
  std::int64_t rows = 0;
  std::vector<ColumnCounts> columns;
  std::vector<PlannedCross> crosses;
  std::vector<Vocabulary> pairs;  ///< of each cross; used by those of categories
  BinnedSums sums;
};

/// Adds the counts of numbers, holes and single values of all workers. A collective call; `counts` of vocabularies stay
/// those of this worker.
void add_workers(TableFitter::Counts& counts, Comm& comm);

}  // namespace linsep
