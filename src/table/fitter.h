// TableFitter counts what must be known of a table's rows before they can be encoded. Counts and sums depend neither on
// the order of rows nor on how they are spread over fitters and workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/comm.h"
#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/table_batch.h"

namespace linsep {

/// A column as the options or the first rows have decided.
struct PlannedColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::string format = "iso";      ///< for kDate
  std::string number_format = {};  ///< for kNumber: its NumberStyle, "" if plain
  std::uint32_t size = 0;          ///< for kVector
  double centre = 0;   ///< a number near the column's mean, the same on all workers: deviations from it are summed
  bool asked = false;  ///< the user named it, so it isn't left out
};

/// The findings about a planned column, for the account.
struct FittedColumn {
  std::string left_out;  ///< why it has no encoder, or "" if it has one
  std::string detail;    ///< ColumnAccount::detail
};

struct FittedCross {
  std::string name;  ///< "a*b"
  std::string detail;
};

class TableFitter {
 public:
  /// REQUIRES: `spec.scale` isn't kAuto. Throws a usage Error for crosses of columns that can't be crossed.
  TableFitter(TableSpec spec, std::vector<PlannedColumn> columns);
  ~TableFitter();
  TableFitter(const TableFitter&) = delete;
  TableFitter& operator=(const TableFitter&) = delete;

  const std::vector<PlannedColumn>& columns() const { return columns_; }
  /// `place` orders batches the way their rows are ordered, since buckets are named after the first terms. It is below
  /// 2⁴⁸.
  void take(const TableBatch& batch, std::uint64_t place);
  /// Takes over the counts of another fitter of the same columns, and leaves it empty.
  void merge(TableFitter& other);
  /// How many values a category column has here, and how many of them `is` accepts. Hashed ones have none.
  struct ValueCounts {
    std::int64_t values = 0, accepted = 0;
  };
  ValueCounts count_accepted(std::size_t column, const std::function<bool(std::string_view)>& is) const;
  /// How many bytes the counts take, approximately.
  std::uint64_t bytes() const;

  /// Adds what all workers have counted and makes the encoders, in order, for every column that isn't left out and then
  /// for the crosses. Fills `map.encoders` and `map.rows`, and `fitted` with one entry for each planned column. A
  /// collective call.
  void finish(Comm& comm, TableMap& map, std::vector<FittedColumn>& fitted);
  /// After `finish`, the crosses, as "a*b", each with its text for the account.
  const std::vector<FittedCross>& crosses() const { return crosses_; }

  struct Counts;

 private:
  TableSpec spec_;
  std::vector<PlannedColumn> columns_;
  std::unique_ptr<Counts> counts_;
  std::vector<FittedCross> crosses_;
};

}  // namespace linsep
