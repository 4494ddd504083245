// A table gives the same map and the same rows, bit for bit, however it is read.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <memory>

#include "core/random.h"
#include "format/csv/csv.h"
#include "format/csv/table.h"
#include "format/load.h"
#include "format/text/test_input.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using test::PlainRows;
using test::rows_of;
using test::TempFile;

constexpr const char* kColours[] = {"red", "green", "\"blue, or so\"", "\"a \"\"colour\"\"\"", "", "grau\xc3\xb6"};
constexpr const char* kWords[] = {"free", "prize", "see you",      "at",         "noon",
                                  "\n",   "it's",  "na\xc3\xafve", "\"\"ok\"\"", "2"};

/// A table with every kind of column, missing values, quotes and newlines within quotes.
std::string drawn_table(std::uint64_t seed, int rows) {
  Random random(seed);
  std::string text = "id,size,colour,when,body,share,label\n";
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(1000 + i) + "x,";
    text += random.below(9) == 0 ? std::string(random.below(2) == 0 ? "" : "NA")
                                 : std::to_string(static_cast<double>(random.below(100000)) / 64);
    text += std::string(",") + kColours[random.below(6)] + ",2026-" + (random.below(2) == 0 ? "0" : "1") +
            std::to_string(1 + random.below(2)) + "-1" + std::to_string(random.below(10)) + ",\"";
    for (std::uint64_t w = random.below(9); w > 0; --w) text += std::string(kWords[random.below(10)]) + " ";
    text += "\"," + std::to_string(random.below(5)) + (random.below(2) == 0 ? ",ham\r\n" : ",spam\n");
  }
  return text;
}

TableSpec drawn_spec(std::uint64_t seed) {
  TableSpec spec;
  spec.scale = seed % 2 == 0 ? Scale::kDeviation : Scale::kNone;
  if (seed % 3 == 1) spec.bits = 10;
  if (seed % 3 == 2) spec.cross = {"colour*size"};
  spec.text = {"body"};
  return spec;
}

TableMap fitted(const std::string& path, const TableSpec& spec, int threads, std::size_t chunk) {
  ReadOptions options;
  options.threads = threads;
  Stations stations;
  stations.chunk_bytes = chunk;
  return fit_table_with(std::span(&path, 1), options, spec, stations, *solo()).map;
}

ReadOptions encoded(const TableMap& map, int threads = 1) {
  ReadOptions options;
  options.table = std::make_shared<const TableMap>(map);
  options.threads = threads;
  options.classes = {"ham", "spam"};
  return options;
}

TEST(TablesRead, InAnyThreadsAndChunksHaveTheSameBits) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::string text = drawn_table(seed, 300);
    const TempFile file(text, ".csv");
    const TableSpec spec = drawn_spec(seed);
    const TableMap map = fitted(file.path(), spec, 1, kChunkBytes);
    EXPECT_EQ(problem_of(map), "");
    EXPECT_TRUE(fitted(file.path(), spec, 3, 1000) == map) << seed;
    EXPECT_TRUE(fitted(file.path(), spec, 2, 100) == map) << seed;
    const auto source = load(file.path(), encoded(map));
    const PlainRows rows = rows_of(*source);
    EXPECT_EQ(rows.size(), 300U);
    Stations stations;
    stations.chunk_bytes = 500;
    EXPECT_TRUE(rows_of(*load_with(file.path(), encoded(map, 3), stations)) == rows) << seed;
    const TempFile packed(test::gzipped(text), ".csv.gz");
    EXPECT_TRUE(fitted(packed.path(), spec, 2, 1000) == map) << seed;
    EXPECT_TRUE(rows_of(*load(packed.path(), encoded(map, 2))) == rows) << seed;
    EXPECT_TRUE(rows_of(*open_stream(file.path(), encoded(map, 2))) == rows) << seed;
  }
}

TEST(TablesRead, ByWayOfPagesHaveTheSameBits) {
  const TempFile file(drawn_table(7, 200), ".csv");
  const TableMap map = fitted(file.path(), drawn_spec(7), 1, kChunkBytes);
  const auto source = load(file.path(), encoded(map));
  const PlainRows rows = rows_of(*source);
  const std::string pages = file.path() + ".pages.lsp";
  const Conversion made = convert(file.path(), pages, encoded(map));
  EXPECT_EQ(made.shape.features, source->shape().features);
  auto paged = load(pages, {});
  ASSERT_TRUE(paged->schema().table);
  EXPECT_TRUE(*paged->schema().table == map);
  EXPECT_TRUE(rows_of(*paged) == rows);
  const std::int64_t asked[] = {3, 150};
  const auto written = source->written(asked), again = paged->written(asked);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(written[i].values.size(), again[i].values.size());
    EXPECT_EQ(written[i].label, again[i].label);
    for (std::size_t k = 0; k < written[i].values.size(); ++k) {
      EXPECT_EQ(written[i].values[k].decimal, again[i].values[k].decimal);
      EXPECT_EQ(written[i].values[k].binary, again[i].values[k].binary);
    }
  }
  ReadOptions few = encoded(map);
  few.memory = std::uint64_t{1} << 16;
  EXPECT_TRUE(rows_of(*load(file.path(), few)) == rows);
  ReadOptions cached = encoded(map);
  cached.cache = true;
  EXPECT_TRUE(rows_of(*load(file.path(), cached)) == rows);
  EXPECT_TRUE(rows_of(*load(file.path(), cached)) == rows) << "from the cache";
  TableMap other = map;
  other.encoders.pop_back();
  cached.table = std::make_shared<const TableMap>(other);
  EXPECT_FALSE(rows_of(*load(file.path(), cached)) == rows) << "another map makes other pages";
  EXPECT_THROW(load(pages, encoded(other)), Error);
  paged.reset();  // Windows removes no file that is mapped
  std::filesystem::remove(pages);
  std::filesystem::remove(file.path() + ".lsp");
}

