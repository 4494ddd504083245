#include "train/logit/flac.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/elementary.h"
#include "data/decorators.h"

namespace linsep {
namespace {

class AugmentedSource final : public WrappedSource {
 public:
  AugmentedSource(Source& inner, std::vector<double> leverage, std::uint32_t features)
      : WrappedSource(inner), leverage_(std::move(leverage)), features_(features) {}

  Shape shape() const override { return {3 * WrappedSource::shape().rows, features_ + 1, -1}; }

  std::optional<Batch> next() override {
    const auto batch = inner().next();
    if (!batch) return std::nullopt;
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    label_.clear();
    weight_.clear();
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const double half = 0.5 * leverage_[static_cast<std::size_t>(batch->number_of(i))];
      const auto add = [&](double label, double weight, bool added) {
        for_each_entry(row, [&](std::uint32_t j, double x) {
          if (x == 0) return;
          column_.push_back(j);
          value_.push_back(x);
        });
        if (added) {
          column_.push_back(features_);
          value_.push_back(1);
        }
        start_.push_back(column_.size());
        label_.push_back(label);
        weight_.push_back(weight);
      };
      add(batch->label_of(i), batch->weight_of(i), false);
      add(1, half, true);
      add(-1, half, true);
    });
    Batch b;
    b.first_row = 3 * batch->number_of(0);
    b.rows = static_cast<std::int64_t>(label_.size());
    b.features = features_ + 1;
    b.is_float = false;
    b.start = start_;
    b.column = column_;
    b.value64 = value_;
    b.label = label_;
    b.weight = weight_;
    return b;
  }

 private:
  std::vector<double> leverage_;
  std::uint32_t features_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_, label_, weight_;
};

}  // namespace

std::vector<double> leverages(Likelihood& likelihood, const LogitSearch& maximum) {
  std::vector<double> all;
  const auto size = static_cast<std::size_t>(likelihood.rows());
  all.assign(size, 0);
  const std::vector<double> weights = likelihood.weights_at(maximum.beta());
  RowQuery query;
  query.scores = {{weights, {}}};
  query.function = [&](const ScoredRows& rows) {
    std::vector<double> solved(likelihood.size());
    for_each_row(*rows.panel, [&](const auto& row, std::int64_t i) {
      const auto r = static_cast<std::size_t>(i);
      const double e = elementary::exp(-std::abs(rows.score[r * rows.score_stride]));
      for_each_entry(row, [&](std::uint32_t c, double x) { solved[c] = c == likelihood.offset() ? 0 : x; });
      maximum.factor->solve(solved);
      double length = 0;
      for_each_entry(row, [&](std::uint32_t c, double x) { length += x * solved[c]; });
      all[rows.first + r] = rows.panel->weight[r] * e / ((1 + e) * (1 + e)) * length;
    });
  };
  likelihood.ask(std::move(query));
  return all;
}

std::unique_ptr<Source> augment_rows(Source& inner, std::vector<double> leverage, std::uint32_t features) {
  return std::make_unique<AugmentedSource>(inner, std::move(leverage), features);
}

}  // namespace linsep
