// TableReader: from a chunk of CSV to a page of encoded rows.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "format/csv/parse.h"
#include "format/csv/split.h"
#include "linsep/table/fit.h"
#include "linsep/table/map.h"
#include "table/encode.h"

namespace linsep::csv {

/// Things of which a thread needs one at a time, kept for the next that asks.
template <class T>
class Pool {
 public:
  /// One that is free, or null.
  std::unique_ptr<T> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  void give(std::unique_ptr<T> one) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(one));
  }
  /// All that are free. REQUIRES: nobody uses one.
  std::vector<std::unique_ptr<T>>& all() { return free_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

/// Any number of threads may use it at once.
class TableReader {
 public:
  /// `layout` has the columns that the map asks for. `counts` may be null.
  TableReader(std::shared_ptr<const Layout> layout, std::shared_ptr<const TableMap> map,
              std::shared_ptr<TableCounts> counts);
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  /// TextFormat::parse: values are floats or doubles as the map says; dense where there are numbers only.
  ParsedPage parse(const Chunk& chunk);
  /// TextFormat::written: of each row what isn't 0. A number that is taken as it is stands there as its decimal, all
  /// else as a double.
  std::vector<WrittenRow> written(const Chunk& chunk, const std::vector<std::int64_t>& rows);

 private:
  struct Desk;
  std::shared_ptr<const PreparedTable> prepared();
  std::unique_ptr<Desk> desk();

  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<const TableMap> map_;
  std::shared_ptr<TableCounts> counts_;
  std::once_flag once_;
  std::shared_ptr<const PreparedTable> prepared_;  ///< made when the first chunk comes
  Pool<Desk> desks_;
};

}  // namespace linsep::csv
