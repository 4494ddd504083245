// Several files as one, and one data set shared among workers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>

#include "core/random.h"
#include "data/memory_source.h"
#include "format/load.h"
#include "format/shards/pieces.h"
#include "format/shards/share_files.h"
#include "format/text/drawn_text.h"
#include "format/text/test_input.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using test::append_rows;
using test::gzipped;
using test::PlainRows;
using test::TempFile;

using Paths = std::vector<std::string>;

/// Everything that can be observed of a data set.
struct Seen {
  PlainRows rows;
  Schema schema;
  std::uint32_t features = 0;
  std::vector<std::string> written;  ///< each row's label and values
  std::string error;
  bool operator==(const Seen&) const = default;
};
void PrintTo(const Seen& seen, std::ostream* out) {
  *out << seen.rows.size() << " rows, " << seen.features << " features; error: " << seen.error;
}

std::string text_of(const WrittenRow& row) {
  std::string text = std::to_string(row.row) + " " + row.label + " " + row.id;
  for (const WrittenValue& value : row.values) text += " " + std::to_string(value.column) + ":" + value.decimal;
  return text;
}

void see(Source& source, Seen& seen) {
  source.rewind(0);
  std::vector<std::int64_t> numbers;
  while (const auto batch = source.next()) {
    EXPECT_EQ(batch->first_row, static_cast<std::int64_t>(seen.rows.size()));
    for (std::int64_t i = 0; i < batch->rows; ++i) numbers.push_back(batch->number_of(i));
    append_rows(*batch, {}, seen.rows);
  }
  EXPECT_EQ(source.shape().rows, static_cast<std::int64_t>(numbers.size()));
  for (const WrittenRow& row : source.written(numbers)) seen.written.push_back(text_of(row));
  seen.schema = source.schema();
  seen.features = source.shape().features;
}

/// Everything that `workers` workers read, joined in rank order. Checks that what must be the same for all is.
Seen read_by(int workers, const Paths& paths, const ReadOptions& options = {}, std::size_t chunk_bytes = kChunkBytes) {
  Stations stations;
  stations.chunk_bytes = chunk_bytes;
  ReadOptions one_thread = options;
  one_thread.threads = 1;
  std::vector<std::unique_ptr<Source>> shards(static_cast<std::size_t>(workers));
  std::vector<std::string> errors(static_cast<std::size_t>(workers), "none");
  run_threads(workers, [&](Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    try {
      shards[rank] = load_with(paths, one_thread, stations, comm);
    } catch (const Error& error) {
      errors[rank] = error.what();
    }
  });
  Seen all;
  all.error = errors[0];
  for (const std::string& error : errors) EXPECT_EQ(error, errors[0]);
  if (errors[0] != "none") return all;
  for (const auto& shard : shards) {
    see(*shard, all);
    EXPECT_EQ(shard->schema(), shards[0]->schema());
    EXPECT_EQ(shard->shape().features, shards[0]->shape().features);
  }
  return all;
}

void expect_same_for_any_number_of_workers(const Paths& paths, const ReadOptions& options = {},
                                           std::size_t chunk_bytes = kChunkBytes) {
  const Seen alone = read_by(1, paths, options, chunk_bytes);
  for (const int workers : {2, 3, 4, 8}) EXPECT_EQ(read_by(workers, paths, options, chunk_bytes), alone) << workers;
}

std::string drawn_svmlight(std::uint64_t seed, int rows) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += random.below(2) == 0 ? "1" : "-1";
    std::uint64_t index = 0;
    for (std::uint64_t k = random.below(12); k > 0; --k) {
      index += 1 + random.below(9);
      text += test::joined(" ", std::to_string(index), ":", test::drawn_value(random, test::Oddity::kPlain));
    }
    text += random.below(5) == 0 ? " # c\r\n\n" : "\n";
  }
  if (random.below(2) == 0) text.pop_back();
  return text;
}

