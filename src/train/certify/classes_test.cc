// More than two classes: the rows that are made, workers, and what is refused. tests/proof/test_classes.py covers every
// small set.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/slice.h"
#include "data/decorators.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/certify_classes.h"
#include "proof/class_rows.h"

namespace linsep {
namespace {

/// Rows of drawn small whole numbers, of four classes.
struct DrawnRows {
  static constexpr std::int64_t kRows = 30;
  static constexpr std::uint32_t kFeatures = 3;
  std::vector<double> value, label;

  explicit DrawnRows(std::uint64_t seed) {
    for (std::uint64_t i = 0; i < kRows; ++i) {
      Random random(seed, i);
      label.push_back(static_cast<double>(random.below(4)));
      for (std::uint32_t j = 0; j < kFeatures; ++j) value.push_back(static_cast<double>(random.below(7)) - 3);
      // Feature 1 tells the classes of half of the sets apart.
      if (seed % 2 == 0) value[i * kFeatures] = 10 * label.back() * label.back();
      if (seed % 2 == 0) value[i * kFeatures + 1] = 10 * label.back();
    }
  }
  Batch batch() const {
    Batch b;
    b.rows = kRows;
    b.features = kFeatures;
    b.dense = true;
    b.is_float = false;
    b.stride = kFeatures;
    b.value64 = value;
    b.label = label;
    return b;
  }
  static Schema schema() { return {{"0", "one", "two", "z"}, {}}; }
};

std::vector<std::int64_t> up_to(std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return numbers;
}

std::vector<std::string> leaves_of(Source& source, const LabelSigns& labels) {
  std::vector<std::string> leaves;
  for (const WrittenRow& row : source.written(up_to(source.shape().rows))) {
    write_leaf(row, labels, leaves.emplace_back());
  }
  return leaves;
}

DataDigest digest_of(const Source& source) {
  DataDigest data;
  data.rows = source.shape().rows;
  data.features = source.shape().features;
  data.classes = source.schema().classes;
  return data;
}

TEST(Classes, TheFinderAndTheCheckerMakeTheSameRows) {
  const DrawnRows rows(1);
  const auto source = view(rows.batch(), DrawnRows::schema());
  for (const bool origin : {false, true}) {
    for (const bool jointly : {false, true}) {
      const auto made = jointly ? all_classes_jointly(*source, origin) : one_against_the_rest(*source, 2);
      DataDigest data = digest_of(*source);
      if (!jointly) data.positive = "two";
      std::vector<std::string> checked;
      for (const std::string& leaf : leaves_of(*source, LabelSigns(data.classes))) {
        ClassRows(data, origin).for_each(leaf, [&](const std::string& text) { checked.push_back(text); });
      }
      EXPECT_EQ(leaves_of(*made, LabelSigns(made->schema().classes)), checked) << jointly << origin;
    }
  }
}

TEST(Classes, BatchesHoldWhatIsWritten) {
  const DrawnRows rows(3);
  const auto source = view(rows.batch(), DrawnRows::schema());
  const auto made = all_classes_jointly(*source, false);
  const std::vector<WrittenRow> written = made->written(up_to(made->shape().rows));
  std::size_t next = 0;
  made->rewind(0);
  while (const auto batch = made->next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      const WrittenRow& same = written[next++];
      EXPECT_EQ(batch->number_of(i), same.row);
      EXPECT_EQ(batch->label_of(i), 1);
      std::vector<std::pair<std::uint32_t, double>> entries, expected;
      for_each_entry(row, [&](std::uint32_t column, double value) { entries.emplace_back(column, value); });
      for (const WrittenValue& value : same.values) {
        if (value.binary != 0) expected.emplace_back(value.column, value.binary);
      }
      EXPECT_EQ(entries, expected);
    });
  }
  EXPECT_EQ(next, written.size());
}

CertifyOutcome asked(Source& source, bool jointly, Comm& comm) {
  CertifyOptions options;
  options.mistakes = !jointly;
  return jointly ? certify_jointly(source, options, comm) : certify_against_the_rest(source, 1, options, comm);
}

