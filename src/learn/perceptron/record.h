// Records of a perceptron run: mistakes, every θ on the way, every visit of a row.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "linsep/comm.h"
#include "linsep/learner.h"

namespace linsep {

/// How many mistakes there were in this pass, in all and on each row (α). Counts by row are kept for data of known
/// size, and for a stream as long as its row numbers stay below kStreamRows. Past that, and with more than one worker,
/// they are dropped and only the totals are kept.
class MistakeCount {
 public:
  static constexpr std::int64_t kStreamRows = std::int64_t{1} << 20;

  void begin(const Shape& shape);
  /// Takes note of a batch about to be visited, because a stream shows its size row by row.
  void visit(const Batch& batch);
  void add(std::int64_t row);
  /// Makes the pass's count that of all workers.
  void synchronise(Comm& comm);
  /// Ends the pass and returns its count.
  std::int64_t end_pass();

  /// The count of the pass under way.
  std::int64_t in_pass() const { return in_pass_; }
  void report(TrainingStats& stats) const;

  void save(ByteWriter& writer) const;
  /// REQUIRES: begun with the same data.
  void load(ByteReader& reader);

 private:
  void drop_rows();

  std::int64_t in_all_ = 0;  ///< of passes that have ended
  std::int64_t in_pass_ = 0;
  std::int64_t row_limit_ = 0;  ///< counts by row are kept below this row number. 0 for none
  std::vector<std::uint32_t> by_row_;
};

/// Every θ on the way, as long as there are few.
class Trace {
 public:
  /// Records a step, unless the trace would then hold more numbers than kMostNumbers (64 MB).
  void record(TraceStep step);
  const std::vector<TraceStep>& steps() const { return steps_; }

  /// If `dual`, saves the coefficients of every step too.
  void save(ByteWriter& writer, bool dual = false) const;
  /// Loads what was saved with this number of features. θ of a dual form may have none.
  void load(ByteReader& reader, std::size_t features, bool dual = false);

 private:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 23;

  std::vector<TraceStep> steps_;
  std::size_t numbers_ = 0;  ///< also of steps that weren't kept
};

/// Every visit of a row, for a look at a run step by step.
class Visits {
 public:
  /// Keeps all visits as long as there are at most `most`, or none if it is 0.
  void set_most(std::int64_t most) { most_ = most; }
  bool on() const { return most_ > 0; }

  /// Begins a run at this classifier, or continues it from there in pass `pass`.
  void begin(const std::vector<double>& theta, double offset, std::int64_t pass = 1);
  /// `visit` and `pass` are filled in here.
  void record(RowVisit visit);
  void end_pass();
  /// Undoes the pass under way by dropping its visits.
  void undo_pass();

  const VisitRecord& so_far() const { return record_; }

 private:
  /// How many numbers of θ are kept, which is 32 MB of them.
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 22;

  std::int64_t most_ = 0;
  std::int64_t pass_ = 1;         ///< the one under way
  std::int64_t before_pass_ = 0;  ///< visits made before it
  std::size_t numbers_ = 0;
  VisitRecord record_;
};

}  // namespace linsep
