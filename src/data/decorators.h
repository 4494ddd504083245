// Sources that wrap another source and change its rows. They apply feature maps, scale columns, add a constant column,
// weigh classes, select rows and columns, turn many classes into two, or show the rows of all workers.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// The common part of decorators that only change batches. Everything else is the inner source's.
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

/// The rows through a feature map, as sparse double batches of φ(x). Labels, weights and row numbers pass through.
/// Float values are widened first, so products are taken in double. `written` returns raw rows, and the schema keeps
/// the raw names. The map is made for the features that `inner` has now, so a later row with a column beyond them is an
/// input Error. Throws a usage Error if the map has too many features. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> map_rows(Source& inner, const FeatureMap& map);

/// The rows with columns multiplied by powers of two, so that no sum of theirs leaves the range of doubles. The values
/// of column j are multiplied by 2^−exponent[j], as doubles. Columns beyond the list stay as they are. Labels, weights
/// and row numbers pass through, and `written` returns the rows as they were written. REQUIRES: `inner` outlives the
/// result.
std::unique_ptr<Source> scale_columns(Source& inner, std::vector<int> exponent);

/// The rows with one more column at the end, which is `value` in every row. Its weight is an intercept that a penalty
/// counts like any other weight. Batches are doubles. Features have no names, and no row has a place in a text.
/// REQUIRES: `inner` is of known size and outlives the result.
std::unique_ptr<Source> with_constant_column(Source& inner, double value);

/// A copy of the rows of one pass, for learners that visit rows in an order of their own. Values become doubles.
/// `written` asks `inner`, which must outlive the result.
std::unique_ptr<Source> copy_into_memory(Source& inner);

/// Multiplies the weight of each row whose label is c by by_class[c]. REQUIRES: labels are indices below
/// by_class.size(); `inner` outlives the result.
std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class);

/// Some rows and columns of a source, renumbered. Batches are dense or sparse doubles.
struct RowSelection {
  std::vector<char> rows;               ///< by place in this worker's shard, 0 if left out. Empty means all rows
  std::vector<std::uint32_t> left_out;  ///< columns, ascending
};
/// REQUIRES: `inner` is of known size, goes through its rows in the order of their numbers, and outlives the result.
/// Collective.
std::unique_ptr<Source> select_rows(Source& inner, RowSelection selection, Comm& comm);

// Rows of more than two classes as rows of two, for questions about two classes.

/// One class, given by its index in the schema's list, is positive. All others together are the negative class, which
/// is called "". Everything else passes through. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> one_against_the_rest(Source& inner, std::size_t positive);

/// Kesler's construction. Each row and each class other than its own, in their order, make a row of the positive class
/// that stands for "the row's own class has the higher score". Scores are linear. The last class's score is 0, since
/// only differences count. Every other class has a block of columns with the features and, unless `origin`, the
/// intercept. The row has (x, 1) in the block of its own class and −(x, 1) in that of the other class. Row i of k
/// classes makes the rows from i·(k−1) on. Batches are sparse doubles without weights, and features have no names.
/// Throws a usage Error if there are too many columns. REQUIRES: more than two classes; `inner` outlives the result.
std::unique_ptr<Source> all_classes_jointly(Source& inner, bool origin);

/// The index of the other class in row number `joint` of all_classes_jointly, given the index of the row's own class.
std::size_t rival_class(std::int64_t joint, std::size_t own, std::size_t classes);

/// The index of a label as written in the list of classes. Numbers are compared as numbers. Throws an input Error if
/// the label is none of them.
std::size_t class_of(const std::string& label, const std::vector<std::string>& classes);

/// A worker's shard as a source that also serves the rows of the other shards. Passes and batches are those of this
/// worker's shard. `shape` counts the rows and nonzeros of all shards. `written` returns rows of all shards, which is a
/// collective call: every worker must ask for the same rows. REQUIRES: shards of known size, numbered consecutively in
/// rank order; `shard` and `comm` outlive this object. Making one is a collective call.
class RowsOfAll : public Source {
 public:
  RowsOfAll(Source& shard, Comm& comm);

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return shard_.schema(); }
  void rewind(std::uint64_t pass) override { shard_.rewind(pass); }
  std::optional<Batch> next() override { return shard_.next(); }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;
  /// Only for this worker's rows. Not a collective call.
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
