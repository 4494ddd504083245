// PairedBootstrap resamples rows that two models were scored on, all replicates in one pass and in bounded memory.
//
// Chamandy, Muralidharan, Najmi & Naidu, "Estimating uncertainty for massive data streams", 2012: in each replicate a
// row counts as often as an independent Poisson number with mean 1 says, so that rows needn't be known beforehand. The
// numbers come from a keyed hash of seed, replicate and row number. Everything is added up in whole numbers. So a
// replicate is the same bits however rows are spread over batches, threads and workers.
//
// Scores are counted in 256 bins of about as many rows each. That blurs the width of an interval a little, but not its
// center, since the differences are those to replicate 0, which has every row once in the same bins.
//
// A row costs about 2,000 · (hash/4 + 4 additions): some microseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/comm.h"
#include "linsep/tools/ranking.h"

namespace linsep {

/// How a row counts in a replicate.
struct PairedRow {
  std::uint32_t cell = 0;                       ///< which of 8 kinds of rows it is
  std::array<std::uint32_t, 2> bin = {0, 0};    ///< of its score by each model
  bool positive = false;                        ///< its class, for the bins
  std::array<std::int64_t, 2> amount = {0, 0};  ///< two differences in fixed point
};

class PairedBootstrap {
 public:
  static constexpr std::size_t kReplicates = 2000, kCells = 8, kBins = 256, kAmounts = 2;

  /// `first_row` is the number of the first row that `add` gets. Without `ranked`, bins aren't counted.
  PairedBootstrap(std::uint64_t seed, std::int64_t first_row, bool ranked);

  /// REQUIRES: at most 2³¹ rows in all, and amounts whose absolute values add up to less than 2⁶⁰ over all rows.
  void add(std::span<const PairedRow> rows, int threads);
  /// Adds up the sums of all workers.
  void all_reduce(Comm& comm);

  /// Rows of a kind in a replicate. Replicate 0 has every row once.
  std::int64_t rows(std::size_t replicate, std::size_t cell) const { return cells_[cell * kReplicates + replicate]; }
  std::int64_t amount(std::size_t replicate, std::size_t k) const { return amounts_[k * kReplicates + replicate]; }
  /// Rows by bins of one model's scores, the best first. The bins' scores are their numbers.
  ScoreCounts counts(std::size_t replicate, std::size_t model) const;

 private:
  void add_block(std::span<const PairedRow> rows, std::size_t block);

  std::uint64_t seed_;
  std::int64_t next_row_;
  std::vector<std::int64_t> cells_, amounts_;       ///< by replicate, one cell after the other
  std::array<std::vector<std::uint32_t>, 2> bins_;  ///< of each model: by replicate, both classes of each bin
};

/// The weights of a row in replicates 4·k … 4·k + 3.
std::array<std::uint16_t, 4> bootstrap_weights(std::uint64_t seed, std::int64_t row, std::uint64_t k);

/// Bins of about as many rows each, by the least score of each, the best first.
std::vector<double> equal_count_edges(const ScoreCounts& counts, std::size_t bins);
std::uint32_t bin_of(std::span<const double> edges, double score);

}  // namespace linsep
