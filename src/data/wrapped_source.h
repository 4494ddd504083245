// WrappedSource: what a decorator that only changes batches has in common with others: everything else is the inner
// source's.
#pragma once

#include "linsep/source.h"

namespace linsep {

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

}  // namespace linsep
