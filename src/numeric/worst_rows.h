// The rows that a search keeps: copies of the few that matter, in an order that no split into batches can change.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

/// A copy of one row: features as the scan sees them, without the offset and not multiplied by the label.
struct WorkRow {
  std::int64_t row = 0;
  int sign = 1;            ///< the label
  std::uint64_t hash = 0;  ///< of the features
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

/// The `limit` rows with the least scores. Rows with equal scores and hashes are one row: the first stands for all.
class WorstRows {
 public:
  explicit WorstRows(std::size_t limit = 0) : limit_(limit) {}

  std::size_t size() const { return row_.size(); }
  std::size_t limit() const { return limit_; }
  /// Whether a row with this score would be kept: to be asked before its hash and copy are made.
  bool wants(double score) const { return row_.size() < limit_ || score <= row_.rbegin()->first.first; }
  template <class Row>
  void offer(double score, std::uint64_t hash, std::int64_t number, int sign, const Row& x) {
    WorkRow* kept = place_for(score, hash, number);
    if (kept == nullptr) return;
    kept->row = number;
    kept->sign = sign;
    kept->hash = hash;
    kept->column.clear();
    kept->value.clear();
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      kept->column.push_back(column);
      kept->value.push_back(value);
    });
  }

  /// Takes the rows of another: as if they had been offered here.
  void absorb(WorstRows& other);
  /// The worst of all workers.
  void synchronise(Comm& comm);
  /// By score, then hash; leaves none.
  std::vector<WorkRow> take();

 private:
  WorkRow* place_for(double score, std::uint64_t hash, std::int64_t number);

  std::size_t limit_;
  std::map<std::pair<double, std::uint64_t>, WorkRow> row_;
};

}  // namespace linsep
