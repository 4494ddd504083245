#include "linsep/tools/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/exact_sum.h"
#include "core/random.h"
#include "linsep/error.h"
#include "model/examples_test.h"
#include "train/explain/probe.h"

namespace linsep {
namespace {

/// A file of a test, gone afterwards.
class TextFile {
 public:
  TextFile(const std::string& name, const std::string& text)
      : path_((std::filesystem::path(::testing::TempDir()) / ("linsep_explain_" + name)).string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

ReadOptions unlabelled() {
  ReadOptions options;
  options.labelled = false;
  return options;
}

std::vector<Explanation> explained(const Model& model, const TextFile& file, std::vector<std::int64_t> rows,
                                   std::optional<std::size_t> part = {}) {
  const auto source = open_stream(file.path(), explain_options_for(model, std::vector{file.path()}, unlabelled()));
  std::vector<Explanation> all;
  explain(*source, model, rows, part, [&](const Explanation& one) { all.push_back(one); });
  return all;
}

/// The scores that `predict` gives.
std::vector<double> predicted(const Model& model, const TextFile& file) {
  const auto source = open_stream(file.path(), read_options_for(model, unlabelled()));
  std::vector<double> all;
  predict(*source, model, {},
          [&](const Batch&, std::span<const double> z) { all.insert(all.end(), z.begin(), z.end()); });
  return all;
}

const ColumnParts* column(const Explanation& explanation, const std::string& name) {
  for (const ColumnParts& column : explanation.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

/// Parts and intercept sum to the score, as far as the rounding of each allows.
void expect_sum(const Explanation& e, double score) {
  ExactSum sum;
  double size = std::fabs(e.offset);
  sum.add(e.offset);
  for (const ColumnParts& column : e.columns) {
    for (const ScorePart& part : column.parts) {
      sum.add(part.part);
      size += std::fabs(part.part) + std::fabs(part.weight * part.base);
    }
  }
  EXPECT_NEAR(sum.value(), score, 4 * 0x1p-52 * size);
}

Model mail_model() {
  TableMap map;
  Encoder sender = category_example();
  sender.column = "sender";
  Encoder date = date_example();
  as<DateEncoder>(date).parts = {DateEncoder::Part::kDays, DateEncoder::Part::kWeekday};
  Encoder cross = cross_example(CrossEncoder::Of::kNumberCategory);
  as<CrossEncoder>(cross).second = "sender";
  map.encoders = {number_example(), sender, text_example(), characters_example(), date, cross};
  map.rows = 10;
  return of_table(map);
}

constexpr const char* kMail =
    "age,sender,body,when\n"
    "31.25,bob,Free prize! free FREE,2026-11-15\n"
    ",eve,nothing to see,2026-11-16\n"
    "41.5,,free,\n"
    "0,Zoë,état prize,2022-01-08\n";

TEST(Explain, PartsAndOffsetSumToTheScoreThatPredictGives) {
  const TextFile file("mail.csv", kMail);
  const Model model = mail_model();
  const std::vector<double> z = predicted(model, file);
  const auto all = explained(model, file, {0, 1, 2, 3});
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].row, static_cast<std::int64_t>(i));
    EXPECT_NEAR(all[i].scores[0], z[i], 4 * 0x1p-52 * (10 + std::fabs(z[i])));
    expect_sum(all[i], z[i]);
  }
}

TEST(Explain, NumbersCountFromTheirMeanAndAreToldAsWritten) {
  const TextFile file("mail.csv", kMail);
  const Model model = mail_model();
  const auto all = explained(model, file, {0, 2, 3});
  const ScorePart age = column(all[0], "age")->parts.at(0);
  EXPECT_EQ(age.feature, 0U);
  EXPECT_EQ(age.written, 31.25);
  EXPECT_NEAR(age.part, model.theta[0] * (31.25 - 41.5) * 0.125, 1e-6);
  EXPECT_EQ(column(all[1], "age")->total, 0) << "the mean itself has no part";
  EXPECT_EQ(column(all[2], "age")->parts.at(0).written, 0) << "0 is a number like others";
}

TEST(Explain, TermsAreToldWithTheirCounts) {
  const TextFile file("mail.csv", kMail);
  const Model model = mail_model();
  const ColumnParts body = *column(explained(model, file, {0})[0], "body");
  std::map<std::string, double> counts;
  for (const ScorePart& part : body.parts) counts[feature_name(model, part.feature)] = part.written.value();
  EXPECT_EQ(counts, (std::map<std::string, double>{
                        {"body:free", 3}, {"body:free prize", 1}, {"body:'fre'", 3}, {"body:' fr'", 3}}));
  for (std::size_t i = 1; i < body.parts.size(); ++i) {
    EXPECT_GE(std::fabs(body.parts[i - 1].part), std::fabs(body.parts[i].part)) << "the largest first";
  }
}

TEST(Explain, HolesAndUnseenValuesAreTold) {
  using Field = ColumnParts::Field;
  const TextFile file("mail.csv", kMail);
  const auto all = explained(mail_model(), file, {0, 1, 2});
  for (const char* name : {"age", "sender", "body", "when"}) EXPECT_EQ(column(all[0], name)->field, Field::kKnown);
  EXPECT_EQ(column(all[1], "age")->field, Field::kHole);
  EXPECT_EQ(column(all[1], "sender")->field, Field::kUnseen) << "eve";
  EXPECT_EQ(column(all[1], "body")->field, Field::kUnseen) << "nothing to see";
  EXPECT_EQ(column(all[2], "sender")->field, Field::kHole);
  EXPECT_EQ(column(all[2], "when")->field, Field::kHole);
}

TEST(Explain, OfAHashedTextHasUnsignedCounts) {
  const TextFile file("hashed.csv", "subject,more\nwin win now,1\n");
  Encoder hashed = hashed_example();
  hashed.terms()->every_bucket = true;
  hashed.terms()->buckets.clear();
  as<TextEncoder>(hashed).idf.clear();
  const Model model = of_table(table_of(hashed));
  const Explanation e = explained(model, file, {0})[0];
  expect_sum(e, predicted(model, file)[0]);
  double counts = 0;
  for (const ScorePart& part : column(e, "subject")->parts) counts += part.written.value();
  EXPECT_EQ(counts, 3 + 2) << "three words and two pairs";
}

TEST(Explain, ModelsWithoutATableHaveAPartForEachFeature) {
  const TextFile file("rows.svm", "0 1:2 3:7\n0 2:1\n");
  Model model = linear_example();
  model.schema.feature_names.clear();
  const auto all = explained(model, file, {0, 1});
  ASSERT_EQ(all[0].columns.size(), 1U) << "columns beyond the model's features weigh nothing";
  EXPECT_EQ(all[0].columns[0].name, "x1");
  EXPECT_EQ(all[0].columns[0].total, 6);
  EXPECT_EQ(all[0].offset, -4);
  EXPECT_EQ(all[0].scores[0], 2);
  model.map = {FeatureMap::Kind::kPolynomial, 2};
  model.theta = {1, 2, 3, 4, 5};
  const Explanation mapped = explained(model, file, {0})[0];
  EXPECT_EQ(mapped.columns[0].name, "x1^2");
  EXPECT_EQ(mapped.columns[0].total, 12);
  expect_sum(mapped, mapped.scores[0]);
}

TEST(Explain, OfSeveralClassesIsThatOfTheGreatestScoreOrTheOneAskedFor) {
  const TextFile file("rows.svm", "0 1:2\n");
  const Model model = classes_example();
  EXPECT_EQ(explained(model, file, {0})[0].part, 0U);
  const Explanation blue = explained(model, file, {0}, 2)[0];
  EXPECT_EQ(blue.columns[0].total, -2);
  EXPECT_EQ(blue.offset, -0.25);
}

TEST(Explain, DrawnRowsSumToTheirScores) {
  const Model model = mail_model();
  const std::vector<std::string> words{"free", "prize", "état", "fresh", "é", ","};
  Random random(7);
  std::string text = "body,age,when,sender\n";
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < 200; ++i) {
    for (std::uint64_t w = random.below(8); w > 0; --w) text += words[random.below(5)] + " ";
    text += "," + (random.below(4) == 0 ? "" : std::to_string(static_cast<double>(random.below(100000)) / 977));
    text += ",20" + std::to_string(10 + random.below(20)) + "-0" + std::to_string(1 + random.below(9)) + "-11,";
    text += (random.below(2) == 0 ? "bob" : "Zoë") + std::string("\n");
    rows.push_back(i);
  }
  const TextFile file("drawn.csv", text);
  const std::vector<double> z = predicted(model, file);
  const auto all = explained(model, file, rows);
  for (std::size_t i = 0; i < all.size(); ++i) expect_sum(all[i], z[i]);
}

TEST(Explain, IsRefusedForModelsWithoutWeightsAndRowsThatArentThere) {
  const TextFile file("rows.svm", "0 1:2\n");
  EXPECT_THROW(explained(dual_example(), file, {0}), Error);
  try {
    explained(linear_example(), file, {0, 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    EXPECT_EQ(error.reason(), "there is no row 6: the data have 1 rows");
  }
}

TEST(Probes, MakeASoundMap) { EXPECT_EQ(problem_of(with_probes(table_example())), ""); }

TEST(TermsOfBuckets, AreCountedInTheData) {
  const TextFile file("subject.csv", "subject,label\nwin now win,1\ncash,0\nwin,0\ncash now,1\n");
  Encoder hashed = hashed_example();
  as<TextEncoder>(hashed).words = {1, 1};
  hashed.terms()->every_bucket = true;
  hashed.terms()->buckets.clear();
  as<TextEncoder>(hashed).idf.clear();
  const Model model = of_table(table_of(hashed));
  std::vector<std::uint32_t> all(1024);
  for (std::uint32_t j = 0; j < 1024; ++j) all[j] = j;
  const auto terms = terms_of_buckets(model, all, std::vector{file.path()}, unlabelled(), *solo());
  std::map<std::string, std::int64_t> counts;
  for (std::size_t j = 0; j < all.size(); ++j) {
    for (const BucketTerm& term : terms[j]) counts[term.name] = term.count;
  }
  EXPECT_EQ(counts, (std::map<std::string, std::int64_t>{{"win", 3}, {"now", 2}, {"cash", 2}}));
}

}  // namespace
}  // namespace linsep
