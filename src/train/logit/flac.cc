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
  likelihood.for_each_panel(
      [&](const LogisticPanel& panel, std::int64_t first, std::size_t /*thread*/) {
        std::vector<double> solved(panel.columns);
        for (std::size_t i = 0; i < panel.rows; ++i) {
          const std::span<const double> x(panel.row(i), panel.columns);
          const double score = panel.fixed[i] + product(x, maximum.beta());
          const double e = elementary::exp(-std::abs(score)), curvature = e / ((1 + e) * (1 + e));
          std::copy(x.begin(), x.end(), solved.begin());
          maximum.factor->solve(solved);
          all[static_cast<std::size_t>(first) + i] = panel.weight[i] * curvature * product(x, solved);
        }
      },
      [](Comm& /*comm*/) {});
  return all;
}

std::unique_ptr<Source> augment_rows(Source& inner, std::vector<double> leverage, std::uint32_t features) {
  return std::make_unique<AugmentedSource>(inner, std::move(leverage), features);
}

}  // namespace linsep
