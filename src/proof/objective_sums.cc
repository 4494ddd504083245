#include "proof/objective_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/bytes.h"
#include "core/elementary.h"
#include "proof/digest.h"
#include "proof/exact_text.h"

namespace linsep {
namespace {

constexpr std::int32_t kBase = 1'000'000'000;

/// ⌊value·2⁵⁶⌋ and ⌈value·2⁵⁶⌉.
MarginRange in_units(const Rational& value, std::int64_t exponent = 0) {
  const Rational units = times_power_of_two(value, kLogBits + exponent);
  const Integer low = floor_quotient(numerator(units), denominator(units));
  need(bit_length(low) < 100, "a score is too large");
  const WideInteger wide = wide_of(low);
  return {wide, denominator(units) == 1 ? wide : wide + 1};
}

/// ⌊u⌋ and ⌈u⌉ of u = value·2^exponent/10^(9·places), if machine integers suffice. REQUIRES: |value| ≤ 2⁹⁰.
std::optional<MarginRange> in_units(WideInteger value, std::size_t places, std::int64_t exponent) {
  if (places > 1 || exponent > 20 || exponent < -100) return {};
  const WideInteger divisor = places == 0 ? 1 : kBase;
  const WideInteger shifted = exponent >= 0 ? value * (WideInteger{1} << exponent) : value >> -exponent;
  WideInteger low = shifted / divisor;
  if (low * divisor > shifted) --low;
  const bool whole = low * divisor == shifted && (exponent >= 0 || shifted * (WideInteger{1} << -exponent) == value);
  return MarginRange{low, whole ? low : low + 1};
}

/// Σ |x_j|, at most.
double absolute_sum(const CheckedRow& row) {
  constexpr double kSlack = 1 + 0x1p-20;  // more than sums and powers of doubles lose to rounding
  double sum = 0;
  const CheckedRow::Digits* digits = row.digits();
  if (digits == nullptr) {
    for (const LeafEntry& entry : row.leaf().entries) {
      sum += std::abs(approximate(decimal_value(entry.value))) + std::numeric_limits<double>::min();
    }
    return sum * kSlack;
  }
  double place = elementary::pow(kBase, static_cast<double>(digits->width) - static_cast<double>(digits->fraction) - 1);
  for (std::size_t k = 0; k < digits->width; ++k, place *= 1e-9) {
    std::int64_t of_place = 0;
    for (std::size_t i = k; i < digits->digit.size(); i += digits->width) of_place += std::abs(digits->digit[i]);
    sum += static_cast<double>(of_place) * place;
  }
  return sum * kSlack;
}

/// w·share as digits of base 10⁹, the first of them for the largest place, `fraction` of them behind the point. The
/// share itself is a single digit if w is 1.
struct WeighedShare {
  WeighedShare() = default;
  WeighedShare(const WeightOfRow& weight, std::int64_t share) {
    if (weight.is_one()) {
      digit.push_back(share);
      return;
    }
    fraction = (weight.decimals + 8) / 9;
    Integer rest = weight.digits * Integer(share) * power_of(10, 9 * fraction - weight.decimals);
    while (sign_of(rest) > 0 || digit.size() < fraction) {
      digit.push_back(static_cast<std::int64_t>(modulo(rest, kBase)));
      rest = floor_quotient(rest, Integer(kBase));
    }
    std::ranges::reverse(digit);
  }

