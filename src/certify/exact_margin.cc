#include "certify/exact_margin.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact/decimal.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kPruneAt = std::size_t{1} << 16;
constexpr std::size_t kReadAtOnce = 4096, kReadAtMost = 16384;

}  // namespace

ExactMargin::ExactMargin(ExactMarginOptions options) : options_(std::move(options)) {
  const RowSpace& space = options_.space;
  options_.theta.resize(space.mapped, 0.0);
  scaling_.space = space;
  scaling_.column_scale.assign(space.features, 1.0);
  scaling_.exponent.assign(std::size_t{space.mapped} + 1, 0);
  scaling_.binary = options_.binary;
}

void ExactMargin::begin(const Shape& /*shape*/) {
  least_high_ = kInfinite;
  undecided_.clear();
  scan_ = {};
}

void ExactMargin::visit(const Batch& batch) {
  if (scan_.weight.empty()) {  // whether values are float shows in the first batch
    scaling_.is_float = batch.is_float;
    std::vector<double> weight = options_.theta;
    if (!options_.space.origin) weight.push_back(options_.offset);
    std::vector<std::uint32_t> column(weight.size());
    for (std::uint32_t j = 0; j < column.size(); ++j) column[j] = j;
    scan_ = scaling_.scan_weights(column, weight, 0);
  }
  for_each_row(batch, [&](const auto& x, std::int64_t i) {
    const int sign = batch.label[static_cast<std::size_t>(i)] > 0 ? 1 : -1;
    scaling_.show(x, [&](const auto& z) { look_at(z, batch.number_of(i), sign); });
  });
}

template <class Row>
void ExactMargin::look_at(const Row& z, std::int64_t number, int sign) {
  const std::int16_t exponent = RowScaling::size_exponent(scaling_.scaled_square(z));
  const double score = sign * (dot(z, scan_.weight.data()) + scan_.offset);
  const double bound = exponent == RowScaling::kNoExponent ? kInfinite : scan_.bound(z.size, std::ldexp(1.0, exponent));
  const bool known = std::isfinite(score) && std::isfinite(bound);
  if (known) least_high_ = std::min(least_high_, score + bound * (1 + 0x1p-50));
  const double low = known ? score - bound * (1 + 0x1p-50) : -kInfinite;
  if (low > least_high_) return;
  undecided_.push_back({number, sign, low});
  if (undecided_.size() >= kPruneAt) prune();
}

void ExactMargin::prune() {
  std::erase_if(undecided_, [&](const Undecided& open) { return open.low > least_high_; });
}

void ExactMargin::synchronise(Comm& comm) {
  least_high_ = -all_reduce_max(comm, -least_high_);
  prune();
  std::sort(undecided_.begin(), undecided_.end(), [](const Undecided& a, const Undecided& b) { return a.row < b.row; });
  const bool unbounded = all_reduce_any(
      comm, !std::ranges::all_of(undecided_, [](const Undecided& open) { return std::isfinite(open.low); }));
  const std::int64_t open_rows = all_reduce_sum(comm, std::ssize(undecided_));
  exact_ = open_rows <= static_cast<std::int64_t>(kReadAtMost) || unbounded;
  least_ = 0;
  if (open_rows == 0) return;
  if (!exact_) {
    double low = kInfinite;
    for (const Undecided& open : undecided_) low = std::min(low, open.low);
    least_ = rational_of_double(-all_reduce_max(comm, -low));
    return;
  }
  std::optional<Rational> least;
  rethrow_on_all(comm, [&] { least = least_as_written(); });
  bool first = true;
  for (const std::string& text : gather_text(comm, least ? to_text(*least) : std::string())) {
    if (text.empty()) continue;
    const Rational other = rational_of(text);
    if (first || other < least_) least_ = other;
    first = false;
  }
}

std::optional<Rational> ExactMargin::least_as_written() const {
  std::vector<Rational> weight;
  for (const double w : options_.theta) weight.push_back(rational_of_double(w));
  weight.push_back(rational_of_double(options_.offset));
  std::optional<Rational> least;
  for (std::size_t from = 0; from < undecided_.size(); from += kReadAtOnce) {
    const std::size_t end = std::min(undecided_.size(), from + kReadAtOnce);
    std::vector<std::int64_t> rows;
    for (std::size_t k = from; k < end; ++k) rows.push_back(undecided_[k].row);
    const std::vector<WrittenRow> written = options_.written(rows);
    for (std::size_t k = from; k < end; ++k) {
      const ExactRow z = exact_row(written[k - from], undecided_[k].sign, options_.space);
      Rational score = 0;
      for (std::size_t e = 0; e < z.column.size(); ++e) {
        if (weight[z.column[e]] != 0) score += weight[z.column[e]] * z.value[e];
      }
      score /= z.scale;
      if (!least || score < *least) least = score;
    }
  }
  return least;
}

Verdict ExactMargin::end_pass(Progress& /*progress*/) { return Verdict::kConverged; }

Rational ExactMargin::squared_norm() const {
  Rational sum = 0;
  for (const double w : options_.theta) {
    if (w == 0) continue;
    const Rational exact = rational_of_double(w);
    sum += exact * exact;
  }
  return sum;
}

}  // namespace linsep