/// Fields that may be quoted and then hold commas, quotes and newlines.
std::string drawn_csv(std::uint64_t seed, int rows, bool quotes) {
  Random random(seed);
  std::string text = quotes ? "id,\"a,\nb\",c,type\n" : "id,a,c,type\n";
  for (int i = 0; i < rows; ++i) {
    const bool quoted = quotes && random.below(3) == 0;
    text += quoted ? "\"r\n,\"\"" + std::to_string(i) + "\"" : "r" + std::to_string(i);
    text += "," + std::to_string(random.below(100)) + ", " + std::to_string(random.below(9)) + ".5,";
    text += random.below(2) == 0 ? "ham" : "spam";
    text += random.below(6) == 0 ? "\n\n" : "\n";
  }
  return text;
}

ReadOptions with_id() {
  ReadOptions options;
  options.id = "id";
  return options;
}

TEST(Shards, TogetherAreWhatOneWorkerReads) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const TempFile svm(drawn_svmlight(seed, 60));
    const Seen alone = read_by(1, {svm.path()});
    ASSERT_EQ(alone.rows.size(), 60U);
    expect_same_for_any_number_of_workers({svm.path()});
    expect_same_for_any_number_of_workers({svm.path()}, {}, 50);
    const TempFile csv(drawn_csv(seed, 60, false), ".csv");
    expect_same_for_any_number_of_workers({csv.path()}, with_id());
  }
}

TEST(Shards, ANewlineWithinQuotesEndsNoRow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const TempFile csv(drawn_csv(seed, 30, true), ".csv");
    const Seen alone = read_by(1, {csv.path()}, with_id());
    ASSERT_EQ(alone.rows.size(), 30U) << alone.error;
    expect_same_for_any_number_of_workers({csv.path()}, with_id());
  }
}

TEST(Shards, AQuotedFileIsCutWhereNoCutFallsIntoQuotes) {
  std::string text = "name,x,y\n";
  for (int i = 0; i < 40; ++i) text += "\"a, b\"," + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  const TempFile csv(text, ".csv");
  ReadOptions options;
  options.id = "name";
  std::vector<std::int64_t> rows(4);
  run_threads(4, [&](Comm& comm) {
    const Paths paths{csv.path()};
    rows[static_cast<std::size_t>(comm.rank())] = load(paths, options, comm)->shape().rows;
  });
  for (const std::int64_t count : rows) EXPECT_NEAR(static_cast<double>(count), 10, 1);
}

TEST(Shards, MayBeCutAtEveryByte) {
  const TempFile svm("\xef\xbb\xbf# c\n1 1:1 3:2\n\n-1 2:1\r\n1 7:1 # d\n-1 1:5");
  const TempFile csv("id,a,c,type\nr,1,2,ham\n\ns,3,4,spam\nt,5,6,ham\n", ".csv");
  for (const TempFile* file : {&svm, &csv}) {
    const ReadOptions options = file == &csv ? with_id() : ReadOptions{};
    const auto rows_of = [&](std::vector<Piece> pieces) {
      PieceReader reader(std::move(pieces), options, {});
      PlainRows rows;
      while (const auto read = reader.next()) {
        EXPECT_EQ(read->parsed.page.batch.first_row, static_cast<std::int64_t>(rows.size()));
        append_rows(read->parsed.page.batch, read->parsed.label_words, rows);
      }
      return rows;
    };
    const PlainRows all = rows_of({{file->path(), {}}});
    ASSERT_GE(all.size(), 3U);
    const auto bytes = std::filesystem::file_size(file->path());
    for (std::uint64_t a = 0; a <= bytes; ++a) {
      for (std::uint64_t b = a; b <= bytes; ++b) {
        const auto cut = rows_of({{file->path(), {0, a}}, {file->path(), {a, b}}, {file->path(), {b, bytes}}});
        ASSERT_EQ(cut, all) << a << " " << b;
      }
    }
  }
}