TEST(Classes, CertificatesAreCheckedAgainstTheDataAndTheSameOnAnyNumberOfWorkers) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const bool jointly : {false, true}) {
      const DrawnRows rows(seed);
      const auto source = view(rows.batch(), DrawnRows::schema());
      Certificate alone = asked(*source, jointly, *solo()).certificate;
      EXPECT_EQ(alone.claim == Claim::kSeparable, seed % 2 == 0) << seed;
      seal_certificate(alone, *source);
      const CheckResult result = verify_certificate(alone, source.get());
      EXPECT_TRUE(result.valid) << result.reason;
      const std::string json = certificate_to_json(alone);
      EXPECT_EQ(certificate_to_json(certificate_from_json(json, "it")), json);
      run_threads(3, [&](Comm& comm) {
        const std::int64_t first = DrawnRows::kRows * comm.rank() / 3, end = DrawnRows::kRows * (comm.rank() + 1) / 3;
        const auto shard = view(slice(rows.batch(), first, end - first), DrawnRows::schema());
        Certificate together = asked(*shard, jointly, comm).certificate;
        const CheckResult unsealed = check_unsealed(together, *shard, comm);
        EXPECT_TRUE(unsealed.valid) << unsealed.reason;
        EXPECT_EQ(unsealed.reason, result.reason);
        EXPECT_EQ(unsealed.proven, result.proven);
        seal_certificate(together, *shard, comm);
        EXPECT_EQ(certificate_to_json(together), json) << seed << jointly;
      });
    }
  }
}

TEST(Classes, ARowThatIsOtherThanCertifiedIsNoticedOnAllWorkers) {
  for (const std::uint64_t seed : {0, 1}) {
    const DrawnRows rows(seed);
    const auto source = view(rows.batch(), DrawnRows::schema());
    for (const bool jointly : {false, true}) {
      const Certificate certificate = asked(*source, jointly, *solo()).certificate;
      EXPECT_TRUE(check_unsealed(certificate, *source, *solo()).valid);
      const std::int64_t row = certificate.witness.empty() ? 0 : certificate.witness[0].row / (jointly ? 3 : 1);
      DrawnRows changed = rows;
      changed.value[static_cast<std::size_t>(row * DrawnRows::kFeatures)] = 1000;
      run_threads(2, [&](Comm& comm) {
        const std::int64_t half = DrawnRows::kRows / 2;
        const auto shard = view(slice(changed.batch(), half * comm.rank(), half), DrawnRows::schema());
        EXPECT_FALSE(check_unsealed(certificate, *shard, comm).valid) << seed << jointly;
      });
    }
  }
}

TEST(Classes, AWitnessNamesRowsAndTheClassesTheyAreComparedWith) {
  const DrawnRows rows(5);
  const auto source = view(rows.batch(), DrawnRows::schema());
  const Certificate certificate = certify_jointly(*source, {}, *solo()).certificate;
  ASSERT_FALSE(certificate.witness.empty());
  const std::vector<RivalRow> named = rival_rows(certificate, *source);
  ASSERT_EQ(named.size(), certificate.witness.size());
  double sum = 0;
  for (const RivalRow& row : named) {
    EXPECT_NE(row.row.name.label, row.rival);
    sum += row.row.share;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Classes, MapsAndMistakesAreForOneClassAtATime) {
  const DrawnRows rows(1);
  const auto source = view(rows.batch(), DrawnRows::schema());
  CertifyOptions options;
  options.mistakes = true;
  EXPECT_THROW(certify_jointly(*source, options, *solo()), Error);
  options = {};
  options.map = {FeatureMap::Kind::kProducts, 1};
  EXPECT_THROW(certify_jointly(*source, options, *solo()), Error);
  EXPECT_NO_THROW(certify_against_the_rest(*source, 0, options, *solo()));
}

TEST(Classes, NumbersNameAClassHoweverTheyAreWritten) {
  const std::vector<std::string> classes{"-1", "0.5", "ten"};
  EXPECT_EQ(class_of("-1.0", classes), 0U);
  EXPECT_EQ(class_of("+5e-1", classes), 1U);
  EXPECT_EQ(class_of("ten", classes), 2U);
  EXPECT_THROW(class_of("10", classes), Error);
}

}  // namespace
}  // namespace linsep
