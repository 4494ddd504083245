// RowCursor: the rows of a source one by one, for decorators that make other rows of them.
#pragma once

#include <cstdint>
#include <optional>

#include "linsep/source.h"

namespace linsep {

class RowCursor {
 public:
  /// `source` outlives this.
  explicit RowCursor(Source& source) : source_(source) {}

  void rewind(std::uint64_t pass) {
    drop();
    source_.rewind(pass);
  }
  /// Forgets the batch: something else is done with the source.
  void drop() { batch_.reset(); }

  /// Takes the source's next batch where the rows of the last are used up. False at the end of the pass.
  bool fill() {
    while (!batch_ || !has_row()) {
      batch_ = source_.next();
      at_ = 0;
      if (!batch_) return false;
    }
    return true;
  }

  // REQUIRES: `fill` returned true.
  const Batch& batch() const { return *batch_; }
  std::int64_t at() const { return at_; }  ///< the next row of the batch
  bool has_row() const { return at_ < batch_->rows; }
  std::int64_t take() { return at_++; }

 private:
  Source& source_;
  std::optional<Batch> batch_;
  std::int64_t at_ = 0;
};

}  // namespace linsep
