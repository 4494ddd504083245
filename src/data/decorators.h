// Sources that wrap another and change its rows: feature maps, scaled columns, a constant one, weights by class, some
// rows and columns, two classes made of many, the rows of all workers.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// What decorators that only change batches have in common: everything else is the inner source's.
class WrappedSource : public Source {
 public:
  /// `inner` outlives this.
  explicit WrappedSource(Source& inner) : inner_(inner) {}

  Shape shape() const override { return inner_.shape(); }
  const Schema& schema() const override { return inner_.schema(); }
  void rewind(std::uint64_t pass) override { inner_.rewind(pass); }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override { return inner_.written(rows); }
  Place place_of(std::int64_t row) override { return inner_.place_of(row); }

 protected:
  Source& inner() { return inner_; }

 private:
  Source& inner_;
};

/// The rows through a feature map. Sparse double batches of φ(x); labels, weights and row numbers pass through. Float
/// values are widened first, so products are taken in double. `written` returns raw rows. The schema keeps the raw
/// names. The map is made for the features that `inner` has now; a later row with a column beyond them is an input
/// Error. Throws a usage Error where the map has too many features. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> map_rows(Source& inner, const FeatureMap& map);

/// The rows with columns multiplied by powers of two, so that no sum of theirs leaves the range of doubles: column j
/// times 2^−exponent[j], as doubles; columns beyond the list stay as they are. Labels, weights and row numbers pass
/// through, and `written` returns the rows as they were written. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> scale_columns(Source& inner, std::vector<int> exponent);

/// The rows with one more column behind the others, which is `value` in each of them: its weight is an intercept that a
/// penalty counts like any other weight. Batches are doubles. Features have no names, and the rows come from no text.
/// REQUIRES: `inner` is of known size and outlives the result.
std::unique_ptr<Source> with_constant_column(Source& inner, double value);

/// The rows of one pass, copied, for learners that visit rows in an order of their own. Values become doubles.
/// `written` asks `inner`, which must outlive the result.
std::unique_ptr<Source> copy_into_memory(Source& inner);

/// A row whose label is c gets its weight times by_class[c]. REQUIRES: labels are indices below by_class.size();
/// `inner` outlives the result.
std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class);

/// Some rows and columns of a source, numbered through anew. Batches are dense or sparse doubles.
struct RowSelection {
  std::vector<char> rows;               ///< by place in this worker's shard, 0: left out; empty: all rows
  std::vector<std::uint32_t> left_out;  ///< columns, ascending
};
/// REQUIRES: `inner` is of known size, goes through its rows in the order of their numbers, and outlives the result.
/// Collective.
std::unique_ptr<Source> select_rows(Source& inner, RowSelection selection, Comm& comm);

// Rows of more than two classes as rows of two, for questions that are asked of two classes.

/// One class (an index in the schema's list) is positive, all others together are the negative one, which is called "".
/// All else passes through. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> one_against_the_rest(Source& inner, std::size_t positive);

/// Kesler's construction: each row and each class other than its own, in their order, make a row of the positive class
/// that says "the own class has the greater score". Scores are linear; the last class's is 0, since only differences
/// count, and every other class has a block of columns: the features and, unless `origin`, the offset. The row has
/// (x, 1) in the own class's block and −(x, 1) in the other's. Row i of k classes makes the rows from i·(k−1) on.
/// Batches are sparse doubles without weights; features have no names. Throws a usage Error where there are too many
/// columns. REQUIRES: more than two classes; `inner` outlives the result.
std::unique_ptr<Source> all_classes_jointly(Source& inner, bool origin);

/// Of row number `joint` of all_classes_jointly: the other class, an index, given that of the row's own class.
std::size_t rival_class(std::int64_t joint, std::size_t own, std::size_t classes);

/// A label as written as an index in the list of classes. Numbers are compared as numbers. Throws an input Error where
/// it is none of them.
std::size_t class_of(const std::string& label, const std::vector<std::string>& classes);

/// A worker's shard as a source that also knows of the other shards. Passes and batches are those of this worker's
/// shard. `shape` counts the rows and nonzeros of all shards, and `written` returns rows of all of them: a collective
/// call, for which every worker must ask for the same rows. REQUIRES: shards of known size, numbered through in the
/// order of the ranks; `shard` and `comm` outlive this object. Making one is a collective call.
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
