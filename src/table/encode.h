// TableEncoder turns rows of a table into features. This is the only place where that happens, for training,
// prediction, `encode` and `certify` alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/table_batch.h"

namespace linsep {

/// A column that a map needs.
struct AskedColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::string format;      ///< for kDate; for kNumber how it is written, "" if plain
  std::uint32_t size = 0;  ///< for kVector

  bool operator==(const AskedColumn&) const = default;
};

/// The columns of a map, each once, in the order in which encoders first name them.
std::vector<AskedColumn> asked_columns(const TableMap& map);
/// Whether rows are best kept dense, which holds if the map has numbers only.
bool has_dense_rows(const TableMap& map);

/// Encoded rows in sparse form. Columns ascend strictly, and no value is 0. Values are doubles before any rounding to
/// float.
struct EncodedRows {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  void clear() {
    start.assign(1, 0);
    column.clear();
    value.clear();
  }
  bool operator==(const EncodedRows&) const = default;
};

/// A map with its look-up tables, ready for any number of threads.
class PreparedTable {
 public:
  /// REQUIRES: problem_of(*map) is "".
  explicit PreparedTable(std::shared_ptr<const TableMap> map);
  ~PreparedTable();
  PreparedTable(const PreparedTable&) = delete;
  PreparedTable& operator=(const PreparedTable&) = delete;

  const TableMap& map() const { return *map_; }
  std::shared_ptr<const TableMap> shared_map() const { return map_; }
  const std::vector<AskedColumn>& columns() const { return columns_; }
  std::uint32_t features() const { return features_; }
  bool dense() const { return dense_; }  ///< has_dense_rows
  /// The place in `columns` of the number column that this feature takes as written, if what is written is its exact
  /// value. Else −1.
  int written_column(std::uint32_t feature) const;

  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const TableMap> map_;
  std::vector<AskedColumn> columns_;
  std::uint32_t features_ = 0;
  bool dense_ = false;
  std::unique_ptr<const Parts> parts_;
};

/// Each thread needs its own.
class TableEncoder {
 public:
  explicit TableEncoder(std::shared_ptr<const PreparedTable> table);
  ~TableEncoder();
  TableEncoder(const TableEncoder&) = delete;
  TableEncoder& operator=(const TableEncoder&) = delete;

  const PreparedTable& table() const { return *table_; }
  /// Appends the rows of a batch. `counts` may be null.
  void encode(const TableBatch& batch, EncodedRows& out, TableCounts* counts);

 private:
  struct State;
  std::shared_ptr<const PreparedTable> table_;
  std::unique_ptr<State> state_;
};

}  // namespace linsep
