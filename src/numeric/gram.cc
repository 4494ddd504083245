#include "numeric/gram.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/deadline.h"
#include "core/parallel.h"
#include "core/random.h"

namespace linsep {
namespace {

constexpr std::uint64_t kKey = 0x6772616d;  // of the hash that draws rows
constexpr double kRowsPerColumn = 4;
/// Passes that the preconditioner may cost.
constexpr double kMostPasses = 100;
constexpr std::size_t kStrip = 64;

double sample_size(double rows, double features) { return std::min(rows, kRowsPerColumn * features); }

}  // namespace

GramPreconditioner::~GramPreconditioner() { keep_levels({}); }

bool GramPreconditioner::pays(double rows, double features, double outputs) {
  constexpr double kLeastFeatures = 64;
  return features >= kLeastFeatures && sample_size(rows, features) * features <= kMostPasses * 4 * rows * outputs;
}

void GramPreconditioner::begin_sample(std::size_t features, std::int64_t all_rows, std::size_t slots) {
  features_ = features;
  const auto rows = static_cast<double>(std::max<std::int64_t>(all_rows, 1));
  const double share = sample_size(rows, static_cast<double>(features)) / rows;
  threshold_ = share < 1 ? static_cast<std::uint64_t>(share * 0x1p63) * 2 : std::numeric_limits<std::uint64_t>::max();
  drawn_.assign(slots, {});
  // Room for 5 % more than expected: where a vector grows, there are two copies for a while.
  const auto expected = static_cast<std::size_t>(1.05 * share * rows / static_cast<double>(slots)) + 16;
  for (Drawn& drawn : drawn_) drawn.value.reserve(expected * features);
}

void GramPreconditioner::sample(const Batch& rows, std::size_t slot) {
  Drawn& drawn = drawn_[slot];
  for_each_row(rows, [&](const auto& row, std::int64_t i) {
    const std::int64_t number = rows.number_of(i);
    if (keyed_hash(kKey, static_cast<std::uint64_t>(number)) > threshold_) return;
    drawn.number.push_back(number);
    for_each_entry(row, [&](std::uint32_t, double x) { drawn.value.push_back(static_cast<float>(x)); });
    drawn.value.resize(drawn.number.size() * features_);
  });
}

void GramPreconditioner::end_sample(Comm& comm, bool centred, int threads) {
  std::vector<Drawn> all = std::exchange(drawn_, {});
  if (comm.size() > 1) all = gather_drawn(all, comm);
  centred_ = centred;
  assemble(all, threads);
  sampled_ = true;
}

std::vector<GramPreconditioner::Drawn> GramPreconditioner::gather_drawn(std::span<const Drawn> mine, Comm& comm) {
  Drawn joined;
  for (const Drawn& slot : mine) {
    joined.number.insert(joined.number.end(), slot.number.begin(), slot.number.end());
    joined.value.insert(joined.value.end(), slot.value.begin(), slot.value.end());
  }
  const auto numbers = comm.all_gather(std::as_bytes(std::span(joined.number)));
  const auto values = comm.all_gather(std::as_bytes(std::span(joined.value)));
  std::vector<Drawn> all(numbers.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].number.resize(numbers[k].size() / sizeof(std::int64_t));
    all[k].value.resize(values[k].size() / sizeof(float));
    if (!all[k].number.empty()) std::memcpy(all[k].number.data(), numbers[k].data(), numbers[k].size());
    if (!all[k].value.empty()) std::memcpy(all[k].value.data(), values[k].data(), values[k].size());
  }
  return all;
}

void GramPreconditioner::assemble(std::span<const Drawn> all, int threads) {
  const std::size_t d = features_;
  std::vector<std::pair<std::int64_t, const float*>> rows_by_number;
  for (const Drawn& part : all) {
    for (std::size_t k = 0; k < part.number.size(); ++k) {
      rows_by_number.emplace_back(part.number[k], part.value.data() + k * d);
    }
  }
  std::ranges::sort(rows_by_number, {}, [](const auto& row) { return row.first; });
  const std::size_t count = rows_by_number.size();
  mean_.assign(d, 0);
  if (centred_) {
    for (const auto& [number, value] : rows_by_number) {
      for (std::size_t j = 0; j < d; ++j) mean_[j] += static_cast<double>(value[j]);
    }
    for (double& x : mean_) x /= static_cast<double>(std::max<std::size_t>(count, 1));
  }
  constexpr std::size_t kPanelRows = 128;
  gram_.resize(d);
  const std::size_t stride = gram_.stride(), strips = (d + kStrip - 1) / kStrip;
  std::vector<double> panel(kPanelRows * stride);
  const double weight = 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(count, 1)));
  for (std::size_t first = 0; first < count; first += kPanelRows) {
    const std::size_t rows = std::min(kPanelRows, count - first);
    for (std::size_t i = 0; i < rows; ++i) {
      const float* from = rows_by_number[first + i].second;
      for (std::size_t j = 0; j < d; ++j) {
        // Rounded to floats: the matrix is still one of products of rows, and its products are exact.
        panel[i * stride + j] = static_cast<float>(weight * (static_cast<double>(from[j]) - mean_[j]));
      }
    }
    const double work = 0.1 * static_cast<double>(rows * d * d) / 2;
    parallel_for(strips, threads, work, [&](std::size_t strip, std::size_t) {
      const std::size_t begin = strip * kStrip, end = std::min(d, begin + kStrip);
      poll((d - begin) * rows);
      rank_update_of_floats(panel.data(), rows, stride, gram_.data(), stride, begin, end, d);
    });
  }
}

