// Fitting a TableMap to tables: the kinds of columns, what is counted, and an account of both.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/read.h"
#include "linsep/table/map.h"

namespace linsep {

/// The caller's wishes for a table's columns. Everything else is found out from the first rows (docs/howto/tables.md).
struct TableSpec {
  enum class Missing { kIndicator, kMean, kRefuse };
  enum class Weighting { kTfIdf, kTf, kCounts, kPresence };
  struct Date {
    std::string column = {}, format = {};  ///< "iso", or as strptime's
    bool operator==(const Date&) const = default;
  };

  std::vector<std::string> number = {}, category = {}, text = {};  ///< columns by name, or by number from 1
  std::vector<Date> date = {};
  bool only = false;  ///< columns that aren't named are left out
  Scale scale = Scale::kAuto;
  Missing missing = Missing::kIndicator;
  std::vector<std::string> missing_words = {};
  std::int64_t min_count = 2;  ///< rows that a category or term must be in
  TermRange words = {1, 2}, chars = {};
  Weighting weighting = Weighting::kTfIdf;
  bool norm = true;
  int bits = 0;  ///< 10 … 28 to hash every category and text, 0 for exact
  bool has_signs = false;
  std::int64_t most_terms = std::int64_t{1} << 22;  ///< of an encoder. One with more is hashed into as many buckets
  std::int64_t most_names = std::int64_t{1} << 18;  ///< of buckets
  std::vector<std::string> cross = {};              ///< "a*b"
  char decimal = 0;                                 ///< '.' or ',', or 0 to find out
  /// For proofs. Anything unspecified is taken as it is written: no scale, 0 for a missing value together with its
  /// indicator, counts of terms, no length.
  bool as_written = false;

  bool operator==(const TableSpec&) const = default;
};

/// How one column is used.
struct ColumnAccount {
  std::string name;  ///< without a header the number, from 1
  /// "label", "number", "category", "text", "date", "vector", "id", "weight", "left out".
  std::string purpose;
  std::string
      reason;  ///< the reason, if it wasn't asked for: "by its name", "the last column", "the same value in every row"
  std::string detail;       ///< "2 … 910, 3 missing; divided by 59.9; indicator"
  std::string format = {};  ///< of a date
};

struct TableAccount {
  std::string file;
  std::int64_t rows = 0, looked_at = 0;  ///< rows from which kinds were found out
  bool header = true;
  char delimiter = ',';
  char decimal = '.';
  std::vector<ColumnAccount> columns;  ///< in the table's order
  std::uint32_t features = 0;
};

/// The account as lines for people.
std::string account_text(const TableAccount& account);

struct FittedTable {
  TableMap map;  ///< empty if all features are numbers that are taken as they are, or the data is no table
  TableAccount account;
};

/// Goes through the tables once and fits a map. (For numbers that are taken as they are, it looks at the first rows
/// only.) Uses only integers and sums that don't depend on the order, so threads, chunks and workers can't change a
/// bit. A collective call, with the same Error on all workers. Throws a usage Error for columns that don't exist.
/// Throws an input Error if a field isn't what its column is, with file, line and column, all columns of its row that
/// don't fit, and help for each. svmlight and page files have no map, so it is empty.
FittedTable fit_table(std::span<const std::string> paths, const ReadOptions& options, const TableSpec& spec, Comm& comm,
                      const Observer& observe = {});

/// Counts of rows that were encoded by a map, filled from any thread.
struct TableCounts {
  explicit TableCounts(std::size_t encoders) : unseen(encoders), holes(encoders) {}

  std::atomic<std::int64_t> rows = 0, nothing = 0;  ///< all rows, and those without a feature other than 0
  std::vector<std::atomic<std::int64_t>> unseen;    ///< by encoder, rows with a category that wasn't seen in training,
                                                    ///< or with a text none of whose terms was
  std::vector<std::atomic<std::int64_t>> holes;     ///< by encoder, rows without a value
};

}  // namespace linsep
