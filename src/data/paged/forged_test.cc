// Page files whose checksums are right but whose content is not. Each is refused before anything of it is used.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "data/paged/forged_file.h"
#include "data/paged/page_file.h"
#include "data/paged/paged_source.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {
namespace {

constexpr std::uint32_t kFeatures = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Eight rows in two pages. The first three rows have two entries each, the fourth has none.
std::string good_bytes(bool dense, bool is_float) {
  std::vector<PlainRow> rows = drawn_rows(8, kFeatures, 3);
  for (std::size_t i = 0; i < 3; ++i) rows[i].entries = {{0, 1}, {2, 0.5}};
  rows[3].entries.clear();
  PageLayout layout;
  layout.dense = dense;
  layout.is_float = is_float;
  layout.weighted = true;
  layout.stride = dense ? kFeatures : 0;
  PageWriter writer(StreamedFile::nameless(), layout, 1);
  for (const Page& page : plain_pages(rows, kFeatures, 4, dense, is_float)) writer.add(page, false);
  const StreamedFile made = writer.finish(kFeatures, "a test");
  std::string bytes(made.size(), '\0');
  made.read_at(0, bytes);
  return bytes;
}

std::shared_ptr<PageFile> opened(const std::string& bytes) {
  StreamedFile file = StreamedFile::nameless();
  file.append(bytes);
  return std::make_shared<PageFile>(OpenFile::again(file, "test.lsp"));
}

/// The error for a file, or "" if its rows can be read.
std::string error_of(const std::string& bytes, const LabelMeaning& meaning = {}) {
  try {
    const auto file = opened(bytes);
    file->set_labels(meaning);
    PagedSource source(file, {}, 0, all_pages(*file));
    rows_of_pass(source, 0);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    return error.what();
  }
  return "";
}

std::string error_after(bool dense, bool is_float, const std::function<void(ForgedFile&)>& forge,
                        const LabelMeaning& meaning = {}) {
  ForgedFile file(good_bytes(dense, is_float));
  EXPECT_EQ(error_of(file.bytes(), meaning), "");
  forge(file);
  return error_of(file.bytes(), meaning);
}

constexpr const char* kIndex = "test.lsp: its index is inconsistent; convert the text again";
std::string page_error(std::string_view what) {
  return "test.lsp: page 1 (rows 1–4) is inconsistent: " + std::string(what) + "; convert the text again";
}

TEST(ForgedPage, OfColumnsThatDontAscendOrLieBeyondIsRefused) {
  const auto column = [](std::size_t i, std::uint32_t value) {
    return error_after(false, true, [&](ForgedFile& file) { file.put(0, file.places(0).column, i, value); });
  };
  EXPECT_EQ(column(0, 1), "");                                               // 1, 2: another row
  EXPECT_EQ(column(0, 2), page_error("the columns of a row don't ascend"));  // 2, 2
  EXPECT_EQ(column(0, 3), page_error("the columns of a row don't ascend"));  // 3, 2
  EXPECT_EQ(column(1, 0), page_error("the columns of a row don't ascend"));
  EXPECT_EQ(column(2, 3), page_error("the columns of a row don't ascend"));
  EXPECT_EQ(column(1, kFeatures), page_error("a column lies beyond its features"));
  EXPECT_EQ(column(1, 0xffffffff), page_error("a column lies beyond its features"));
}

TEST(ForgedPage, OfRowsThatDontBeginInOrderIsRefused) {
  const auto starts = [](const std::vector<std::uint64_t>& start) {
    return error_after(false, true, [&](ForgedFile& file) {
      for (std::size_t i = 0; i < start.size(); ++i) file.put(0, file.places(0).start, i + 1, start[i]);
    });
  };
  // Other row starts that are just as valid, some with empty rows.
  for (const auto& good : {std::vector<std::uint64_t>{2, 4, 4}, {0, 2, 4}, {1, 2, 4}, {2, 2, 4}, {2, 3, 4}}) {
    EXPECT_EQ(starts(good), "");
  }
  for (const auto& bad : {std::vector<std::uint64_t>{3, 4, 6}, {2, 2, 6}, {6, 6, 6}, {2, 3, 6}, {0, 0, 0}}) {
    EXPECT_EQ(starts(bad), page_error("the columns of a row don't ascend"));
  }
  EXPECT_EQ(starts({2, 1, 6}), page_error("its row offsets don't ascend"));
  EXPECT_EQ(starts({2, std::uint64_t{1} << 60, 6}), page_error("its row offsets don't ascend"));
  EXPECT_EQ(starts({2, 4, 6, 7}), page_error("its row offsets don't ascend"));
  EXPECT_EQ(starts({2, 4, 4, 5}), page_error("its row offsets don't ascend"));
  EXPECT_EQ(error_after(false, true, [](ForgedFile& f) { f.put(0, f.places(0).start, 0, std::uint64_t{1}); }),
            page_error("its row offsets don't ascend"));
}

TEST(ForgedPage, OfNumbersThatNoTextCanHoldIsRefused) {
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    for (const bool dense : {false, true}) {
      for (const bool is_float : {false, true}) {
        const auto value = [&](ForgedFile& file) {
          if (is_float) {
            file.put(0, file.places(0).value, 5, static_cast<float>(bad));
          } else {
            file.put(0, file.places(0).value, 5, bad);
          }
        };
        EXPECT_EQ(error_after(dense, is_float, value), page_error("a value isn't finite"));
      }
    }
    EXPECT_EQ(error_after(true, true, [&](ForgedFile& f) { f.put(0, f.places(0).label, 3, bad); }),
              page_error("a label isn't finite"));
    EXPECT_EQ(error_after(true, true, [&](ForgedFile& f) { f.put(0, f.places(0).weight, 3, bad); }),
              page_error("a weight isn't finite"));
  }
  EXPECT_EQ(error_after(true, true, [](ForgedFile& f) { f.put(0, f.places(0).weight, 0, -1.0); }),
            page_error("a weight is below 0"));
  const double greatest = std::numeric_limits<double>::max();
  EXPECT_EQ(error_after(true, false, [&](ForgedFile& f) { f.put(0, f.places(0).value, 0, -greatest); }), "");
}

