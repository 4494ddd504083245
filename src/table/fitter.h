// TableFitter: what must be counted of a table's rows before they can be encoded. Counts and sums depend neither on the
// order of rows nor on how they are spread over fitters and workers.
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

/// A column as options or the first rows have decided.
struct PlannedColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::string format = "iso";      ///< kDate
  std::string number_format = {};  ///< kNumber: its NumberStyle, "" if plain
  std::uint32_t size = 0;          ///< kVector
  double centre = 0;   ///< a number near the column's mean, from which deviations are summed; the same on all workers
  bool asked = false;  ///< the user has named it: it isn't left out
};

/// What was found out about a planned column, for the account.
struct FittedColumn {
  std::string left_out;  ///< why it has no encoder; "": it has one
  std::string detail;    ///< ColumnAccount::detail
};

struct FittedCross {
  std::string name;  ///< "a*b"
  std::string detail;
};

class TableFitter {
 public:
  /// `spec.scale` isn't kAuto. Throws a usage Error for crosses of columns that can't be crossed.
  TableFitter(TableSpec spec, std::vector<PlannedColumn> columns);
  ~TableFitter();
  TableFitter(const TableFitter&) = delete;
  TableFitter& operator=(const TableFitter&) = delete;

  const std::vector<PlannedColumn>& columns() const { return columns_; }
  /// `place` orders batches as the rows they hold: names of buckets are those that come first. Below 2⁴⁸.
  void take(const TableBatch& batch, std::uint64_t place);
  /// Takes over what another fitter of the same columns has counted, which has nothing then.
  void merge(TableFitter& other);
  /// How many values a category column has here, and how many of them `is` accepts: of hashed ones none.
  struct ValueCounts {
    std::int64_t values = 0, accepted = 0;
  };
  ValueCounts count_accepted(std::size_t column, const std::function<bool(std::string_view)>& is) const;
  /// About how many bytes the counts take.
  std::uint64_t bytes() const;

  /// Adds what all workers have counted, and makes the encoders: of every column that isn't left out, in order, and the
  /// crosses. Fills `map.encoders` and `map.rows`, and `fitted` with one entry for each planned column. A collective
  /// call.
  void finish(Comm& comm, TableMap& map, std::vector<FittedColumn>& fitted);
  /// After `finish`: the crosses, as "a*b", each with what the account says of it.
  const std::vector<FittedCross>& crosses() const { return crosses_; }

  struct Counts;

 private:
  TableSpec spec_;
  std::vector<PlannedColumn> columns_;
  std::unique_ptr<Counts> counts_;
  std::vector<FittedCross> crosses_;
};

}  // namespace linsep