  std::vector<std::int64_t> digit = {};
  std::size_t fraction = 0;
};

/// ⌊log₂(w/one)⌋. REQUIRES: w > 0.
int power_below(const WeightOfRow& weight, const Integer& one) {
  const Integer unit = one * power_of(10, weight.decimals);
  int power = static_cast<int>(bit_length(weight.digits)) - static_cast<int>(bit_length(unit));
  const Integer digits = power < 0 ? Integer(weight.digits << -power) : weight.digits;
  const Integer least = power < 0 ? unit : Integer(unit << power);
  return digits < least ? power - 1 : power;
}

MarginRange signed_margin(const MarginRange& score, const MarginRange& offset, int sign) {
  const MarginRange z = {score.low + offset.low, score.high + offset.high};
  return sign > 0 ? z : MarginRange{-z.high, -z.low};
}

}  // namespace

WeightOfRow WeightOfRow::of(std::string_view text) {
  if (text.empty()) return {};
  std::string digits(text);
  const std::size_t point = digits.find('.');
  if (point == std::string::npos) return {integer_of(digits), 0};
  digits.erase(point, 1);
  return {integer_of(digits), digits.size() - point};
}

void WeighedSum::add(const WeightOfRow& weight, const Integer& n) {
  if (sum_.size() <= weight.decimals) sum_.resize(weight.decimals + 1, 0);
  if (weight.is_one()) {
    sum_[0] += n;
  } else {
    add_product(sum_[weight.decimals], weight.digits, n);
  }
}

void WeighedSum::add(const WeighedSum& other) {
  if (sum_.size() < other.sum_.size()) sum_.resize(other.sum_.size(), 0);
  for (std::size_t k = 0; k < other.sum_.size(); ++k) sum_[k] += other.sum_[k];
}

Rational WeighedSum::value() const {
  Integer sum = 0;
  for (const Integer& part : sum_) {
    sum *= 10;
    sum += part;
  }
  return sum_.empty() ? Rational(0) : ratio(sum, power_of(10, sum_.size() - 1));
}

std::optional<std::size_t> ColumnSums::first_place(std::size_t width, std::size_t fraction) {
  if (fraction > kPlaces / 2 || width > kPlaces / 2 + fraction) return {};
  return kPlaces / 2 + fraction - width;
}

MarginRange margin_of(const Rational& value) { return in_units(value); }

WideInteger* ColumnSums::place(std::size_t k) {
  if (place_[k].empty()) place_[k].assign(features_, 0);
  return place_[k].data();
}

void ColumnSums::add_long(const CheckedRow& row, const Rational& times, bool squared) {
  for (const LeafEntry& entry : row.leaf().entries) {
    const Rational value = decimal_value(entry.value);
    long_[entry.column] += times * value * (squared ? value : Rational(Integer(1)));
  }
}

void ColumnSums::add(const CheckedRow& row, const WeightOfRow& weight, std::int64_t share) {
  const CheckedRow::Digits* digits = row.digits();
  const WeighedShare weighed = weight.is_long() ? WeighedShare() : WeighedShare(weight, share);
  const auto first = digits == nullptr || weight.is_long()
                         ? std::nullopt
                         : first_place(digits->width + weighed.digit.size() - 1, digits->fraction + weighed.fraction);
  if (!first) return add_long(row, weight.value() * Rational(Integer(share)), false);
  for (std::size_t i = 0; i < weighed.digit.size(); ++i) {
    for (std::size_t k = 0; k < digits->width; ++k) {
      WideInteger* const sums = place(*first + i + k);
      const std::int32_t* x = digits->digit.data() + k;
      for (const LeafEntry& entry : row.leaf().entries) {
        sums[entry.column] += static_cast<WideInteger>(weighed.digit[i]) * *x;
        x += digits->width;
      }
    }
  }
}

void ColumnSums::add_squares(const CheckedRow& row, const WeightOfRow& weight) {
  const CheckedRow::Digits* digits = row.digits();
  const WeighedShare weighed = weight.is_long() ? WeighedShare() : WeighedShare(weight, 1);
  const auto first = digits == nullptr || weight.is_long() ? std::nullopt
                                                           : first_place(2 * digits->width + weighed.digit.size() - 2,
                                                                         2 * digits->fraction + weighed.fraction);
  if (!first) return add_long(row, weight.value(), true);
  for (std::size_t d = 0; d < weighed.digit.size(); ++d) {
    for (std::size_t i = 0; i < digits->width; ++i) {
      for (std::size_t k = 0; k < digits->width; ++k) {
        WideInteger* const sums = place(*first + d + i + k);
        const std::int32_t* x = digits->digit.data();
        for (const LeafEntry& entry : row.leaf().entries) {
          sums[entry.column] += static_cast<WideInteger>(std::int64_t{x[i]} * x[k]) * weighed.digit[d];
          x += digits->width;
        }
      }
    }
  }
}

void ColumnSums::add(const ColumnSums& other) {
  for (std::size_t k = 0; k < kPlaces; ++k) {
    if (other.place_[k].empty()) continue;
    WideInteger* const sums = place(k);
    for (std::uint32_t column = 0; column < features_; ++column) sums[column] += other.place_[k][column];
  }
  for (const auto& [column, value] : other.long_) long_[column] += value;
}

std::uint64_t ColumnSums::decimals() const {
  std::size_t last = kPlaces;
  while (last > kPlaces / 2 && place_[last - 1].empty()) --last;
  return 9 * (last - kPlaces / 2);
}

Rational ColumnSums::value(std::uint32_t column, std::uint64_t decimals) const {
  Integer sum = 0;
  for (std::size_t k = 0; k < kPlaces / 2 + decimals / 9; ++k) {
    sum *= kBase;
    if (!place_[k].empty()) sum += integer_of_wide(place_[k][column]);
  }
  Rational value(sum);
  const auto found = long_.find(column);
  if (found != long_.end()) value += found->second * Rational(power_of(10, decimals));
  return value;
}

void SideTotals::add(const SideTotals& other) {
  weight.add(other.weight);
  loss.add(other.loss);
  least_loss.add(other.least_loss);
  reference_loss.add(other.reference_loss);
  shares.add(other.shares);
  squares.add(other.squares);
  entropy.add(other.entropy);
  columns.add(other.columns);
  for (const auto& [power, rows] : other.shares_in) {
    std::vector<std::int64_t>& own = shares_in[power];
    own.resize(kShareBuckets, 0);
    for (std::size_t k = 0; k < kShareBuckets; ++k) own[k] += rows[k];
  }
  if (squares_of) squares_of->add(*other.squares_of);
}

void add(ObjectiveSums& sums, const ObjectiveSums& others) {
  for (std::size_t side = 0; side < sums.size(); ++side) sums[side].add(others[side]);
}

// Sums of several workers: small ones as texts of all of them, and those of columns as machine integers that are added
// up in place.

void WeighedSum::save(ByteWriter& writer) const {
  writer.number<std::uint64_t>(sum_.size());
  for (const Integer& part : sum_) writer.text(to_text(part));
}

WeighedSum WeighedSum::load(ByteReader& reader) {
  WeighedSum sum;
  for (auto count = reader.number<std::uint64_t>(); count > 0; --count) sum.sum_.push_back(integer_of(reader.text()));
  return sum;
}

namespace {

/// A sum as three numbers whose sums over a million workers are machine integers.
constexpr int kPartBits = 42;
constexpr std::uint64_t kPart = (std::uint64_t{1} << kPartBits) - 1;

void take_apart(WideInteger sum, std::int64_t* parts) {
  parts[0] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) & kPart);
  parts[1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum >> kPartBits) & kPart);
  parts[2] = static_cast<std::int64_t>(sum >> (2 * kPartBits));
}