TEST(ForgedPage, OfLabelsThatTheTableHasntIsRefused) {
  LabelMeaning known;
  known.kind = LabelMeaning::Kind::kKnown;
  known.number = {{-1.0, -1.0}, {1.0, 1.0}};
  LabelMeaning mapped = known;
  mapped.kind = LabelMeaning::Kind::kMapped;
  for (const LabelMeaning& meaning : {known, mapped}) {
    for (const double label : {3.0, 0.5, -1e300, 1e300}) {
      EXPECT_NE(error_after(
                    false, true, [&](ForgedFile& f) { f.put(0, f.places(0).label, 2, label); }, meaning)
                    .find("page 1 (rows 1–4) has a label that isn't in the header"),
                std::string::npos);
    }
  }
  LabelMeaning words;
  words.kind = LabelMeaning::Kind::kMapped;
  words.number = known.number;
  words.word = {-1, 1, -1};
  for (const double label : {-1.0, 0.5, 3.0, 1e19}) {
    const auto forge = [&](ForgedFile& file) {
      file.index.entries[0].words = 1;
      for (std::size_t i = 0; i < 4; ++i) file.put(0, file.places(0).label, i, i == 2 ? label : 2.0);
    };
    EXPECT_NE(error_after(false, true, forge, words).find("has a label that isn't in the header"), std::string::npos);
  }
}

TEST(ForgedIndex, IsRefused) {
  const auto entry = [](bool dense, const std::function<void(PageEntry&)>& forge) {
    return error_after(dense, true, [&](ForgedFile& file) { forge(file.index.entries[0]); });
  };
  for (const std::uint64_t hostile : {std::uint64_t{0}, std::uint64_t{1} << 47, std::uint64_t{1} << 48,
                                      std::uint64_t{1} << 61, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    for (const bool dense : {false, true}) {
      EXPECT_EQ(entry(dense, [&](PageEntry& e) { e.rows = hostile; }), kIndex);
      EXPECT_EQ(entry(dense, [&](PageEntry& e) { e.values = hostile; }), kIndex);
      EXPECT_EQ(entry(dense, [&](PageEntry& e) { e.bytes = hostile; }), kIndex);
      EXPECT_EQ(entry(dense, [&](PageEntry& e) { e.place = hostile; }), kIndex);
      if (hostile != 0) {
        EXPECT_EQ(entry(dense, [&](PageEntry& e) { e.first_row = hostile; }), kIndex);
      }
    }
  }
  EXPECT_EQ(entry(false, [](PageEntry& e) { e.features = kFeatures + 1; }), kIndex);
  EXPECT_EQ(entry(true, [](PageEntry& e) { e.features = kFeatures - 1; }), kIndex);
  EXPECT_EQ(entry(false, [](PageEntry& e) { e.words = 2; }), kIndex);
}

TEST(ForgedIndex, OfDenseRowsThatAreWiderThanItsFeaturesIsRefused) {
  const auto wide = [](ForgedFile& file) { file.index.header.shape.features = kFeatures - 1; };
  EXPECT_EQ(error_after(true, true, wide), kIndex);
  const auto stride = [](ForgedFile& file) { file.index.header.layout.stride = kFeatures + 1; };
  EXPECT_EQ(error_after(true, true, stride), kIndex);
  EXPECT_EQ(error_after(false, true, stride), kIndex);
  // 2⁶² rows times 4 would be 0 in 64 bits.
  const auto product = [](ForgedFile& file) {
    file.index.entries[0].rows = std::uint64_t{1} << 62;
    file.index.entries[0].values = 0;
  };
  EXPECT_EQ(error_after(true, true, product), kIndex);
}

TEST(ForgedIndex, OfMorePagesThanBytesTakesNoMemoryForThem) {
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{200'000'000}, ~std::uint64_t{0}}) {
    const auto more = [&](ForgedFile& file) {
      file.tail = file.tail_bytes();
      const std::size_t at = file.tail.size() - 2 * 88 - 8;
      file.tail.replace(at, 8, reinterpret_cast<const char*>(&count), 8);
    };
    EXPECT_EQ(error_after(false, true, more), "test.lsp: its header and index are incomplete; convert the text again");
  }
}

TEST(ForgedIndex, OfRowsWithoutAByteIsRefused) {
  const auto nothing = [](ForgedFile& file) {
    PageHeader& header = file.index.header;
    header.layout = {};
    header.layout.dense = true;
    header.layout.labelled = false;
    header.shape = {std::int64_t{1} << 40, 0, 0};
    file.index.entries.resize(1);
    file.pages.clear();
    file.index.entries[0] = {.place = kPageUnit, .rows = std::uint64_t{1} << 40};
  };
  EXPECT_EQ(error_after(false, true, nothing), kIndex);
}

}  // namespace
}  // namespace linsep