TEST(Shards, FilesFollowOneAnother) {
  const TempFile a("1 1:1\n-1 2:1\n"), b(""), c("# nothing\n"), d("1 9:1\n-1 3:4");
  const Paths paths{a.path(), b.path(), c.path(), d.path()};
  const TempFile one("1 1:1\n-1 2:1\n1 9:1\n-1 3:4\n");
  EXPECT_EQ(read_by(1, paths), read_by(1, {one.path()}));
  expect_same_for_any_number_of_workers(paths);
}

TEST(Shards, CompressedFilesAreReadWholeByOneWorkerEach) {
  const std::string first = drawn_svmlight(3, 20), second = drawn_svmlight(4, 1), third = drawn_svmlight(5, 7);
  const TempFile a(gzipped(first), ".svm.gz"), b(gzipped(second + "\n"), ".svm.gz"), c(gzipped(third), ".svm.gz");
  const Paths paths{a.path(), b.path(), c.path()};
  const Seen alone = read_by(1, paths);
  ASSERT_EQ(alone.rows.size(), 28U);
  EXPECT_EQ(read_by(2, paths), alone);
  EXPECT_EQ(read_by(3, paths), alone);
  EXPECT_EQ(read_by(4, paths).error, a.path() +
                                         ": only one worker can read a compressed file, but there are 4 workers for 3 "
                                         "files: start as many workers as files, decompress them, or split them into "
                                         "more files");
  // A plain file can be cut.
  const TempFile plain(drawn_svmlight(6, 30));
  expect_same_for_any_number_of_workers({a.path(), plain.path(), b.path()});
}

TEST(Shards, ClassesAreFoundInAllOfThem) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "pear 1:1\n";
  for (int i = 0; i < 10; ++i) text += "apple 1:2\n";
  text += "pear 2:1\n";
  const TempFile words(text);
  const Seen alone = read_by(1, {words.path()});
  EXPECT_EQ(alone.schema.classes, (std::vector<std::string>{"apple", "pear"}));
  expect_same_for_any_number_of_workers({words.path()});
  const TempFile numbers("5 1:1\n5 1:2\n3 1:1\n5 1:1\n3 2:1\n");
  expect_same_for_any_number_of_workers({numbers.path()});
  const TempFile is_float("1 1:1\n1 1:2\n1 1:1\n");
  EXPECT_EQ(read_by(3, {is_float.path()}).schema.classes, (std::vector<std::string>{"-1", "1"}));
  const TempFile same("x 1:1\nx 1:2\nx 1:1\n");
  expect_same_for_any_number_of_workers({same.path()});  // it is refused in the same way

  ReadOptions many;
  many.many_classes = true;
  Random random(9);
  std::string several;
  for (int i = 0; i < 90; ++i) several += std::to_string(random.below(7)) + " " + std::to_string(1 + i % 5) + ":1\n";
  const TempFile classes(several);
  expect_same_for_any_number_of_workers({classes.path()}, many);
  std::string targets;
  for (int i = 0; i < 50; ++i) targets += std::to_string(i) + ".5 1:1\n";
  const TempFile regression(targets);
  expect_same_for_any_number_of_workers({regression.path()}, many);  // refused because it is a regression
  ReadOptions numbers_wanted;
  numbers_wanted.regression = true;
  expect_same_for_any_number_of_workers({regression.path()}, numbers_wanted);
}

TEST(Shards, AThirdClassIsRefusedWhereItStandsFirst) {
  for (int place = 2; place < 30; ++place) {
    std::string text;
    for (int i = 0; i < 30; ++i) text += std::string(i >= place ? "c" : i % 2 == 0 ? "b" : "a") + " 1:1\n";
    const TempFile file(text);
    const std::string expected = test::joined(file.path(), ":", std::to_string(place + 1),
                                              ": expected two classes, found a third: 'c' after 'b' and 'a'");
    for (const int workers : {1, 2, 3, 4, 8}) EXPECT_EQ(read_by(workers, {file.path()}).error, expected) << workers;
  }
  // Three classes that no worker sees together.
  const TempFile apart("z 1:1\nz 1:1\ny 1:1\ny 1:1\nx 1:1\nx 1:1\n");
  EXPECT_EQ(read_by(3, {apart.path()}).error,
            apart.path() + ":5: expected two classes, found a third: 'x' after 'z' and 'y'");
}