WideInteger put_together(const std::int64_t* parts) {
  return parts[0] + (static_cast<WideInteger>(parts[1]) << kPartBits) +
         static_cast<WideInteger>(parts[2]) * (WideInteger{1} << (2 * kPartBits));
}

}  // namespace

void ColumnSums::add_others(Comm& comm) {
  std::vector<std::int64_t> used(kPlaces);
  for (std::size_t k = 0; k < kPlaces; ++k) used[k] = place_[k].empty() ? 0 : 1;
  comm.all_reduce(std::span(used), Comm::Op::kMax);
  std::vector<std::int64_t> parts(3 * std::size_t{features_});
  for (std::size_t k = 0; k < kPlaces; ++k) {
    if (used[k] == 0) continue;
    WideInteger* const sums = place(k);
    for (std::size_t column = 0; column < features_; ++column) take_apart(sums[column], &parts[3 * column]);
    comm.all_reduce(std::span(parts), Comm::Op::kSum);
    for (std::size_t column = 0; column < features_; ++column) sums[column] = put_together(&parts[3 * column]);
  }
  ByteWriter writer;
  writer.number<std::uint64_t>(long_.size());
  for (const auto& [column, value] : long_) {
    writer.number(column);
    writer.text(to_text(value));
  }
  long_.clear();
  for (const std::string& bytes : gathered(comm, writer.bytes())) {
    ByteReader reader(bytes);
    for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
      const auto column = reader.number<std::uint32_t>();
      long_[column] += rational_of(reader.text());
    }
  }
}

