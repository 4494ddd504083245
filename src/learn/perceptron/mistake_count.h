// MistakeCount: how many mistakes a perceptron made, in this pass, in all and on each row (α).
#pragma once

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "linsep/comm.h"
#include "linsep/learner.h"

namespace linsep {

/// Counts by row are kept for data of known size, and for a stream as long as its row numbers stay below
/// kStreamRows; past that, and with more than one worker, they are dropped and only the totals are kept.
class MistakeCount {
 public:
  static constexpr std::int64_t kStreamRows = std::int64_t{1} << 20;

  void begin(const Shape& shape);
  /// Takes notice of a batch about to be visited: a stream shows its size row by row.
  void visit(const Batch& batch);
  void add(std::int64_t row);
  /// Makes the pass's count that of all workers.
  void synchronise(Comm& comm);
  /// Ends the pass and returns its count.
  std::int64_t end_pass();

  /// The pass under way.
  std::int64_t in_pass() const { return in_pass_; }
  void report(TrainingStats& stats) const;

  void save(ByteWriter& writer) const;
  /// REQUIRES: begun with the same data.
  void load(ByteReader& reader);

 private:
  void drop_rows();

  std::int64_t in_all_ = 0;  ///< of passes that have ended
  std::int64_t in_pass_ = 0;
  std::int64_t row_limit_ = 0;  ///< counts by row are kept below this row number; 0: not at all
  std::vector<std::uint32_t> by_row_;
};

}  // namespace linsep
