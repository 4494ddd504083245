#include "proof/leaves.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "linsep/error.h"
#include "proof/merkle.h"

namespace linsep {
namespace {

/// Rows read at once, rows whose leaves are kept at once, and rows that a thread takes at once.
constexpr std::int64_t kBlockRows = 65536;
constexpr std::size_t kKeptRows = 4096, kChunkRows = 64;
/// About this many entries are taken at once. So fewer rows are taken if they have many entries, and an interrupt is
/// noticed soon.
constexpr std::int64_t kBlockEntries = std::int64_t{1} << 21, kKeptEntries = std::int64_t{1} << 18;

std::int64_t entries_per_row(const Shape& shape) {
  if (shape.rows > 0 && shape.nonzeros >= 0) return 1 + shape.nonzeros / shape.rows;
  return std::max<std::int64_t>(1, shape.features);
}

constexpr double kRowNanoseconds = 1000;  // at least this much to write and hash a leaf

/// Leaves and hashes of some rows, reused for the next ones.
class LeafBlock {
 public:
  LeafBlock(const LabelSigns& labels, const LeafRun& run)
      : labels_(labels),
        secret_(run.options.secret),
        judge_(run.judge),
        weights_(run.options.weights),
        threads_(thread_count(run.options.threads)),
        leaf_(kKeptRows),
        hash_(kKeptRows) {}

  /// Makes them on several threads. A problem with a row is reported when its turn comes.
  void make(std::span<const WrittenRow> rows) {
    const std::size_t chunks = (rows.size() + kChunkRows - 1) / kChunkRows;
    bad_.assign(chunks, std::nullopt);
    parallel_for(chunks, threads_, kRowNanoseconds * static_cast<double>(rows.size()),
                 [&](std::size_t chunk, std::size_t thread) {
                   const std::size_t begin = chunk * kChunkRows, end = std::min(begin + kChunkRows, rows.size());
                   try {
                     for (std::size_t i = begin; i < end; ++i) {
                       write_leaf(rows[i], labels_, leaf_[i], weights_);
                       if (!secret_.empty()) append_salt(secret_, rows[i].row + 1, leaf_[i]);
                       hash_[i] = leaf_hash(leaf_[i]);
                       if (judge_) judge_(leaf_[i], thread);
                     }
                   } catch (const BadRow& bad) {
                     bad_[chunk] = bad;
                   }
                 });
    for (const std::optional<BadRow>& bad : bad_) {
      if (bad) throw BadRow(*bad);
    }
  }
  const std::string& leaf(std::size_t i) const { return leaf_[i]; }
  const Hash& hash(std::size_t i) const { return hash_[i]; }

 private:
  const LabelSigns& labels_;
  const std::string& secret_;
  const LeafJudge& judge_;
  bool weights_;
  int threads_;
  std::vector<std::string> leaf_;
  std::vector<Hash> hash_;
  std::vector<std::optional<BadRow>> bad_;
};

}  // namespace

void for_each_leaf(Source& data, const LabelSigns& labels, const LeafRun& run,
                   const std::function<void(const std::string& leaf, const Hash& hash)>& f) {
  LeafBlock leaves(labels, run);
  Progress progress;
  progress.phase = run.phase;
  progress.pass = 1;
  progress.passes_in_all = 1;
  progress.rows_in_all = run.count;
  std::vector<std::int64_t> numbers;
  const std::int64_t end = run.first + run.count, entries = entries_per_row(data.shape());
  const std::int64_t block_rows = std::clamp<std::int64_t>(kBlockEntries / entries, kChunkRows, kBlockRows);
  const auto kept_rows =
      static_cast<std::size_t>(std::clamp<std::int64_t>(kKeptEntries / entries, kChunkRows, kKeptRows));
  for (std::int64_t first = run.first; first < end; first += block_rows) {
    numbers.resize(static_cast<std::size_t>(std::min(block_rows, end - first)));
    std::iota(numbers.begin(), numbers.end(), first);
    const std::vector<WrittenRow> block = data.written(numbers);
    for (std::size_t at = 0; at < block.size(); at += kept_rows) {
      if (run.options.interrupted()) throw interrupted_error();
      const auto rows = std::span(block).subspan(at, std::min(kept_rows, block.size() - at));
      leaves.make(rows);
      for (std::size_t i = 0; i < rows.size(); ++i) f(leaves.leaf(i), leaves.hash(i));
      progress.rows += static_cast<std::int64_t>(rows.size());
      if (run.observe) run.observe(progress);
    }
  }
}

}  // namespace linsep
