// RowsOfAll: a worker's shard as a source that also knows of the other shards.
#pragma once

#include "linsep/comm.h"
#include "linsep/source.h"

namespace linsep {

/// Passes and batches are those of this worker's shard. `shape` counts the rows and nonzeros of all shards, and
/// `written` returns rows of all of them: a collective call, for which every worker must ask for the same rows.
/// REQUIRES: shards of known size, numbered through in the order of the ranks; `shard` and `comm` outlive this object.
/// Making one is a collective call.
class RowsOfAll : public Source {
 public:
  RowsOfAll(Source& shard, Comm& comm);

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return shard_.schema(); }
  void rewind(std::uint64_t pass) override { shard_.rewind(pass); }
  std::optional<Batch> next() override { return shard_.next(); }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;
  /// Of this worker's rows; no collective call.
  Place place_of(std::int64_t row) override {
    return row >= first_row_ && row < end_row_ ? shard_.place_of(row) : Place{};
  }

  /// The numbers of this worker's rows: from the first up to the end.
  std::int64_t first_row() const { return first_row_; }
  std::int64_t end_row() const { return end_row_; }

 private:
  Source& shard_;
  Comm& comm_;
  Shape shape_;
  std::int64_t first_row_ = 0, end_row_ = 0;
};

}  // namespace linsep