TEST(TablesRead, ByAnyNumberOfWorkersHaveTheSameBits) {
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    const TempFile one(drawn_table(seed, 150), ".csv"), two(drawn_table(seed + 100, 90), ".csv");
    const std::vector<std::string> paths = {one.path(), two.path()};
    const TableSpec spec = drawn_spec(seed);
    const FittedTable alone = fit_table(paths, {}, spec, *solo());
    const PlainRows rows = rows_of(*load(paths, encoded(alone.map), *solo()));
    std::vector<PlainRows> shards(4);
    run_threads(4, [&](Comm& comm) {
      const FittedTable together = fit_table(paths, {}, spec, comm);
      EXPECT_TRUE(together.map == alone.map) << seed;
      EXPECT_EQ(account_text(together.account), account_text(alone.account));
      const auto shard = load(paths, encoded(alone.map), comm);
      PlainRows& own = shards[static_cast<std::size_t>(comm.rank())];
      shard->rewind(0);
      while (const auto batch = shard->next()) test::append_rows(*batch, {}, own);
    });
    PlainRows all;
    for (const PlainRows& shard : shards) all.insert(all.end(), shard.begin(), shard.end());
    EXPECT_TRUE(all == rows) << seed;
  }
}

TEST(TablesRead, FromStandardInputAreKeptForASecondReading) {
  const std::string text = drawn_table(3, 60);
  const TempFile file(text, ".csv");
  const TableSpec spec = drawn_spec(3);
  const TableMap map = fitted(file.path(), spec, 1, kChunkBytes);
  const PlainRows rows = rows_of(*load(file.path(), encoded(map)));
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{4096}}) {
    const test::StandardInput input(memory == 0 ? text : test::gzipped(text));
    ReadOptions options;
    options.format = ReadOptions::Format::kCsv;
    options.memory = memory;
    const std::string path = "-";
    const FittedTable got = fit_table(std::span(&path, 1), options, spec, *solo());
    EXPECT_TRUE(got.map == map);
    EXPECT_EQ(got.account.file, "standard input");
    ReadOptions reading = encoded(map);
    reading.format = options.format;
    EXPECT_TRUE(rows_of(*load("-", reading)) == rows);
  }
}

/// A chunk of whole rows with the readable surroundings that a parser may rely on.
class Padded {
 public:
  explicit Padded(const std::string& text)
      : size_(text.size()), bytes_(std::string(64, '9') + text + "\n" + std::string(64, '9')) {}
  Chunk chunk() const { return {std::string_view(bytes_).substr(64, size_), 0}; }

 private:
  std::size_t size_;
  std::string bytes_;
};

std::string shown(const TableBatch& batch) {
  std::string text;
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    const auto i = static_cast<std::size_t>(row);
    for (const TableColumn& column : batch.columns) {
      if (!column.missing.empty() && column.missing[i] != 0) {
        text += "-";
      } else if (!column.number.empty()) {
        text += std::to_string(std::bit_cast<std::uint64_t>(column.number[i]));
      } else if (!column.text.empty()) {
        text += column.text[i];
      }
      text += '|';
    }
    text += '\n';
  }
  return text;
}

TEST(TablesRead, SplitFastAndStrictlyAlike) {
  csv::Layout layout;
  auto table = std::make_shared<csv::TableColumns>();
  table->asked = {
      {"a", ColumnKind::kNumber, "", 0}, {"b", ColumnKind::kCategory, "", 0}, {"c", ColumnKind::kNumber, "", 0}};
  layout.table = table;
  layout.labelled = false;
  layout.columns.role = {csv::Role::kFeature, csv::Role::kFeature, csv::Role::kFeature};
  layout.columns.feature = {0, 1, 2};
  layout.columns.features = 3;
  csv::TableSplitter fast(layout), strict(layout);
  constexpr const char* kFields[] = {
      "1",         "-2.5", " 3 ", "\"4\"", "",   "NA", "1e3",   "123456789012",      "x",
      "\"a,\nb\"", "007",  "-",   "+1",    ".5", "5.", "1.2.3", "99999999.99999999", "\"q\"\"q\""};
  Random random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (std::uint64_t rows = 1 + random.below(3); rows > 0; --rows) {
      for (int c = 0; c < 3; ++c)
        text += std::string(kFields[random.below(18)]) + (c < 2 ? "," : random.below(4) == 0 ? "\r\n" : "\n");
    }
    const Padded padded(text);
    const auto outcome = [&](auto&& split) {
      try {
        return shown(split());
      } catch (const TextError& error) {
        return std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.message;
      }
    };
    EXPECT_EQ(outcome([&]() -> const TableBatch& { return fast.split(padded.chunk()); }),
              outcome([&]() -> const TableBatch& { return strict.split_strictly(padded.chunk()); }))
        << text;
  }
}

}  // namespace
}  // namespace linsep
