// SparseFactor: independent rows among sparse rows modulo a prime, factored so that systems with them are solved
// quickly.
//
// Method: Gauss's elimination. The column with the fewest entries is next, its shortest row the pivot (Markowitz 1957,
// simplified); what is left goes to a dense matrix once an eighth of it is filled. Rows that become 0 depend on the
// others modulo the prime. Nothing here is a proof: what is solved with it is checked over the integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "certify/sparse/dense_factor.h"

namespace linsep {

struct FieldEntry {
  std::uint32_t index = 0;  ///< of a column, or of a row
  std::uint32_t value = 0;  ///< modulo kFieldPrime, not 0
};
using FieldRow = std::vector<FieldEntry>;  ///< ascending

class SparseFactor {
 public:
  enum class End {
    kDone,
    kStopped,   ///< `stop` said so
    kTooLarge,  ///< it would take more memory than is spent on this
  };

  End factor(std::vector<FieldRow> rows, std::uint32_t columns, const std::function<bool()>& stop);

  std::size_t rank() const { return pivot_.size(); }
  /// In the order of elimination: the rows that are independent, and with each a column; these rows and columns form a
  /// regular matrix.
  struct Pivot {
    std::uint32_t row = 0, column = 0;
  };
  const std::vector<Pivot>& pivots() const { return pivot_; }
  /// Numbers that a solution goes through: of its cost.
  std::size_t entries() const { return saved_ + dense_.entries(); }

  /// x, one number for each row, with Σ x_i·row_i = right in every pivot column; 0 on rows that aren't pivots. `right`
  /// has a number for each column and is used up.
  std::vector<std::uint32_t> combination(std::vector<std::uint32_t>& right) const;

 private:
  // Of one sparse step: the rest of the pivot's row, and how often it was taken away from others.
  struct Step {
    std::uint32_t inverse = 0;
    FieldRow row, taken;
  };
  struct Waiting {
    std::size_t count = 0;
    std::uint32_t column = 0;
    bool operator>(const Waiting& other) const {
      return count != other.count ? count > other.count : column > other.column;
    }
  };

  void begin(std::uint32_t columns);
  bool next_column(std::uint32_t& column);
  std::vector<std::uint32_t> rows_with(std::uint32_t column) const;
  void eliminate(std::uint32_t column);
  void subtract(std::uint32_t factor, const FieldRow& pivot, std::uint32_t from);
  void count_less(std::uint32_t column);
  bool is_dense_enough() const;
  bool end_densely(const std::function<bool()>& stop);

  std::vector<FieldRow> rows_;  ///< what is left of each
  std::vector<bool> active_;
  std::vector<std::vector<std::uint32_t>> holders_;  ///< per column: rows that have it, and some that did
  std::vector<std::size_t> count_;                   ///< per column: active rows that have it
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::size_t left_ = 0, active_rows_ = 0, active_columns_ = 0;

  std::size_t row_count_ = 0, saved_ = 0;
  std::vector<Pivot> pivot_;
  std::vector<Step> step_;
  DenseFactor dense_;
};

}  // namespace linsep
