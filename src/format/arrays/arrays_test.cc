#include "format/arrays/arrays.h"

#include <gtest/gtest.h>

#include <cstring>

#include "format/arrays/testing.h"
#include "format/text/test_input.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using test::npy;
using test::rows_of;
using test::TempFile;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const std::vector<float> kValues{1, -2, 0.5, 4, 0, -0.25, 3, 1, 2, 2};
constexpr char kText[] = "1,-2,no\n0.5,4,yes\n0,-0.25,no\n3,1,no\n2,2,yes\n";
const std::vector<std::int8_t> kLabels{0, 1, 0, 0, 1};

/// The same values as 16-bit floats.
std::string halves() {
  return bytes_of(
      std::vector<std::uint16_t>{0x3c00, 0xc000, 0x3800, 0x4400, 0, 0xb400, 0x4200, 0x3c00, 0x4000, 0x4000});
}

ReadOptions labelled_by(const TempFile& labels) {
  ReadOptions options;
  options.label = labels.path();
  return options;
}

TEST(Arrays, AreTheRowsOfTheSameNumbersAsText) {
  const TempFile text(kText, ".csv"), labels(npy("|i1", "(5,)", bytes_of(kLabels)), ".npy");
  const auto expected = rows_of(*load(text.path(), {}));
  const TempFile single(npy("<f4", "(5, 2)", bytes_of(kValues)), ".npy"), half(npy("<f2", "(5, 2)", halves()), ".npy");
  for (const TempFile* file : {&single, &half}) {
    const auto source = load(file->path(), labelled_by(labels));
    EXPECT_EQ(rows_of(*source), expected);
    EXPECT_EQ(source->schema().classes, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(source->shape().rows, 5);
    EXPECT_EQ(source->shape().features, 2U);
    const auto streamed = open_stream(file->path(), labelled_by(labels));
    EXPECT_EQ(rows_of(*streamed), expected);
  }
}

TEST(Arrays, WorkersShareTheRowsOfAllFiles) {
  const TempFile labels(npy("|i1", "(5,)", bytes_of(kLabels)), ".npy");
  const std::string bytes = halves();
  const TempFile first(npy("<f2", "(2, 2)", bytes.substr(0, 8)), ".npy"),
      second(npy("<f2", "(3, 2)", bytes.substr(8)), ".npy");
  const std::vector<std::string> paths{first.path(), second.path()};
  const ReadOptions options = labelled_by(labels);
  const auto whole = load(paths, options, *solo());
  const auto expected = rows_of(*whole);
  for (const int workers : {2, 3, 7}) {
    std::vector<test::PlainRows> shard(static_cast<std::size_t>(workers));
    run_threads(workers, [&](Comm& comm) {
      const auto source = load(paths, options, comm);
      test::PlainRows& rows = shard[static_cast<std::size_t>(comm.rank())];
      while (const auto batch = source->next()) test::append_rows(*batch, {}, rows);
    });
    test::PlainRows all;
    for (const test::PlainRows& rows : shard) all.insert(all.end(), rows.begin(), rows.end());
    EXPECT_EQ(all, expected) << workers;
  }
}

TEST(Arrays, AMatrixOfLabelsIsAColumnOfLabelsEach) {
  const TempFile rows(npy("<f2", "(5, 2)", halves()), ".npy");
  const std::vector<std::int8_t> signs{-1, 1, 1, 0, 0, -1, 1, 1, -1, 0};
  const TempFile labels(npy("|i1", "(5, 2)", bytes_of(signs)), ".npy");
  const auto source = load(rows.path(), labelled_by(labels));
  EXPECT_EQ(source->schema().labels, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(source->schema().classes, (std::vector<std::string>{"-1", "1", "-1", "1"}));
  EXPECT_EQ(source->schema().combinations, (std::vector<std::string>{"01", "1-", "-0", "11", "0-"}));
  const std::vector<std::int8_t> indicators{0, 1, 1, 0, 0, 0, 1, 1, 0, 1};
  const TempFile zeros(npy("|b1", "(5, 2)", bytes_of(indicators)), ".npy");
  const auto both = load(rows.path(), labelled_by(zeros));
  EXPECT_EQ(both->schema().classes, (std::vector<std::string>{"0", "1", "0", "1"}));
  EXPECT_EQ(both->schema().combinations, (std::vector<std::string>{"01", "10", "00", "11"}));
}

TEST(Arrays, WorkersNumberCombinationsAlike) {
  const TempFile rows(npy("<f2", "(5, 2)", halves()), ".npy");
  const std::vector<std::int8_t> signs{-1, 1, 1, 0, 0, -1, 1, 1, 1, 0};
  const TempFile labels(npy("|i1", "(5, 2)", bytes_of(signs)), ".npy");
  const std::vector<std::string> paths{rows.path()};
  const ReadOptions options = labelled_by(labels);
  const auto whole = load(rows.path(), options);
  std::vector<std::vector<double>> found(3);
  run_threads(3, [&](Comm& comm) {
    const auto source = load(paths, options, comm);
    EXPECT_EQ(source->schema(), whole->schema());
    while (const auto batch = source->next()) {
      for (const double label : batch->label) found[static_cast<std::size_t>(comm.rank())].push_back(label);
    }
  });
  std::vector<double> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  EXPECT_EQ(all, (std::vector<double>{0, 1, 2, 3, 1}));
}

TEST(Arrays, WhatAModelEvaluatesIsReadByItsClasses) {
  const TempFile rows(npy("<f2", "(5, 2)", halves()), ".npy");
  const std::vector<std::int8_t> positive{0, 1, 1, 0, 0, 0, 1, 1, 1, 0};
  const TempFile labels(npy("|i1", "(5, 2)", bytes_of(positive)), ".npy");
  ReadOptions options = labelled_by(labels);
  options.labels = {"noun", "verb"};
  options.classes = {"-1", "1", "-1", "1"};
  const auto source = load(rows.path(), options);
  EXPECT_EQ(source->schema().labels, options.labels);
  EXPECT_EQ(source->schema().combinations, (std::vector<std::string>{"-1", "1-", "--", "11"}));
  options.classes = {"no", "yes", "-1", "1"};
  EXPECT_THROW(load(rows.path(), options), Error);
}

TEST(Arrays, RowsWithoutLabelsCanBeScored) {
  const TempFile half(npy("<f2", "(5, 2)", halves()), ".npy");
  ReadOptions options;
  options.labelled = false;
  EXPECT_EQ(load(half.path(), options)->shape().rows, 5);
}

}  // namespace
}  // namespace linsep
