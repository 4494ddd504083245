// The finder with every set treated as one of many columns, compared with the oracle that tries all bases.
#include "certify/finder/descend.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "certify/finder/finder.h"
#include "certify/oracle.h"
#include "certify/testing.h"

namespace linsep {
namespace {

using testing::TenthRows;

/// Rows `first` … `end` − 1 are this worker's.
Separability found_in(const TenthRows& set, bool origin, std::size_t first, std::size_t end, std::size_t at_once,
                      Comm& comm) {
  FinderOptions options;
  options.origin = origin;
  options.binary = set.binary;
  options.written = [&](std::span<const std::int64_t> wanted) { return set.written(wanted); };
  options.most_columns = 0;
  Finder finder(std::move(options));
  finder.begin({static_cast<std::int64_t>(end - first), set.features(), -1});
  Progress progress;
  do {
    for (std::size_t from = first; from < end; from += at_once) {
      const testing::TenthBatch rows(set, from, std::min(end, from + at_once));
      finder.visit(rows.batch());
    }
    finder.synchronise(comm);
  } while (finder.end_pass(progress) == Verdict::kContinue);
  return finder.result();
}

TenthRows drawn(std::uint64_t seed, bool& origin) {
  Random random(97, seed);
  origin = random.below(2) == 0;
  const auto features = static_cast<std::uint32_t>(1 + random.below(4));
  const int size = 1 + static_cast<int>(random.below(3));  // compilers evaluate arguments in different orders
  const auto rows = 1 + random.below(9);
  return testing::drawn_rows(seed, rows, features, size);
}

TEST(Descend, SaysOfDrawnSetsWhatIsTrue) {
  const auto comm = solo();
  std::map<Claim, int> complete;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    bool origin = false;
    const TenthRows set = drawn(seed, origin);
    const Truth truth = truth_of(set.all_z(origin));
    const Separability found = found_in(set, origin, 0, set.rows(), 3, *comm);
    if (truth.claim == Claim::kSeparable) {
      EXPECT_TRUE(found.complete);
      EXPECT_TRUE(found.witness.empty());
    } else {
      EXPECT_TRUE(testing::is_witness(found.witness, set, origin));
    }
    if (!found.complete) continue;
    ++complete[truth.claim];
    EXPECT_EQ(found.left_at_zero, truth.at_zero);
    std::vector<std::vector<Rational>> basis, at_zero;
    for (const std::int64_t row : found.basis) basis.push_back(set.z(static_cast<std::size_t>(row), origin));
    for (std::size_t i = 0; i < set.rows(); ++i) {
      if (truth.is_at_zero[i]) at_zero.push_back(set.z(i, origin));
    }
    EXPECT_EQ(oracle::rank_of(basis), found.basis.size());
    EXPECT_EQ(oracle::rank_of(at_zero), found.basis.size());
  }
  EXPECT_GT(complete[Claim::kSeparable], 500);
  EXPECT_GT(complete[Claim::kOverlapping], 100);
}

// Taken as decimals, rows 1, 3, 4 and 5 are a witness. The doubles next to them are independent, and row 0 or 2 must
// join them with a weight of 10⁻¹⁶.
TEST(Descend, FindsAWitnessWithAWeightThatFloatsDontSee) {
  TenthRows set;
  set.x = {{-3, 3, -1, 1}, {3, 3, 3, 2}, {-3, 3, -1, 0}, {3, -3, 2, 3}, {1, 3, 0, -1}, {2, 0, -2, -2}};
  set.label = {-1, 1, -1, -1, -1, 1};
  for (const bool binary : {false, true}) {
    set.binary = binary;
    const Separability alone = found_in(set, true, 0, set.rows(), 6, *solo());
    EXPECT_TRUE(testing::is_witness(alone.witness, set, true));
    EXPECT_EQ(alone.witness.size(), binary ? 5 : 4);
    std::mutex mutex;
    run_threads(2, [&](Comm& comm) {
      const std::size_t first = comm.rank() == 0 ? 0 : 3;
      const Separability both = found_in(set, true, first, first + 3, 4, comm);
      const std::lock_guard lock(mutex);
      EXPECT_EQ(both.witness, alone.witness);
      EXPECT_EQ(both.basis, alone.basis);
    });
  }
}

TEST(Descend, FindsTheSameInBatchesOfAnySize) {
  const auto comm = solo();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    bool origin = false;
    const TenthRows set = drawn(seed, origin);
    const Separability whole = found_in(set, origin, 0, set.rows(), set.rows(), *comm);
    const Separability single = found_in(set, origin, 0, set.rows(), 1, *comm);
    EXPECT_EQ(whole.witness, single.witness) << seed;
    EXPECT_EQ(whole.weights, single.weights) << seed;
  }
}

TEST(Descend, WorkersFindTheWitnessThatOneFinds) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    bool origin = false;
    const TenthRows set = drawn(seed, origin);
    if (set.rows() < 2) continue;
    const Separability alone = found_in(set, origin, 0, set.rows(), set.rows(), *solo());
    if (alone.witness.empty()) continue;
    ++found;
    std::mutex mutex;
    const std::size_t half = set.rows() / 2;
    run_threads(2, [&](Comm& comm) {
      const bool first = comm.rank() == 0;
      const Separability both = found_in(set, origin, first ? 0 : half, first ? half : set.rows(), 4, comm);
      const std::lock_guard lock(mutex);
      EXPECT_EQ(both.witness, alone.witness) << seed;
      EXPECT_EQ(both.basis, alone.basis) << seed;
    });
  }
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace linsep