TEST(Shards, LabelColumnsAndSetsAreThoseOfAll) {
  Random random(4);
  std::string csv = "x,u,v,w\n", sets;
  for (int i = 0; i < 60; ++i) {
    csv += std::to_string(i) + (i < 20 ? ",b," : i % 2 == 0 ? ",a," : ",b,");
    csv += (random.below(2) == 0 ? "1," : "0,") + std::string(i < 40 ? "no" : "yes") + "\n";
    std::string set = std::to_string(10 - random.below(i < 30 ? 2 : 9));
    for (std::uint64_t more = random.below(3); more > 0; --more) set += "," + std::to_string(random.below(9));
    sets += set + " 1:" + std::to_string(i + 1) + "\n";
  }
  const TempFile columns(csv, ".csv");
  ReadOptions several;
  several.labels = {"u", "v", "w"};
  const Seen alone = read_by(1, {columns.path()}, several);
  ASSERT_EQ(alone.error, "none");
  EXPECT_GT(alone.schema.combinations.size(), 3U);
  expect_same_for_any_number_of_workers({columns.path()}, several);
  const TempFile third(csv + "1,c,1,no\n1,c,1,yes\n", ".csv");
  EXPECT_EQ(read_by(4, {third.path()}, several).error,
            third.path() + ":62: label column 'u': expected two classes, found a third: 'c' after 'b' and 'a'");
  expect_same_for_any_number_of_workers({third.path()}, several);
  ReadOptions predicted;
  predicted.labels = several.labels;
  predicted.labelled = false;
  expect_same_for_any_number_of_workers({columns.path()}, predicted);

  const TempFile file(sets);
  ReadOptions of_sets;
  of_sets.label_sets = true;
  ASSERT_GT(read_by(1, {file.path()}, of_sets).schema.labels.size(), 5U);
  expect_same_for_any_number_of_workers({file.path()}, of_sets);
}

TEST(Shards, ABadLineIsTheSameErrorOnEveryWorker) {
  const int rows = 40;
  for (int bad = 0; bad < rows; bad += 3) {
    std::string text = "# c\n";
    for (int i = 0; i < rows; ++i) text += i == bad ? "1 7:x\n" : "1 1:1 2:2 # 7:x\n\n";
    const TempFile first("1 1:1\n"), second(text);
    const std::string expected =
        test::joined(second.path(), ":", std::to_string(2 + 2 * bad), ":5: expected a number, found 'x'");
    for (const int workers : {1, 2, 3, 4, 8}) {
      EXPECT_EQ(read_by(workers, {first.path(), second.path()}, {}, 64).error, expected) << workers;
    }
  }
  const TempFile csv("a,b\n1,1\n2,0\n3,1\n4,x,0\n5,1\n", ".csv");
  for (const int workers : {1, 2, 3, 4, 8}) {
    EXPECT_EQ(read_by(workers, {csv.path()}).error, csv.path() + ":5:4: expected 2 fields, as in the header, found 3");
  }
}

TEST(Shards, MayBeMoreThanThereAreRows) {
  const TempFile file("1 3:1\n-1 1:1");
  const Seen alone = read_by(1, {file.path()});
  EXPECT_EQ(read_by(8, {file.path()}), alone);
  EXPECT_EQ(read_by(30, {file.path()}), alone);
  const TempFile none("# nothing\n"), empty("");
  for (const int workers : {1, 3}) {
    EXPECT_EQ(read_by(workers, {none.path()}).error, none.path() + ": there are no rows");
    EXPECT_EQ(read_by(workers, {none.path(), empty.path()}).error, none.path() + " and 1 more file: there are no rows");
  }
}