int GramPreconditioner::level_of(double curvature) {
  if (!(curvature > 0)) return -kMostLevel;
  int exponent = 0;
  const double mantissa = std::frexp(std::min(curvature, 0x1p199), &exponent);
  return std::max(mantissa < 0.70710678118654752 ? exponent - 1 : exponent, -kMostLevel);
}

const SymmetricMatrix& GramPreconditioner::factor_of(int level, int threads) const {
  std::atomic<const SymmetricMatrix*>& at = factor_at(level);
  if (const SymmetricMatrix* known = at.load(std::memory_order_acquire)) return *known;
  auto factor = std::make_unique<SymmetricMatrix>(gram_);
  const double scale = std::ldexp(1.0, level);
  for (std::size_t i = 0; i < features_; ++i) {
    for (std::size_t j = i; j < features_; ++j) factor->at(i, j) *= scale;
    factor->at(i, i) += 1;
  }
  if (!factor->factor(threads)) {  // values of very different sizes: no preconditioner is better than a wrong one
    factor->resize(features_);
    for (std::size_t i = 0; i < features_; ++i) factor->at(i, i) = 1;
  }
  factor->mirror();
  const SymmetricMatrix* first = nullptr;
  if (!at.compare_exchange_strong(first, factor.get(), std::memory_order_acq_rel)) return *first;
  return *factor.release();
}

void GramPreconditioner::keep_levels(std::span<const int> level) {
  for (int one = -kMostLevel; one <= kMostLevel; ++one) {
    if (std::ranges::find(level, one) == level.end()) {
      const std::unique_ptr<const SymmetricMatrix> dropped(factor_at(one).exchange(nullptr));
    }
  }
}

void GramPreconditioner::solve(std::span<const int> level, double* x, std::size_t stride, int threads) const {
  std::vector<int> levels(level.begin(), level.end());
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  struct Part {
    const SymmetricMatrix* factor;
    std::vector<std::size_t> outputs;
  };
  std::vector<Part> parts;  // whole tiles of outputs of a level, which a thread solves for
  for (const int one : levels) {
    std::vector<std::size_t> own;
    for (std::size_t c = 0; c < level.size(); ++c) {
      if (level[c] == one) own.push_back(c);
    }
    const SymmetricMatrix& factor = factor_of(one, threads);
    const std::size_t tiles = (own.size() + kRankTile - 1) / kRankTile;
    const std::size_t count = std::min(tiles, static_cast<std::size_t>(std::max(threads, 1)));
    for (std::size_t part = 0; part < count; ++part) {
      const auto at = [&](std::size_t p) { return own.begin() + std::min(own.size(), p * tiles / count * kRankTile); };
      parts.push_back({&factor, {at(part), at(part + 1)}});
    }
  }
  const auto size = static_cast<double>(features_);
  const double work = 0.1 * size * size * static_cast<double>(level.size());
  parallel_for(parts.size(), threads, work,
               [&](std::size_t part, std::size_t) { solve_with(*parts[part].factor, parts[part].outputs, x, stride); });
}

void GramPreconditioner::solve_with(const SymmetricMatrix& factor, std::span<const std::size_t> outputs, double* x,
                                    std::size_t stride) const {
  const std::size_t width = outputs.size() == 1 ? 1 : (outputs.size() + kRankTile - 1) / kRankTile * kRankTile;
  std::vector<double> columns(features_ * width);
  for (std::size_t j = 0; j < features_; ++j) {
    for (std::size_t k = 0; k < outputs.size(); ++k) columns[j * width + k] = x[j * stride + outputs[k]];
  }
  if (width == 1) {
    factor.solve(columns);
  } else {
    factor.solve_many(columns.data(), width);
  }
  for (std::size_t j = 0; j < features_; ++j) {
    for (std::size_t k = 0; k < outputs.size(); ++k) x[j * stride + outputs[k]] = columns[j * width + k];
  }
}

}  // namespace linsep