void SideTotals::save(ByteWriter& writer) const {
  for (const WeighedSum* sum : {&weight, &loss, &least_loss, &reference_loss, &shares, &squares, &entropy}) {
    sum->save(writer);
  }
  writer.number<std::uint64_t>(shares_in.size());
  for (const auto& [power, rows] : shares_in) {
    writer.number<std::int32_t>(power);
    writer.numbers(rows);
  }
}

void SideTotals::add_saved(ByteReader& reader) {
  for (WeighedSum* sum : {&weight, &loss, &least_loss, &reference_loss, &shares, &squares, &entropy}) {
    sum->add(WeighedSum::load(reader));
  }
  for (auto count = reader.number<std::uint64_t>(); count > 0; --count) {
    std::vector<std::int64_t>& own = shares_in[reader.number<std::int32_t>()];
    own.resize(kShareBuckets, 0);
    const auto rows = reader.numbers<std::int64_t>();
    for (std::size_t k = 0; k < std::min(rows.size(), kShareBuckets); ++k) own[k] += rows[k];
  }
}

ObjectiveSums sums_of_all(const ObjectiveSums& mine, Comm& comm) {
  ByteWriter writer;
  for (const SideTotals& sums : mine) sums.save(writer);
  ObjectiveSums all = {SideTotals{.columns = mine[0].columns, .squares_of = mine[0].squares_of},
                       SideTotals{.columns = mine[1].columns, .squares_of = mine[1].squares_of}};
  for (const std::string& bytes : gathered(comm, writer.bytes())) {
    ByteReader reader(bytes);
    for (SideTotals& sums : all) sums.add_saved(reader);
  }
  for (SideTotals& sums : all) {
    sums.columns.add_others(comm);
    if (sums.squares_of) sums.squares_of->add_others(comm);
  }
  return all;
}

int bucket_bits(Loss loss) { return loss == Loss::kSquaredHinge ? 26 : 24; }

void Scores::Sums::add(const Integer& size) {
  add_product(squares, size, size);
  sizes += size;
}

Scores::Scores(const Columns& columns, const ExactClassifier& classifier)
    : form_(columns, rounded(classifier.weights)), offset_(in_units(classifier.offset)) {}

Norms Scores::in_ones(const Sums& sums) const {
  return {times_power_of_two(sums.squares, -2 * bits_), times_power_of_two(sums.sizes, -bits_)};
}

Vector Scores::rounded(const Vector& model) {
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  for (const auto& [column, weight] : model) {
    top = std::max(top, static_cast<std::int64_t>(bit_length(numerator(weight))) -
                            static_cast<std::int64_t>(bit_length(denominator(weight))) + 1);
  }
  bits_ = model.empty() ? 0 : 61 - top;  // the largest is below 2^top
  Vector whole;
  for (const auto& [column, weight] : model) {
    const Rational scaled = times_power_of_two(weight, bits_);
    const Integer nearest =
        floor_quotient(numerator(scaled) * Integer(2) + denominator(scaled), denominator(scaled) * Integer(2));
    exact_ = exact_ && denominator(scaled) == 1;
    const Integer size = sign_of(nearest) < 0 ? Integer(-nearest) : nearest;
    const Integer rounding = denominator(scaled) == 1 ? 0 : 1;
    most_.add(size + rounding);
    least_.add(sign_of(size) == 0 ? size : Integer(size - rounding));
    if (sign_of(nearest) != 0) whole.emplace_back(column, Rational(nearest));
  }
  return whole;
}

MarginRange Scores::without_offset(const CheckedRow& row) const {
  const std::optional<WideInteger> wide = form_.wide_value(row);
  const auto quick = wide ? in_units(*wide, row.digits()->fraction, kLogBits - bits_) : std::nullopt;
  const MarginRange score = quick ? *quick : in_units(form_.value(row), -bits_);
  if (exact_) return score;
  const double lost = std::ldexp(absolute_sum(row), static_cast<int>(kLogBits - bits_ - 1));
  need(lost < 0x1p100, "the values of a row are too large");
  const WideInteger error = static_cast<WideInteger>(lost) + 1;
  return {score.low - error, score.high + error};
}