TEST(Shards, FilesThatDontFitTogetherAreRefused) {
  const TempFile header("a,b,y\n1,2,0\n", ".csv"), none("1,2,0\n", ".csv"), other("a,c,y\n1,2,1\n", ".csv"),
      more("a,b,c,y\n1,2,3,1\n", ".csv"), svm("1 1:1\n"), empty("", ".csv");
  const auto refusal = [&](const TempFile& a, const TempFile& b) {
    const Seen alone = read_by(1, {a.path(), b.path()});
    EXPECT_EQ(read_by(3, {a.path(), b.path()}), alone);
    return alone.error;
  };
  EXPECT_EQ(refusal(header, none),
            none.path() + ": has no header, but " + header.path() + " has one: give every file a header, or none");
  EXPECT_EQ(refusal(header, other), other.path() + ": calls feature 2 'c', but " + header.path() + " calls it 'b'");
  EXPECT_EQ(refusal(header, more), more.path() + ": has 3 columns for features, but " + header.path() + " has 2");
  EXPECT_EQ(refusal(header, svm),
            svm.path() + ": is svmlight, but " + header.path() + " is CSV: the files of a data set have one format");
  EXPECT_EQ(refusal(empty, header), "none");
  EXPECT_EQ(refusal(header, empty), "none");
  EXPECT_EQ(read_by(1, {"-", svm.path()}).error, "standard input can't be combined with files: leave them out");
  EXPECT_EQ(read_by(2, {"-"}).error,
            "standard input can be read only once, by one worker: 2 workers need files, not a stream");
  EXPECT_NE(read_by(2, {svm.path(), "/nowhere.svm"}).error.find("/nowhere.svm: can't be opened"), std::string::npos);
}

TEST(Shards, OfAPageFileAreItsPages) {
  const TempFile text(drawn_svmlight(21, 20000)), pages("", ".lsp");
  const auto made = convert(text.path(), pages.path(), {});
  ASSERT_GE(made.pages, 2U);
  const Seen alone = read_by(1, {text.path()});
  for (const int workers : {1, 2, 3, 8}) {
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
      ReadOptions options;
      options.memory = memory;
      EXPECT_EQ(read_by(workers, {pages.path()}, options), alone) << workers;
    }
  }
  EXPECT_EQ(read_by(2, {pages.path(), text.path()}).error,
            "page files and text files can't be mixed: convert the text files with `linsep convert`");
}

void remove_caches(const Paths& paths) {
  for (const std::string& path : paths) {
    const std::filesystem::path text(path);
    for (const auto& entry : std::filesystem::directory_iterator(text.parent_path())) {
      const std::string name = entry.path().filename().string();
      if (name != text.filename() && name.starts_with(text.filename().string() + ".")) {
        std::filesystem::remove(entry.path());
      }
    }
  }
}

/// Compares rows in memory with those from nameless pages, from caches that are made, and from caches that exist.
void expect_same_by_pages(const Paths& paths, const ReadOptions& options = {}) {
  const Seen alone = read_by(1, paths, options);
  for (const int workers : {1, 2, 3, 8}) {
    ReadOptions little = options, cached = options;
    little.memory = 1;
    cached.cache = true;
    EXPECT_EQ(read_by(workers, paths, little), alone) << workers << " workers";
    EXPECT_EQ(read_by(workers, paths, cached), alone) << workers << " workers, caches made";
    EXPECT_EQ(read_by(workers, paths, cached), alone) << workers << " workers, caches there";
    cached.memory = 1;
    EXPECT_EQ(read_by(workers, paths, cached), alone) << workers << " workers, caches there, little memory";
  }
  remove_caches(paths);
}

TEST(Shards, ByPagesAreThoseInMemory) {
  const TempFile a(drawn_svmlight(31, 20000)), b(drawn_svmlight(32, 7)), empty("", ".svm"), c(drawn_svmlight(33, 300)),
      packed(test::gzipped(drawn_svmlight(34, 900)), ".svm.gz");
  expect_same_by_pages({a.path()});
  expect_same_by_pages({b.path(), empty.path(), a.path(), c.path()});
  expect_same_by_pages({empty.path(), c.path(), packed.path(), b.path()});
  const TempFile one(drawn_csv(35, 500, true), ".csv"), two(drawn_csv(36, 700, true), ".csv");
  ReadOptions options;
  options.id = "id";
  expect_same_by_pages({one.path(), two.path()}, options);
  options.double_values = true;
  expect_same_by_pages({one.path(), two.path()}, options);
}

