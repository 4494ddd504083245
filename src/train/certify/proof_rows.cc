#include "linsep/tools/proof_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/bytes.h"
#include "core/deadline.h"
#include "data/decorators.h"
#include "linsep/error.h"
#include "proof/class_rows.h"
#include "proof/exact_text.h"
#include "proof/linear_form.h"

namespace linsep {
namespace {

constexpr std::int64_t kBlockRows = 4096;
/// The most bits of a sum of weights. With longer sums, shares are rounded without a fraction in lowest terms, which
/// takes long.
constexpr std::uint64_t kLongBits = 20000;
constexpr std::uint64_t kShareBits = 128;

/// a/b, both above 0, truncated to at least kShareBits bits.
double rounded_share(const Rational& a, const Rational& b) {
  const Integer top = numerator(a) * denominator(b), bottom = denominator(a) * numerator(b);
  const std::uint64_t more = bit_length(bottom) + kShareBits;
  return approximate(times_power_of_two(Rational((top << more) / bottom), -static_cast<std::int64_t>(more)));
}

Rational exact(const std::string& text) {
  const auto value = parse_exact(text);
  if (!value) throw input_error("the certificate has a number that isn't one: " + text);
  return *value;
}

/// Finds rows by the names of their classes. A label +1 or 1.0 is of the class 1.
class RowNames {
 public:
  explicit RowNames(const std::vector<std::string>& classes) : classes_(classes), signs_(classes) {}

  NamedRow name(WrittenRow&& row) const {
    return {row.row, class_of(row.label), std::move(row.id), row.values.empty()};
  }

 private:
  const std::string& class_of(const std::string& label) const {
    const std::string mark(signs_.mark(label));
    if (mark.empty()) return label;
    return classes_.size() == 2 ? classes_[mark == "+1" ? 1 : 0] : classes_.at(std::stoul(mark) - 1);
  }

  const std::vector<std::string>& classes_;
  LabelSigns signs_;
};

/// Adds the shares. With an intercept both classes weigh the same, and each sums to 1. Otherwise all together do.
void add_shares(std::vector<WitnessRow>& witness, bool origin) {
  Rational total;
  for (const WitnessRow& row : witness) total += exact(row.alpha);
  if (!origin) total /= 2;
  if (total == 0) return;
  const bool is_long = bit_length(numerator(total)) > kLongBits;
  for (WitnessRow& row : witness) {
    if (is_long) {
      row.share = rounded_share(exact(row.alpha), total);
      continue;
    }
    const Rational share = exact(row.alpha) / total;
    row.share = approximate(share);
    row.exact_share = to_text(share);
  }
}

/// The levels of a certificate, to be tried on rows.
class ExactLevels {
 public:
  ExactLevels(const Certificate& certificate, const Schema& schema)
      : class_rows_(certificate.data, certificate.origin),
        columns_(columns_of(certificate)),
        labels_(schema.classes),
        row_(columns_) {
    for (const ExactWeights& level : certificate.levels) {
      std::vector<std::pair<std::uint32_t, Rational>> weights;
      for (const ColumnWeight& weight : level) weights.emplace_back(weight.column, exact(weight.weight));
      levels_.emplace_back(columns_, weights);
    }
  }

  /// Whether one of them has z_i·w ≠ 0.
  bool separate(const WrittenRow& written) {
    write_leaf(written, labels_, leaf_);
    bool any = false;
    const auto differs = [&](const LinearForm& level) { return level.sign(row_) != 0; };
    class_rows_.for_each(leaf_, [&](const std::string& made) {
      any = row_.read(made) && std::any_of(levels_.begin(), levels_.end(), differs);
    });
    return any;
  }

 private:
  ClassRows class_rows_;
  Columns columns_;
  LabelSigns labels_;
  CheckedRow row_;
  std::vector<LinearForm> levels_;
  std::string leaf_;
};

/// The rows that all workers found, in the order of the rows.
std::vector<NamedRow> first_of_all(const std::vector<NamedRow>& mine, std::size_t limit, Comm& comm) {
  ByteWriter writer;
  for (const NamedRow& row : mine) {
    writer.number(row.row);
    writer.text(row.label);
    writer.text(row.id);
    writer.number<std::uint8_t>(row.blank ? 1 : 0);
  }
  std::vector<NamedRow> found;
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    ByteReader reader(bytes);
    while (!reader.at_end() && found.size() < limit) {
      NamedRow& row = found.emplace_back();
      row.row = reader.number<std::int64_t>();
      row.label = reader.text();
      row.id = reader.text();
      row.blank = reader.number<std::uint8_t>() != 0;
    }
  }
  return found;
}

}  // namespace

std::vector<std::vector<WitnessRow>> witness_rows(const std::vector<RowWeights>& witnesses, bool origin, Source& data) {
  std::vector<std::int64_t> numbers;
  for (const RowWeights& witness : witnesses) {
    for (const RowWeight& weight : witness) numbers.push_back(weight.row);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<NamedRow> names;
  const RowNames named(data.schema().classes);
  for (WrittenRow& row : data.written(numbers)) names.push_back(named.name(std::move(row)));

  std::vector<std::vector<WitnessRow>> all;
  for (const RowWeights& witness : witnesses) {
    std::vector<WitnessRow>& rows = all.emplace_back();
    for (const RowWeight& weight : witness) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), weight.row) - numbers.begin();
      rows.push_back({names[static_cast<std::size_t>(at)], weight.alpha, 0, ""});
    }
    add_shares(rows, origin);
  }
  return all;
}

std::vector<WitnessRow> shares_of(const RowWeights& witness) {
  std::vector<WitnessRow> rows;
  for (const RowWeight& weight : witness) rows.push_back({{}, weight.alpha, 0, ""});
  add_shares(rows, true);
  return rows;
}

std::vector<WitnessRow> witness_rows(const RowWeights& witness, bool origin, Source& data) {
  if (witness.empty()) return {};
  return witness_rows(std::vector<RowWeights>{witness}, origin, data).front();
}

std::vector<NamedRow> separated_rows(const Certificate& certificate, Source& shard, std::size_t limit,
                                     const RunLimits& limits, Comm& comm, const Observer& observe) {
  const RowsOfAll all(shard, comm);
  ExactLevels levels(certificate, shard.schema());
  const RowNames named(shard.schema().classes);
  limit = std::min(limit, static_cast<std::size_t>(all.shape().rows - certificate.left_at_zero));
  Progress progress;
  progress.rows_in_all = shard.shape().rows;
  std::vector<NamedRow> found;
  std::vector<std::int64_t> numbers;
  const Deadline deadline(limits);
  const auto look = [&] {
    for (std::int64_t first = all.first_row(); first < all.end_row() && found.size() < limit; first += kBlockRows) {
      if (deadline.expired()) break;
      numbers.resize(static_cast<std::size_t>(std::min(kBlockRows, all.end_row() - first)));
      std::iota(numbers.begin(), numbers.end(), first);
      for (WrittenRow& written : shard.written(numbers)) {
        poll(100 * (written.values.size() + 1));
        if (found.size() < limit && levels.separate(written)) found.push_back(named.name(std::move(written)));
      }
      progress.rows += static_cast<std::int64_t>(numbers.size());
      if (observe) observe(progress);
    }
  };
  (comm.size() == 1 ? Deadline(deadline) : Deadline()).run(look);
  return comm.size() == 1 ? found : first_of_all(found, limit, comm);
}

double exact_to_double(const std::string& text) { return approximate(exact(text)); }

}  // namespace linsep
