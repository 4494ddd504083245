// Rows that a proof names: shares of witnesses, and the rows that are separated, on any number of workers.
#include "linsep/tools/proof_rows.h"

#include <gtest/gtest.h>

#include "core/slice.h"
#include "linsep/certify.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

/// Rows of two features. Feature 2 is 1 only in positive rows (rows 1 and 4), and the others overlap in feature 1.
struct QuasiSeparable {
  std::vector<double> value{0, 0, 2, 1, 1, 0, 2, 0, 3, 1, 0, 0, 1, 0};
  std::vector<double> label{-1, 1, 1, -1, 1, 1, -1};

  Batch batch() const {
    Batch b;
    b.rows = 7;
    b.features = 2;
    b.dense = true;
    b.is_float = false;
    b.stride = 2;
    b.value64 = value;
    b.label = label;
    return b;
  }
  static Schema schema() { return {{"no", "yes"}, {}}; }
};

std::vector<std::int64_t> numbers(const std::vector<NamedRow>& rows) {
  std::vector<std::int64_t> all;
  for (const NamedRow& row : rows) all.push_back(row.row);
  return all;
}

TEST(ProofRows, TheSeparatedOnesAreNamedInOrder) {
  const QuasiSeparable rows;
  const auto source = view(rows.batch(), QuasiSeparable::schema());
  const CertifyOutcome outcome = certify(*source, {}, *solo());
  ASSERT_EQ(outcome.certificate.claim, Claim::kQuasiSeparable);
  const auto all = separated_rows(outcome.certificate, *source, 100, {}, *solo());
  EXPECT_EQ(numbers(all), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(all[0].label, "yes");
  EXPECT_EQ(numbers(separated_rows(outcome.certificate, *source, 1, {}, *solo())), (std::vector<std::int64_t>{1}));
  const std::atomic<bool> stop = true;
  RunLimits limits;
  limits.interrupt = &stop;
  EXPECT_TRUE(separated_rows(outcome.certificate, *source, 100, limits, *solo()).empty());
}

TEST(ProofRows, WorkersNameTheSameRowsAsOne) {
  const QuasiSeparable rows;
  const auto whole = view(rows.batch(), QuasiSeparable::schema());
  const Certificate certificate = certify(*whole, {}, *solo()).certificate;
  run_threads(3, [&](Comm& comm) {
    const std::int64_t first = 7 * comm.rank() / 3, end = 7 * (comm.rank() + 1) / 3;
    const auto shard = view(slice(rows.batch(), first, end - first), QuasiSeparable::schema());
    EXPECT_EQ(numbers(separated_rows(certificate, *shard, 100, {}, comm)), (std::vector<std::int64_t>{1, 4}));
  });
}

TEST(ProofRows, TheSharesOfAWitnessSumToOneByClass) {
  const QuasiSeparable rows;
  const auto source = view(rows.batch(), QuasiSeparable::schema());
  const RowWeights witness{{2, "1/3"}, {3, "2"}, {5, "5/3"}};
  const std::vector<WitnessRow> named = witness_rows(witness, false, *source);
  ASSERT_EQ(named.size(), 3U);
  EXPECT_EQ(named[0].exact_share, "1/6");
  EXPECT_EQ(named[1].exact_share, "1");
  EXPECT_EQ(named[1].share, 1.0);
  EXPECT_EQ(named[1].name.label, "no");
  EXPECT_EQ(witness_rows(witness, true, *source)[1].exact_share, "1/2") << "through the origin: of all rows";
  EXPECT_THROW(witness_rows(RowWeights{{0, "one"}}, false, *source), Error);
}

TEST(ProofRows, ExactNumbersAreRoundedToDoubles) {
  EXPECT_EQ(exact_to_double("1/4"), 0.25);
  EXPECT_EQ(exact_to_double("-1.5"), -1.5);
  EXPECT_THROW(exact_to_double("x"), Error);
}

}  // namespace
}  // namespace linsep