TEST(Shards, ByPagesHaveTheLabelsOfAll) {
  const TempFile a("ham 1:1\nham 1:2\nspam 1:3\n"), b("1 2:1\nspam 3:2\n"), c("eggs 1:1\n1 7:1\n"),
      numbers("3 1:1\n2 1:1\n10 1:2\n"), sets("1,3 1:1\n2 1:2\n 1:3\n3,1 1:1\n");
  ReadOptions options;
  options.many_classes = true;
  expect_same_by_pages({a.path(), b.path(), c.path()}, options);
  expect_same_by_pages({numbers.path(), c.path()}, options);
  expect_same_by_pages({numbers.path(), numbers.path()}, options);
  options.many_classes = false;
  options.regression = true;
  expect_same_by_pages({numbers.path(), numbers.path()}, options);
  ReadOptions of_sets;
  of_sets.label_sets = true;
  expect_same_by_pages({sets.path(), numbers.path()}, of_sets);
  // The third class is named with its row among all rows.
  for (const int workers : {1, 2, 3}) {
    ReadOptions little;
    little.memory = 1;
    const std::string error = read_by(workers, {a.path(), b.path()}, little).error;
    EXPECT_TRUE(error.starts_with(a.path() + " and 1 more file: row 4: ")) << error;
  }
}

TEST(Shards, CachesFollowTheirTexts) {
  const TempFile a(drawn_svmlight(41, 40)), b(drawn_svmlight(42, 30));
  ReadOptions cached;
  cached.cache = true;
  const Paths paths{a.path(), b.path()};
  for (const int workers : {1, 2}) read_by(workers, paths, cached);
  EXPECT_TRUE(std::filesystem::exists(a.path() + ".lsp"));
  EXPECT_TRUE(std::filesystem::exists(b.path() + ".lsp"));
  EXPECT_TRUE(std::filesystem::exists(a.path() + ".1-of-2.lsp"));
  const auto time_of = [](const std::string& path) { return std::filesystem::last_write_time(path); };
  const auto made = time_of(a.path() + ".lsp");
  std::ofstream(b.path(), std::ios::app) << "\n1 3:4\n";
  for (const int workers : {1, 2}) EXPECT_EQ(read_by(workers, paths, cached), read_by(1, paths));
  EXPECT_EQ(time_of(a.path() + ".lsp"), made) << "a cache whose text is the same stays";
  remove_caches(paths);
}

TEST(Shards, OfAFileThatIsNamedTwiceACacheStays) {
  const TempFile text(drawn_svmlight(43, 900));
  const Paths paths{text.path(), text.path()};
  ReadOptions cached;
  cached.cache = true;
  const Seen alone = read_by(1, paths);
  EXPECT_EQ(read_by(3, paths, cached), alone);
  const std::string middle =
      text.path() + ".2-of-3.lsp";  // for a worker that has the end of one file and the start of the other
  const auto made = std::filesystem::last_write_time(middle);
  EXPECT_EQ(read_by(3, paths, cached), alone);
  EXPECT_EQ(std::filesystem::last_write_time(middle), made);
  remove_caches(paths);
}

TEST(Shards, SeveralTextsBecomeOnePageFile) {
  const TempFile a(drawn_svmlight(51, 20000)), b(drawn_svmlight(52, 5)), packed(test::gzipped(drawn_svmlight(53, 99))),
      empty("", ".svm"), pages("", ".lsp"), other("", ".lsp"), table("a,y\n1,0\n", ".csv");
  const Paths paths{b.path(), empty.path(), a.path(), packed.path()};
  const Seen alone = read_by(1, paths);
  EXPECT_EQ(convert(paths, pages.path(), {}).shape.rows, 20104);
  convert(b.path(), other.path(), {});
  for (const int workers : {1, 2, 3}) EXPECT_EQ(read_by(workers, {pages.path()}), alone) << workers;
  const Seen twice = read_by(1, {b.path(), b.path(), empty.path(), a.path(), packed.path()});
  for (const int workers : {1, 2, 3}) EXPECT_EQ(read_by(workers, {other.path(), pages.path()}), twice) << workers;
  EXPECT_THROW(convert(Paths{a.path(), table.path()}, pages.path(), {}), Error);
  EXPECT_EQ(read_by(1, {pages.path()}), alone) << "what was there stays";
}

