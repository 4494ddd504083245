#include "certify/coefficients/estimate_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/deadline.h"
#include "numeric/nearest_points.h"

namespace linsep {
namespace {

/// The number of the row that stands for the question's column.
constexpr std::int64_t kQuestionRow = -1;
/// How many questions have their directions tried in one pass.
constexpr std::size_t kAtOnce = 16;
/// The exact solution of a witness costs this times the size cubed.
constexpr std::int64_t kWitnessWork = 8;
/// The cost of handing an entry of a row to a question.
constexpr std::int64_t kEntryWork = 100;
/// A question is given up after this many passes.
constexpr int kMostRounds = 64;

}  // namespace

EstimateSearch::EstimateSearch(const DirectionSpace& space, std::vector<int> exponent, ExactReader read,
                               TryDirections try_directions)
    : space_(space),
      read_(std::move(read)),
      try_directions_(std::move(try_directions)),
      signs_(space.columns(), 0),
      proven_(space.columns(), false) {
  for (const std::uint32_t column : space.free_columns()) exponent_.push_back(exponent[column]);
}

void EstimateSearch::add_rows(const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> unread;
  for (const std::int64_t row : rows) {
    if (!rests_.contains(row)) unread.push_back(row);
  }
  if (unread.empty()) return;
  for (const ExactRow& z : read_(unread)) rests_.emplace(z.row, space_.rest(z));
}

void EstimateSearch::add_direction(IntegerVector w, bool keep) {
  for (std::size_t column = 0; column < w.size(); ++column) {
    const int sign = sign_of(w[column]);
    const auto seen = static_cast<std::uint8_t>(sign > 0 ? kPlus : (sign < 0 ? kMinus : 0));
    if ((signs_[column] | seen) == signs_[column]) continue;
    keep = true;
    signs_[column] |= seen;
  }
  if (keep) directions_.push_back(std::move(w));
}

bool EstimateSearch::wants(const SignQuery& question) const {
  const std::uint8_t sign = question.sign > 0 ? kPlus : kMinus;
  return !proven_[question.column] && (signs_[question.column] & sign) == 0;
}

std::vector<EstimateSearch::SignQuery> EstimateSearch::questions() const {
  std::vector<SignQuery> all;
  for (std::uint32_t column = 0; column < space_.columns(); ++column) {
    if (space_.fixed(column)) continue;
    for (const int sign : {-1, 1}) {
      SignQuery question;
      question.column = column;
      question.sign = sign;
      if (wants(question)) all.push_back(std::move(question));
    }
  }
  return all;
}

void EstimateSearch::begin(SignQuery& question) {
  RowSpace space;
  space.features = space.mapped = static_cast<std::uint32_t>(space_.size());
  space.origin = true;
  std::vector<std::uint32_t> active(space_.size());
  for (std::uint32_t k = 0; k < active.size(); ++k) active[k] = k;
  const std::uint32_t column = question.column;
  const int sign = question.sign;
  const ExactReader read = [this, column, sign](const std::vector<std::int64_t>& rows) {
    std::vector<ExactRow> exact;
    for (const std::int64_t row : rows) {
      if (row != kQuestionRow) poll(100 * rests_.at(row).column.size());
      exact.push_back(row == kQuestionRow ? space_.weight_at(column, sign, row) : rests_.at(row));
    }
    return exact;
  };
  question.search = std::make_unique<CoreSearch>(space, std::move(active), exponent_, false, read);
  question.search->end_at_witness();
  std::vector<std::int64_t> rows{kQuestionRow};
  for (const auto& [row, rest] : rests_) rows.push_back(row);
  question.search->add_exactly(rows);
  work_ -= static_cast<std::int64_t>(rows.size() * space_.size());
}

/// The next vector to try for a question. Nothing if it is closed.
std::optional<IntegerVector> EstimateSearch::ask(SignQuery& question) {
  const auto size = static_cast<std::int64_t>(space_.size());
  const Deadline work_left([&] {
    work_ -= size * (size + 64);
    ended_ = ended_ || work_ < 0 || deadline_.expired();
    return ended_;
  });
  CoreSearch::Next next = question.search->next(work_left);
  while (next == CoreSearch::Next::kScan) {
    IntegerVector direction = space_.lift(question.search->candidate().exact);
    if (sign_of(direction[question.column]) == question.sign) return direction;
    question.search->add_violated({kQuestionRow});  // rounding lost it
    next = question.search->next(work_left);
  }
  switch (next) {
    case CoreSearch::Next::kWitness: {
      Infinite infinite{question.column, -question.sign, question.search->witness()};
      std::erase_if(infinite.alpha, [](const auto& entry) { return entry.first == kQuestionRow; });
      proven_[question.column] = true;
      work_ -= kWitnessWork * size * size * size;
      infinite_.push_back(std::move(infinite));
      break;
    }
    case CoreSearch::Next::kScan:
    case CoreSearch::Next::kAllAtZero:
    case CoreSearch::Next::kStopped:
      break;
  }
  question.pending = false;
  return std::nullopt;
}

void EstimateSearch::finish(SignQuery& question, const std::vector<std::int64_t>& violated, IntegerVector direction) {
  if (violated.empty()) {
    add_direction(std::move(direction), false);
    question.pending = false;
    return;
  }
  add_rows(violated);
  question.search->add_violated(violated);
}

void EstimateSearch::answer(std::vector<SignQuery>& group) {
  for (SignQuery& question : group) begin(question);
  for (int round = 0; round < kMostRounds && !ended_; ++round) {
    std::vector<SignQuery*> asked;
    std::vector<IntegerVector> directions;
    for (SignQuery& question : group) {
      question.pending = question.pending && wants(question);
      if (!question.pending || ended_) continue;
      if (auto direction = ask(question)) {
        asked.push_back(&question);
        directions.push_back(std::move(*direction));
      }
    }
    if (asked.empty() || ended_) return;
    const auto violated = try_directions_(directions);
    if (!violated) {
      ended_ = true;
      return;
    }
    for (std::size_t k = 0; k < asked.size(); ++k) finish(*asked[k], (*violated)[k], std::move(directions[k]));
  }
}

std::int64_t EstimateSearch::work_ahead() const {
  std::size_t entries = 0;
  for (const auto& [row, rest] : rests_) entries += rest.column.size();
  return kEntryWork * static_cast<std::int64_t>(entries * questions().size());
}

void EstimateSearch::run(std::int64_t work, const Deadline& deadline) {
  work_ = work;
  deadline_ = deadline;
  std::vector<SignQuery> all = questions();
  for (std::size_t next = 0; next < all.size() && !ended_;) {
    std::vector<SignQuery> group;
    for (; next < all.size() && group.size() < kAtOnce; ++next) {
      if (wants(all[next])) group.push_back(std::move(all[next]));
    }
    answer(group);
  }
}

namespace {

constexpr double kTolerance = 1e-10;
constexpr int kMostCalls = 100;
/// The most numbers f may have. With more it would take longer than what is proven.
constexpr std::size_t kMostNumbers = 512;
/// Weights below this share of the largest are rounding.
constexpr double kRounding = 1e-8;

/// One row as doubles.
struct FloatRow {
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

/// The row's scale as share·2^exponent.
std::pair<double, std::int64_t> scale_of(const ExactRow& row) {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  const double share =
      fraction_and_exponent(numerator(row.scale), &top) / fraction_and_exponent(denominator(row.scale), &bottom);
  return {share, top - bottom};
}

/// Scales all rows by one power of two, so that the largest entry other than those at `offset` is near 1. Returns that
/// power.
std::vector<FloatRow> float_rows(const std::map<std::int64_t, ExactRow>& rests, std::uint32_t offset,
                                 std::int64_t* power) {
  std::int64_t greatest = INT64_MIN;
  for (const auto& [number, row] : rests) {
    for (std::size_t k = 0; k < row.value.size(); ++k) {
      std::int64_t e = 0;
      fraction_and_exponent(row.value[k], &e);
      if (row.column[k] != offset) greatest = std::max(greatest, e - scale_of(row).second);
    }
  }
  *power = greatest == INT64_MIN ? 0 : -greatest - 2;
  std::vector<FloatRow> rows;
  for (const auto& [number, row] : rests) {
    const auto [share, exponent] = scale_of(row);
    FloatRow entries;
    for (std::size_t k = 0; k < row.value.size(); ++k) {
      std::int64_t e = 0;
      const double fraction = fraction_and_exponent(row.value[k], &e) / share;
      const std::int64_t shift = std::clamp<std::int64_t>(e - exponent + *power, -1000, 1000);
      entries.column.push_back(row.column[k]);
      entries.value.push_back(std::ldexp(fraction, static_cast<int>(shift)));
    }
    rows.push_back(std::move(entries));
  }
  return rows;
}

/// The upper factor R of Σ l·l^T = R^T·R, where l are the rows of lift except the intercept's. Empty if rounding is in
/// the way.
std::vector<double> norm_factor(const DirectionSpace& space, const RowSpace& rows) {
  const std::size_t n = space.size();
  std::vector<double> r(n * n, 0.0);
  for (std::uint32_t column = 0; column < rows.mapped; ++column) {
    const auto entries = space.lift_row(column);
    for (const auto& [i, a] : entries) {
      poll(entries.size() + 100);
      for (const auto& [j, b] : entries) r[i * n + j] += a * b;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      poll(n - i);
      for (std::size_t j = i; j < n; ++j) r[i * n + j] -= r[k * n + i] * r[k * n + j];
    }
    const double pivot = r[i * n + i];
    if (!(pivot > 0) || !std::isfinite(pivot)) return {};
    const double root = std::sqrt(pivot);
    for (std::size_t j = i; j < n; ++j) r[i * n + j] /= root;
    for (std::size_t j = 0; j < i; ++j) r[i * n + j] = 0;
  }
  return r;
}

/// Solves R^T·p = s.
std::vector<double> in_norm(const std::vector<double>& r, const FloatRow& row, std::size_t n) {
  std::vector<double> p(n, 0.0);
  for (std::size_t k = 0; k < row.column.size(); ++k) p[row.column[k]] = row.value[k];
  for (std::size_t i = 0; i < n; ++i) {
    poll(2 * i);
    for (std::size_t k = 0; k < i; ++k) p[i] -= r[k * n + i] * p[k];
    p[i] /= r[i * n + i];
  }
  return p;
}

bool solved(NearestPoints& points) {
  for (int call = 0; call < kMostCalls; ++call) {
    switch (points.solve(kTolerance)) {
      case NearestPoints::End::kPaused:
        break;
      case NearestPoints::End::kZero:
        return false;
      case NearestPoints::End::kNearest:
      case NearestPoints::End::kStalled:
        return true;
    }
  }
  return true;
}

/// Without rows at zero: nearest points of the two classes' hulls, or of one hull and the origin.
std::vector<double> of_whole_space(const std::vector<FloatRow>& rows, const RowSpace& space, std::int64_t power) {
  const std::size_t hulls = space.origin ? 1 : 2;
  NearestPoints points(space.mapped, hulls);
  std::vector<double> w(space.columns(), 0.0);
  std::size_t count[2] = {0, 0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FloatRow row = rows[i];
    std::size_t hull = 0;
    if (!space.origin) {
      hull = row.value.back() > 0 ? 0 : 1;
      row.column.pop_back();
      row.value.pop_back();
    }
    ++count[hull];
    points.add(row.column, row.value, hull, static_cast<std::int64_t>(i));
  }
  if (hulls == 2 && (count[0] == 0 || count[1] == 0)) {
    w.back() = count[0] > 0 ? 1 : -1;
    return w;
  }
  if (!solved(points)) return {};
  std::copy_n(points.direction().begin(), space.mapped, w.begin());
  // Levels are those of rows times the power of two, and the intercept's 1 was one of their entries.
  const int back = static_cast<int>(std::clamp<std::int64_t>(-power, -1000, 1000));
  if (hulls == 2) w.back() = std::ldexp((points.level(1) - points.level(0)) / 2, back);
  return w;
}

}  // namespace

std::vector<double> widest_direction(const DirectionSpace& space, const std::map<std::int64_t, ExactRow>& rests,
                                     const RowSpace& rows) {
  if (rests.empty() || space.size() == 0 || space.size() > kMostNumbers) return {};
  std::int64_t power = 0;
  const bool with_offset = space.whole() && !rows.origin;
  const std::vector<FloatRow> row = float_rows(rests, with_offset ? rows.mapped : UINT32_MAX, &power);
  if (space.whole()) return of_whole_space(row, rows, power);
  const std::size_t n = space.size();
  const std::vector<double> r = norm_factor(space, rows);
  if (r.empty()) return {};
  std::vector<std::vector<double>> point;
  double greatest = 0;
  for (const FloatRow& entries : row) {
    point.push_back(in_norm(r, entries, n));
    for (const double v : point.back()) greatest = std::max(greatest, std::fabs(v));
  }
  if (!(greatest > 0) || !std::isfinite(greatest)) return {};
  NearestPoints points(n, 1);
  std::vector<std::uint32_t> column(n);
  for (std::uint32_t k = 0; k < n; ++k) column[k] = k;
  for (std::size_t i = 0; i < point.size(); ++i) {
    for (double& v : point[i]) v /= greatest;
    points.add(column, point[i], 0, static_cast<std::int64_t>(i));
  }
  if (!solved(points)) return {};
  std::vector<double> f = points.direction();
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) f[i] -= r[i * n + k] * f[k];
    f[i] /= r[i * n + i];
  }
  std::vector<double> w(space.columns(), 0.0);
  for (std::uint32_t j = 0; j < w.size(); ++j) {
    for (const auto& [k, value] : space.lift_row(j)) w[j] += value * f[k];
  }
  return w;
}

std::vector<int> signs_of(const std::vector<double>& direction, const std::vector<int>& exponent) {
  double greatest = 0;
  std::vector<double> size;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    size.push_back(std::fabs(std::ldexp(direction[j], exponent[j])));
    greatest = std::max(greatest, size.back());
  }
  std::vector<int> signs;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    signs.push_back(size[j] > kRounding * greatest ? (direction[j] > 0 ? 1 : -1) : 0);
  }
  return signs;
}

}  // namespace linsep