ObjectiveRows::ObjectiveRows(const ReadOptimality& read, bool follow)
    : read_(read),
      loss_(read.file.objective.loss),
      follow_(follow),
      model_(read.columns, read.model),
      witness_offset_(in_units(read.witness_offset)) {
  if (read.reference) reference_.emplace(read.columns, *read.reference);
}

ObjectiveSums ObjectiveRows::none() const {
  const std::uint32_t features = read_.file.data.features;
  SideTotals sums{.columns = ColumnSums(features)};
  if (follow_ && sign_of(read_.l1_ratio) > 0 && loss_ != Loss::kHinge) sums.squares_of.emplace(features);
  return {sums, sums};
}

int ObjectiveRows::label_of(const CheckedRow& row) const {
  if (read_.label) {
    need(row.leaf().labels.size() == read_.file.data.labels.size(), "a row doesn't have a label for each column");
    return row.leaf().labels[*read_.label] == '+' ? 1 : -1;
  }
  if (read_.positive == 0) return row.sign();
  need(row.leaf().class_number > 0 && row.leaf().class_number <= read_.file.data.classes.size(),
       "a row's class doesn't exist");
  return row.leaf().class_number == read_.positive ? 1 : -1;
}

WeightOfRow ObjectiveRows::weight_of(const CheckedRow& row) const {
  if (read_.label && row.leaf().labels[*read_.label] == '?') return {0, 0};
  WeightOfRow weight = WeightOfRow::of(row.leaf().weight);
  const std::vector<Integer>& of_class = read_.class_weights.each;
  if (!of_class.empty()) weight.digits *= of_class[row.leaf().class_number - 1];
  return weight;
}

void ObjectiveRows::add(const CheckedRow& row, ObjectiveSums& all) const {
  const int sign = label_of(row);
  SideTotals& sums = all[sign > 0 ? 1 : 0];
  const WeightOfRow weight = weight_of(row);
  MarginRange score = model_.without_offset(row);
  const MarginRange margin = signed_margin(score, model_.offset(), sign);
  sums.weight.add(weight, 1);
  sums.loss.add(weight, loss_above(loss_, margin));
  if (reference_) {
    sums.least_loss.add(weight, loss_below(loss_, margin));
    score = reference_->without_offset(row);
    sums.reference_loss.add(weight, loss_above(loss_, signed_margin(score, reference_->offset(), sign)));
  }
  add_share(row, weight, share_of(row, signed_margin(score, witness_offset_, sign)), sums);
}

std::int64_t ObjectiveRows::share_of(const CheckedRow& row, const MarginRange& margin) const {
  const DualWitness& witness = read_.file.witness;
  if (!witness.offset) {
    need(row.row() < read_.file.data.rows, "there isn't a share for each row");
    return listed_share(read_, static_cast<std::size_t>(row.row()));
  }
  const std::int64_t share = share_at(loss_, margin);
  if (witness.scale == 0) return share;
  return static_cast<std::int64_t>((static_cast<WideInteger>(share) * static_cast<WideInteger>(witness.scale)) >>
                                   kShareBits);
}

void ObjectiveRows::add_share(const CheckedRow& row, const WeightOfRow& weight, std::int64_t share,
                              SideTotals& sums) const {
  if (sign_of(weight.digits) == 0) return;
  if (follow_) count_share(weight, share, sums);
  if (sums.squares_of) sums.squares_of->add_squares(row, weight);
  if (share == 0) return;
  const Integer whole(share);
  sums.shares.add(weight, whole);
  if (loss_ == Loss::kSquaredHinge) sums.squares.add(weight, whole * whole);
  if (loss_ == Loss::kLogistic && share < kWholeShare) sums.entropy.add(weight, integer_of_wide(entropy_below(share)));
  sums.columns.add(row, weight, share);
}

void ObjectiveRows::count_share(const WeightOfRow& weight, std::int64_t share, SideTotals& sums) const {
  const Integer& one = read_.class_weights.unit;
  const int power = weight.is_one() && one == 1 ? 0 : power_below(weight, one);
  if (power < kLeastPower) return;
  std::vector<std::int64_t>& rows = sums.shares_in[std::min(power, kMostPower)];
  rows.resize(kShareBuckets, 0);
  ++rows[std::min(static_cast<std::size_t>(share >> bucket_bits(loss_)), kShareBuckets - 1)];
}

}  // namespace linsep