TEST(Shards, StreamsAreSharedLikewise) {
  const TempFile a(drawn_svmlight(11, 33)), b(drawn_svmlight(12, 5));
  const Paths paths{a.path(), b.path()};
  const PlainRows alone = test::rows_of(*open_stream(paths, {}, *solo()));
  ASSERT_EQ(alone.size(), 38U);
  for (const int workers : {2, 3, 8}) {
    std::vector<PlainRows> parts(static_cast<std::size_t>(workers));
    run_threads(workers, [&](Comm& comm) {
      const auto source = open_stream(paths, {}, comm);
      PlainRows& rows = parts[static_cast<std::size_t>(comm.rank())];
      rows = test::rows_of(*source);
      EXPECT_EQ(test::rows_of(*source), rows) << "in the second pass";
    });
    PlainRows all;
    for (const PlainRows& part : parts) all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(all, alone);
  }
}

constexpr std::uint64_t kEnd = TextRange::kEndOfFile;
using Parts = std::vector<std::vector<FilePart>>;

TEST(SplitFiles, CutsBytesEvenly) {
  const std::vector<SizedFile> one{{100, false}};
  EXPECT_EQ(split_files(one, 1), (Parts{{{0, {0, kEnd}}}}));
  EXPECT_EQ(split_files(one, 2), (Parts{{{0, {0, 50}}}, {{0, {50, kEnd}}}}));
  const std::vector<SizedFile> two{{10, false}, {30, false}};
  EXPECT_EQ(split_files(two, 2), (Parts{{{0, {0, kEnd}}, {1, {0, 10}}}, {{1, {10, kEnd}}}}));
}

TEST(SplitFiles, LeavesWholeFilesWholeAndGivesEveryWorkerOne) {
  const std::vector<SizedFile> files{{1, true}, {1, true}, {1, true}, {97, true}};
  EXPECT_EQ(split_files(files, 2), (Parts{{{0, {0, kEnd}}, {1, {0, kEnd}}, {2, {0, kEnd}}}, {{3, {0, kEnd}}}}));
  const Parts four = split_files(files, 4);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(four[k], (std::vector<FilePart>{{k, {0, kEnd}}}));
  const std::vector<SizedFile> large_first{{97, true}, {1, true}, {1, true}};
  const Parts three = split_files(large_first, 3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(three[k], (std::vector<FilePart>{{k, {0, kEnd}}}));
}

TEST(SplitFiles, SharesEveryByteOutOnceAndInOrder) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<SizedFile> files(1 + random.below(5));
    for (SizedFile& file : files) file = {random.below(20), random.below(3) == 0};
    const Parts parts = split_files(files, static_cast<int>(1 + random.below(8)));
    std::size_t file = 0;
    std::uint64_t byte = 0;
    for (const auto& worker : parts) {
      ASSERT_FALSE(worker.empty());
      for (const FilePart& part : worker) {
        if (part.range.empty()) continue;
        if (part.file != file) {
          ASSERT_EQ(part.file, file + 1);
          ASSERT_EQ(byte, kEnd);
          ++file;
          byte = 0;
        }
        ASSERT_EQ(part.range.first_byte, byte);
        byte = part.range.end_byte;
        ASSERT_TRUE(!files[file].whole || part.range.whole());
      }
    }
    ASSERT_EQ(file, files.size() - 1);
    ASSERT_EQ(byte, kEnd);
  }
}

}  // namespace
}  // namespace linsep
