// A data set's digest, and a certificate sealed by workers that share the rows.
#include "proof/digest.h"

#include <gtest/gtest.h>

#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

/// Some of another source's rows, by their numbers there.
class Part : public Source {
 public:
  Part(Source& all, std::int64_t rows) : all_(all), rows_(rows) {}
  Shape shape() const override { return {rows_, rows_ == 0 ? 0 : all_.shape().features, -1}; }
  const Schema& schema() const override { return all_.schema(); }
  void rewind(std::uint64_t) override {}
  std::optional<Batch> next() override { return std::nullopt; }
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override { return all_.written(rows); }

 private:
  Source& all_;
  std::int64_t rows_;
};

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

}  // namespace
}  // namespace linsep
