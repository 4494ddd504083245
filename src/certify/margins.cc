#include "certify/margins.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>

#include "core/deadline.h"
#include "exact/decimal.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"
#include "linsep/table/map.h"

namespace linsep {
namespace {

/// Squares below 2 to this may be those of values that were read as less than they are.
constexpr std::int64_t kSmallest = -1900;

}  // namespace

void LargestRows::keep(Size size) {
  const auto at = std::lower_bound(size_.begin(), size_.end(), size);
  if (at == size_.end() && size_.size() == kKept) return;
  if (std::any_of(size_.begin(), size_.end(), [&](const Size& kept) { return kept.number == size.number; })) return;
  size_.insert(at, size);
  if (size_.size() > kKept) size_.pop_back();
  if (size_.size() < kKept) return;
  const Size& last = size_.back();
  const bool ordinary = last.exponent > -900 && last.exponent < 900;
  least_ = ordinary ? std::ldexp(last.fraction, static_cast<int>(last.exponent)) : 0;
}

void LargestRows::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  std::vector<Size> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(size_)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Size));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(all.data() + before), bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // this worker still has what it got before
  if (all.size() > kKept) all.resize(kKept);
  size_ = std::move(all);
}

bool LargestRows::known() const {
  return !size_.empty() && size_.front().exponent > kSmallest && std::isfinite(size_.front().fraction);
}

std::vector<std::int64_t> LargestRows::rows(const RowScaling& scaling) const {
  std::vector<std::int64_t> rows;
  if (!known()) return rows;
  const Size& first = size_.front();
  for (const Size& size : size_) {
    const std::int64_t shift = size.exponent - first.exponent;
    if (shift < -2) break;
    if (std::ldexp(size.fraction, static_cast<int>(shift)) < first.fraction * (1 - tolerance(scaling))) break;
    rows.push_back(size.number);
  }
  if (rows.size() == kKept) rows.clear();
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rational LargestRows::squared_at_most(const RowScaling& scaling) const {
  if (!known()) return 0;
  return times_power_of_two(Rational(size_.front().fraction * (1 + tolerance(scaling))), size_.front().exponent);
}

Rational squared_size(const ExactRow& z, const RowSpace& space) {
  Integer sum = 0;
  for (std::size_t k = 0; k < z.column.size(); ++k) {
    if (z.column[k] != space.mapped || space.origin) add_product(sum, z.value[k], z.value[k]);
  }
  return Rational(sum) / (z.scale * z.scale);
}

namespace {

constexpr std::int64_t kBoundBits = 60;

bool shows_decimals(const Encoder& encoder) {
  const auto* number = encoder.get<NumberEncoder>();
  return number != nullptr && number->shift == 0 && number->factor == 1;
}

}  // namespace

bool is_binary(Source& source) {
  if (const auto& table = source.schema().table; table && !table->empty()) {
    // Its floats are rounded once more, and if the first row has no number, the next may have a decimal.
    if (table->single || std::ranges::any_of(table->encoders, shows_decimals)) return false;
  }
  source.rewind(0);
  const auto batch = source.next();
  if (!batch || batch->rows == 0) return true;
  const std::int64_t first = batch->number_of(0);
  for (const WrittenRow& row : source.written(std::span(&first, 1))) {
    for (const WrittenValue& value : row.values) {
      if (!value.decimal.empty()) return false;
    }
    // A sparse row without entries shows nothing. Calling a source written costs time but is never wrong.
    if (row.values.empty()) return false;
  }
  return true;
}

Rational short_bound(const Rational& value, bool up) {
  Integer top = numerator(value);
  Integer bottom = denominator(value);
  const auto top_bits = static_cast<std::int64_t>(bit_length(top));
  const auto bottom_bits = static_cast<std::int64_t>(bit_length(bottom));
  if (top_bits + bottom_bits <= kBoundBits) return value;
  const std::int64_t shift = kBoundBits - (top_bits - bottom_bits);
  (shift >= 0 ? top : bottom) <<= static_cast<std::uint64_t>(std::abs(shift));
  return times_power_of_two(Rational(up ? ceiling_quotient(top, bottom) : floor_quotient(top, bottom)), -shift);
}

std::optional<double> double_bound(const Rational& value, bool up) {
  double bound = approximate(value);
  if (!std::isfinite(bound)) return std::nullopt;
  if (up && Rational(bound) < value) bound = std::nextafter(bound, std::numeric_limits<double>::infinity());
  if (!(bound >= std::numeric_limits<double>::min()) || !std::isfinite(bound)) return std::nullopt;
  return bound;
}

std::optional<double> root_bound(const Rational& value, bool up) {
  const auto top = static_cast<std::int64_t>(bit_length(numerator(value)));
  const std::int64_t half = (top - static_cast<std::int64_t>(bit_length(denominator(value)))) / 2;
  const Rational near_one = times_power_of_two(value, -2 * half);
  double root = std::sqrt(approximate(near_one));
  const auto beyond = [&] {
    const Rational square = Rational(root) * Rational(root);
    return up ? square < near_one : square > near_one;
  };
  while (beyond()) root = std::nextafter(root, up ? 4.0 : 0.0);
  if (half < -1000 || half > 1000) return std::nullopt;
  return std::ldexp(root, static_cast<int>(half));
}

bool bound_from_hulls(const std::vector<std::pair<std::int64_t, double>>& support, const std::vector<ExactRow>& rows,
                      const RowSpace& space, int bits, MarginBounds& margin) {
  double greatest = 0;
  for (const auto& [row, weight] : support) greatest = std::max(greatest, weight);
  std::vector<Rational> alpha;
  Rational positive = 0;
  Rational negative = 0;
  const auto is_positive = [](const ExactRow& z) { return z.value.back() > 0; };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    alpha.push_back(rational_of_double(std::ceil(std::ldexp(support[k].second / greatest, bits))));
    if (!space.origin) (is_positive(rows[k]) ? positive : negative) += alpha.back();
  }
  if (!space.origin) {
    if (positive == 0 || negative == 0) return false;
    for (std::size_t k = 0; k < rows.size(); ++k) alpha[k] *= is_positive(rows[k]) ? negative : positive;
  }
  std::map<std::uint32_t, Rational> sum;
  Rational total = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    total += alpha[k];
    for (std::size_t e = 0; e < rows[k].column.size(); ++e) {
      poll(1000);
      if (rows[k].column[e] != space.mapped) sum[rows[k].column[e]] += alpha[k] * rows[k].value[e] / rows[k].scale;
    }
  }
  if (total == 0) return false;
  Rational squared = 0;
  for (const auto& [column, value] : sum) {
    poll(1000 + bit_length(denominator(squared)) / 8);
    squared += value * value;
  }
  margin.at_most_squared = exact_text(short_bound(squared / (total * total), true));
  for (std::size_t k = 0; k < rows.size(); ++k) margin.alpha.push_back({rows[k].row, exact_text(alpha[k])});
  return true;
}

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
