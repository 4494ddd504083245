// WatchedSource: a source whose rows as written are counted as they are asked for, for a progress bar.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep::app {

/// REQUIRES: `inner` outlives it. `observe` hears of every call of `written`.
class WatchedSource : public Source {
 public:
  WatchedSource(Source& inner, Observer observe) : inner_(inner), observe_(std::move(observe)) {}

  Shape shape() const override { return inner_.shape(); }
  const Schema& schema() const override { return inner_.schema(); }
  void rewind(std::uint64_t pass) override { inner_.rewind(pass); }
  std::optional<Batch> next() override { return inner_.next(); }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override {
    Progress progress;
    progress.rows = done_ += static_cast<std::int64_t>(rows.size());
    progress.rows_in_all = inner_.shape().rows;
    observe_(progress);
    return inner_.written(rows);
  }

 private:
  Source& inner_;
  Observer observe_;
  std::int64_t done_ = 0;
};

}  // namespace linsep::app
