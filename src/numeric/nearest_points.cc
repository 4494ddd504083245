#include "numeric/nearest_points.h"

#include <algorithm>
#include <limits>

#include "core/deadline.h"
#include "kernel/kernel.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

constexpr double kZeroSquared = 1e-28;
/// ‖v‖² must fall at least by this share in kStallSteps steps, or rounding has taken over.
constexpr double kProgress = 1e-14;
constexpr int kStallSteps = 10;
/// How often the rows of the corral are brought to the same level.
constexpr int kLevellings = 2;
/// What a call may do before it pauses, in values touched by the factor; its first factor comes on top.
constexpr double kMostWork = 1e8, kLeastWork = 1e3;  // of all steps; of each
/// How many rows are scored between two scans of all.
constexpr std::size_t kNear = 64;

}  // namespace

void NearestPoints::add(const std::vector<std::uint32_t>& column, const std::vector<double>& z, std::size_t hull,
                        std::int64_t name) {
  rows_.column.insert(rows_.column.end(), column.begin(), column.end());
  rows_.value.insert(rows_.value.end(), z.begin(), z.end());
  rows_.start.push_back(rows_.column.size());
  hull_.push_back(static_cast<std::uint8_t>(hull));
  name_.push_back(name);
}

double NearestPoints::above_level(std::size_t i) const { return dot(rows_.row(i), v_.data()) - level_[hull_[i]]; }

// The row furthest below its level, or `rows()` where none is below by `least`. All rows are looked at once in a while;
// in between only those that were among the lowest.
std::size_t NearestPoints::find_lowest(double least) {
  double lowest = -least;
  std::size_t best = rows();
  for (const std::size_t i : near_) {
    const double above = above_level(i);
    if (above < lowest) {
      lowest = above;
      best = i;
    }
  }
  if (best < rows()) return best;
  scored_.resize(rows());
  for (std::size_t i = 0; i < rows(); ++i) scored_[i] = {above_level(i), i};
  const std::size_t kept = std::min(rows(), kNear);
  std::partial_sort(scored_.begin(), scored_.begin() + static_cast<std::ptrdiff_t>(kept), scored_.end());
  near_.clear();
  for (std::size_t k = 0; k < kept; ++k) near_.push_back(scored_[k].second);
  return scored_.front().first < -least ? scored_.front().second : rows();
}

void NearestPoints::update_point() {
  corral_.normalize();
  v_.assign(size_, 0.0);
  for (std::size_t c = 0; c < corral_.size(); ++c) {
    axpy(corral_.weight()[c], rows_.row(corral_.index()[c]), v_.data());
  }
  squared_ = dot(DenseRow<double>{v_.data(), size_}, v_.data());
  level_corral();
}

// Scores of the corral's rows are of the size of ‖v‖², and off by 2⁻⁵³·‖z‖·‖v‖ when v is a sum of rows: too much where
// rows are long. So v is corrected until they agree.
void NearestPoints::level_corral() {
  std::vector<double> score(corral_.size());
  for (int round = 0; round <= kLevellings; ++round) {
    level_[0] = level_[1] = 0;
    for (std::size_t c = 0; c < corral_.size(); ++c) {
      score[c] = dot(rows_.row(corral_.index()[c]), v_.data());
      level_[corral_.hull(c)] += corral_.weight()[c] * score[c];
    }
    if (round == kLevellings || corral_.size() == hulls_) return;
    for (std::size_t c = 0; c < corral_.size(); ++c) score[c] -= level_[corral_.hull(c)];
    corral_.factor().level(score, v_);
  }
}

bool NearestPoints::push(std::size_t i, double weight) {
  std::vector<double> z(size_, 0.0);
  axpy(1, rows_.row(i), z.data());
  return corral_.push(i, z, hull_[i], weight);
}

bool NearestPoints::enter(std::size_t i) {
  if (corral_.contains(i) || !push(i, 0)) return false;
  corral_.minor_cycles();
  update_point();
  return true;
}

