// A data set's digest, and a certificate sealed by workers that share the rows.
#include "proof/digest.h"

#include <gtest/gtest.h>

#include <atomic>

#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

TestSource some_rows(std::size_t count) {
  std::vector<TestRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back({i % 2 == 0 ? "1" : "-1", {{1, std::to_string(i) + ".50"}, {2 + i % 3, "1e1"}}});
  }
  return {rows, 4};
}

Certificate naming(std::vector<std::int64_t> rows) {
  Certificate certificate;
  certificate.data.features = 4;
  for (const std::int64_t row : rows) certificate.witness.push_back({row, "1"});
  return certificate;
}

TEST(Digest, WorkersSealTheSameCertificateAsOne) {
  for (const std::size_t count : {3U, 8U, 37U}) {
    TestSource all = some_rows(count);
    Certificate alone = naming({0, 2});
    alone.witness.push_back({static_cast<std::int64_t>(count) - 1, "2"});
    const Certificate unsealed = alone;
    seal_certificate(alone, all);
    ASSERT_EQ(alone.rows.size(), count == 3 ? 2U : 3U);
    for (const int workers : {1, 2, 3, 4, 8}) {
      run_threads(workers, [&](Comm& comm) {
        const auto n = static_cast<std::int64_t>(count);
        TestSource rows = some_rows(count);
        Part mine(rows, n * (comm.rank() + 1) / workers - n * comm.rank() / workers);
        Certificate together = unsealed;
        seal_certificate(together, mine, comm);
        EXPECT_EQ(together, alone) << workers;
      });
    }
  }
}

ProofOptions with_threads(int threads) {
  ProofOptions options;
  options.threads = threads;
  return options;
}

TEST(Digest, IsTheSameOnAnyNumberOfThreads) {
  TestSource rows = some_rows(1000);
  const Certificate unsealed = naming({0, 17, 999});
  Certificate one = unsealed;
  seal_certificate(one, rows, with_threads(1));
  ASSERT_EQ(one.rows.size(), 3U);
  EXPECT_EQ(digest_rows(rows), one.data);
  for (const int threads : {2, 5}) {
    Certificate again = unsealed;
    seal_certificate(again, rows, with_threads(threads));
    EXPECT_EQ(again, one);
  }
}

TEST(Digest, NamesTheFirstBadRowOnAnyNumberOfThreads) {
  std::vector<TestRow> given;
  for (int i = 0; i < 500; ++i) given.push_back({i > 200 ? "2" : "1", {{1, "1"}}});
  TestSource rows(given, 1);
  for (const int threads : {1, 4}) {
    try {
      digest_rows(rows, with_threads(threads));
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "row 202: the label \"2\" is not one of the classes");
    }
  }
}

TEST(Digest, HearsAnInterruptAndTellsOfItsRows) {
  TestSource rows = some_rows(9000);
  std::atomic<bool> stop = false;
  ProofOptions limits;
  limits.interrupt = &stop;
  std::vector<std::int64_t> heard;
  const auto observe = [&](const Progress& progress) {
    EXPECT_EQ(progress.phase, Phase::kSealing);
    EXPECT_EQ(progress.rows_in_all, 9000);
    heard.push_back(progress.rows);
  };
  digest_rows(rows, limits, observe);
  ASSERT_GT(heard.size(), 1U);
  EXPECT_EQ(heard.back(), 9000);
  heard.clear();
  try {
    digest_rows(rows, limits, [&](const Progress& progress) {
      observe(progress);
      stop = true;
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInterrupted);
  }
  EXPECT_EQ(heard.size(), 1U);
  Certificate certificate = naming({0});
  EXPECT_THROW(seal_certificate(certificate, rows, limits), Error);
}

}  // namespace
}  // namespace linsep
