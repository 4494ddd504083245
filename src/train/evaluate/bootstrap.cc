#include "train/evaluate/bootstrap.h"

#include <algorithm>
#include <functional>

#include "core/parallel.h"
#include "core/random.h"

namespace linsep {
namespace {

/// Replicates that one thread draws at a time.
constexpr std::size_t kBlock = 100;

/// 2¹⁶·P(a Poisson number with mean 1 is at least k), for k = 1 … 8, rounded so that the mean stays 1.
constexpr std::array<std::uint32_t, 8> kAtLeast = {41427, 17317, 5263, 1244, 240, 39, 5, 1};

std::array<std::uint16_t, 4> weights_of_hash(std::uint64_t hash) {
  std::array<std::uint16_t, 4> weights{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto drawn = static_cast<std::uint32_t>(hash >> (16 * i) & 0xffff);
    std::uint32_t weight = 0;
    for (const std::uint32_t bound : kAtLeast) weight += drawn < bound ? 1 : 0;
    weights[i] = static_cast<std::uint16_t>(weight);
  }
  return weights;
}

}  // namespace

std::array<std::uint16_t, 4> bootstrap_weights(std::uint64_t seed, std::int64_t row, std::uint64_t k) {
  return weights_of_hash(keyed_hash(keyed_hash(seed, static_cast<std::uint64_t>(row)), k));
}

PairedBootstrap::PairedBootstrap(std::uint64_t seed, std::int64_t first_row, bool ranked)
    : seed_(seed), next_row_(first_row), cells_(kCells * kReplicates), amounts_(kAmounts * kReplicates) {
  if (!ranked) return;
  for (auto& bins : bins_) bins.resize(2 * kBins * kReplicates);
}

void PairedBootstrap::add_block(std::span<const PairedRow> rows, std::size_t block) {
  const std::size_t first = block * kBlock;
  std::array<std::uint16_t, kBlock> weight;
  std::int64_t number = next_row_;
  for (const PairedRow& row : rows) {
    const std::uint64_t key = keyed_hash(seed_, static_cast<std::uint64_t>(number++));
    for (std::size_t k = 0; k < kBlock; k += 4) {
      const auto four = weights_of_hash(keyed_hash(key, (first + k) / 4));
      std::ranges::copy(four, weight.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (block == 0) weight[0] = 1;
    std::int64_t* const cell = &cells_[row.cell * kReplicates + first];
    for (std::size_t r = 0; r < kBlock; ++r) cell[r] += weight[r];
    for (std::size_t k = 0; k < kAmounts; ++k) {
      if (row.amount[k] == 0) continue;
      std::int64_t* const amount = &amounts_[k * kReplicates + first];
      for (std::size_t r = 0; r < kBlock; ++r) amount[r] += row.amount[k] * weight[r];
    }
    for (std::size_t model = 0; model < 2; ++model) {
      if (bins_[model].empty()) continue;
      const std::size_t slot = 2 * std::size_t{row.bin[model]} + (row.positive ? 1 : 0);
      std::uint32_t* const bin = &bins_[model][slot * kReplicates + first];
      for (std::size_t r = 0; r < kBlock; ++r) bin[r] += weight[r];
    }
  }
}

void PairedBootstrap::add(std::span<const PairedRow> rows, int threads) {
  constexpr double kNanoseconds = 2;  // a row in a replicate
  const double work = kNanoseconds * static_cast<double>(rows.size()) * kReplicates;
  parallel_for(kReplicates / kBlock, threads, work, [&](std::size_t block, std::size_t) { add_block(rows, block); });
  next_row_ += static_cast<std::int64_t>(rows.size());
}

void PairedBootstrap::all_reduce(Comm& comm) {
  if (comm.size() == 1) return;
  comm.all_reduce(std::span(cells_), Comm::Op::kSum);
  comm.all_reduce(std::span(amounts_), Comm::Op::kSum);
  std::vector<std::int64_t> part(kReplicates);
  for (auto& bins : bins_) {
    for (std::size_t begin = 0; begin < bins.size(); begin += part.size()) {
      std::copy_n(bins.begin() + static_cast<std::ptrdiff_t>(begin), part.size(), part.begin());
      comm.all_reduce(std::span(part), Comm::Op::kSum);
      for (std::size_t r = 0; r < part.size(); ++r) bins[begin + r] = static_cast<std::uint32_t>(part[r]);
    }
  }
}

ScoreCounts PairedBootstrap::counts(std::size_t replicate, std::size_t model) const {
  ScoreCounts counts;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const std::size_t slot = 2 * bin * kReplicates + replicate;
    const ScoreCounts::Place place{-static_cast<double>(bin), bins_[model][slot], bins_[model][slot + kReplicates]};
    if (place.negative + place.positive > 0) counts.places.push_back(place);
  }
  return counts;
}

std::vector<double> equal_count_edges(const ScoreCounts& counts, std::size_t bins) {
  std::int64_t rows = 0, before = 0;
  for (const auto& place : counts.places) rows += place.negative + place.positive;
  std::vector<double> edges;
  const bool few = counts.places.size() <= bins;
  for (const auto& place : counts.places) {
    before += place.negative + place.positive;
    const auto wanted = static_cast<double>(edges.size() + 1) * static_cast<double>(rows) / static_cast<double>(bins);
    if (few || static_cast<double>(before) >= wanted) edges.push_back(place.least);
  }
  return edges;
}

std::uint32_t bin_of(std::span<const double> edges, double score) {
  const auto place = std::lower_bound(edges.begin(), edges.end(), score, std::greater<>());
  const auto bin = std::min<std::ptrdiff_t>(place - edges.begin(), static_cast<std::ptrdiff_t>(edges.size()) - 1);
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(bin, 0));
}

}  // namespace linsep