// The row found, or where rounding keeps it out, another one that would lower ‖v‖ too.
bool NearestPoints::enter_any(std::size_t first, double least) {
  if (enter(first)) return true;
  near_.clear();
  find_lowest(least);
  const std::vector<std::size_t> lowest = near_;
  for (const std::size_t i : lowest) {
    if (above_level(i) >= -least) break;
    if (i != first && enter(i)) return true;
  }
  return false;
}

// Recomputes the factor of the corral: the rounding of rotations is gone, and what follows depends on rows and weights
// alone. Rows that turn out dependent leave.
void NearestPoints::begin_corral() {
  near_.clear();
  std::vector<std::size_t> index = corral_.index();
  std::vector<double> weight = corral_.weight();
  if (index.empty()) {
    for (std::size_t t = 0; t < hulls_; ++t) {
      index.push_back(static_cast<std::size_t>(std::find(hull_.begin(), hull_.end(), t) - hull_.begin()));
      weight.push_back(1);
    }
  }
  corral_.clear();
  for (std::size_t c = 0; c < index.size(); ++c) {
    push(index[c], weight[c]);
    poll(4 * (c + 1) * size_);
  }
  corral_.minor_cycles();
  update_point();
}

NearestPoints::End NearestPoints::solve(double tolerance) {
  begin_corral();
  double reference = squared_,
         work = -static_cast<double>(corral_.size() * corral_.size()) * static_cast<double>(size_);
  int idle = 0;
  bool fresh = true;  // the factor was recomputed since the last progress
  while (true) {
    if (squared_ < kZeroSquared) return End::kZero;
    const double least = tolerance * squared_;
    const std::size_t entering = find_lowest(least);
    if (entering == rows()) return End::kNearest;
    if (work > kMostWork) return End::kPaused;
    work += std::max(kLeastWork, static_cast<double>(corral_.size()) * static_cast<double>(size_));
    poll(corral_.size() * size_ + rows_.column.size());
    if (idle <= kStallSteps && enter_any(entering, least)) {
      idle = squared_ < reference * (1 - kProgress) ? 0 : idle + 1;
      if (idle == 0) fresh = false;
      reference = std::min(reference, squared_);
      continue;
    }
    if (fresh) return End::kStalled;
    begin_corral();
    fresh = true;
    idle = 0;
    reference = squared_;
  }
}

void NearestPoints::save(ByteWriter& writer) const {
  save_rows(writer, rows_);
  writer.numbers(hull_);
  writer.numbers(name_);
  writer.numbers(std::vector<std::uint64_t>(corral_.index().begin(), corral_.index().end()));
  writer.numbers(corral_.weight());
  writer.numbers(v_);
  for (const double x : {squared_, level_[0], level_[1]}) writer.number(x);
}

void NearestPoints::load(ByteReader& reader) {
  rows_ = load_rows(reader, size_);
  hull_ = reader.numbers<std::uint8_t>(rows_.size());
  name_ = reader.numbers<std::int64_t>(rows_.size());
  const std::vector<std::uint64_t> corral = reader.distinct_below(rows_.size());
  const auto weight = reader.numbers<double>(corral.size());
  v_ = reader.numbers_or_none<double>(size_);
  squared_ = reader.at_least_zero();
  for (double& level : level_) level = reader.finite();
  std::size_t rows[2] = {0, 0}, carrying[2] = {0, 0};
  for (const std::uint8_t hull : hull_) {
    require_state(hull < hulls_, "a row in it belongs to no hull");
    ++rows[hull];
  }
  for (std::size_t c = 0; c < corral.size(); ++c) {
    require_state(weight[c] > 0, "a row in it weighs nothing");
    ++carrying[hull_[corral[c]]];
  }
  for (std::size_t t = 0; t < hulls_; ++t) {
    require_state(rows_.size() == 0 || rows[t] > 0, "a hull in it has no row");
    require_state(corral.empty() || carrying[t] > 0, "a hull in it has no point");
  }
  corral_.set({corral.begin(), corral.end()}, weight);
}

}  // namespace linsep
