#include "data/paged/page_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/paged/paged_source.h"
#include "data/paged/permute_pages.h"
#include "data/permute.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/file.h"

namespace linsep {
namespace {

/// A page file of these rows, with one page per `page_rows` of them.
StreamedFile pages_of(const std::vector<PlainRow>& rows, std::uint32_t features, std::size_t page_rows, bool dense,
                      bool is_float, StreamedFile file) {
  PageLayout layout;
  layout.dense = dense;
  layout.is_float = is_float;
  layout.weighted = true;
  layout.stride = dense ? features : 0;
  PageWriter writer(std::move(file), layout, 1);
  for (const Page& page : plain_pages(rows, features, page_rows, dense, is_float)) writer.add(page, false);
  return writer.finish(features, "a test");
}

std::shared_ptr<PageFile> file_of(const std::vector<PlainRow>& rows, std::uint32_t features, std::size_t page_rows,
                                  bool dense, bool is_float) {
  const StreamedFile made = pages_of(rows, features, page_rows, dense, is_float, StreamedFile::nameless());
  return std::make_shared<PageFile>(OpenFile::again(made, "test.lsp"));
}

/// A source with room for `pages` pages.
std::unique_ptr<PagedSource> source_of(std::shared_ptr<PageFile> file, std::size_t pages) {
  auto source = std::make_unique<PagedSource>(file, Schema{{"-1", "1"}, {}}, 0, all_pages(*file));
  source->set_room(pages * file->largest_page());
  return source;
}

TEST(PageFile, GivesBackEveryLayoutWithAnyNumberOfPagesInMemory) {
  const auto rows = drawn_rows(1003, 6, 3);
  for (const bool dense : {false, true}) {
    for (const bool is_float : {false, true}) {
      for (const std::size_t page_rows : {1U, 100U, 5000U}) {
        const auto file = file_of(rows, 6, page_rows, dense, is_float);
        EXPECT_EQ(file->header().shape.rows, 1003);
        EXPECT_EQ(file->header().origin, "a test");
        for (const std::size_t pages : {1U, 2U, 3U, 100U}) {
          const auto source = source_of(file, pages);
          for (int pass = 0; pass < 2; ++pass) ASSERT_EQ(rows_of_pass(*source, 0), rows);
        }
        ASSERT_EQ(rows_of_pass(*map_pages(file, {}, 0, all_pages(*file)), 0), rows);
      }
    }
  }
}

TEST(PageFile, ShowsRowsInEveryOrderAsMemoryDoes) {
  const auto rows = drawn_rows(140'001, 3, 3);  // more than two logical pages, more than two windows
  MemorySource memory(plain_pages(rows, 3, 1000), {}, 0);
  const auto file = file_of(rows, 3, 1000, false, true);
  const auto permuted = permute_rows(memory, 5);
  for (const std::size_t pages : {3U, 40U, 1000U}) {
    const auto source = source_of(file, pages);
    for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
      if (pages == 3) continue;  // too slow to try on so many rows
      const auto in_memory = order_rows(memory, order, 7);
      const auto in_pages = order_rows(*source, order, 7);
      for (const std::uint64_t pass : {0U, 1U}) {
        ASSERT_EQ(rows_of_pass(*in_pages, pass), rows_of_pass(*in_memory, pass));
      }
    }
    source->set_room(std::max<std::uint64_t>(pages * file->largest_page(), 1 << 20));
    const auto in_pages = permute_pages(*source, 5);
    for (const std::uint64_t pass : {0U, 1U, 0U}) {
      ASSERT_EQ(rows_of_pass(*in_pages, pass), rows_of_pass(*permuted, pass));
    }
  }
}

TEST(PageFile, ShowsFewRowsInEveryOrderWithOneTwoOrThreePagesInMemory) {
  for (const bool dense : {false, true}) {
    const auto rows = drawn_rows(700, 3, 3);
    MemorySource memory(plain_pages(rows, 3, 50, dense), {}, 0);
    const auto file = file_of(rows, 3, 50, dense, true);
    for (const std::size_t pages : {1U, 2U, 3U}) {
      const auto source = source_of(file, pages);
      for (const RowOrder order : {RowOrder::kGiven, RowOrder::kShuffled, RowOrder::kDrawn}) {
        const auto in_memory = order_rows(memory, order, 7);
        const auto in_pages = order_rows(*source, order, 7);
        for (const std::uint64_t pass : {0U, 1U}) {
          ASSERT_EQ(rows_of_pass(*in_pages, pass), rows_of_pass(*in_memory, pass));
        }
      }
    }
  }
}

TEST(PageFile, SettlesLabelsWhenItIsRead) {
  const auto rows = drawn_rows(100, 3, 3);
  const auto file = file_of(rows, 3, 10, false, true);
  LabelMeaning meaning;
  meaning.kind = LabelMeaning::Kind::kMapped;
  meaning.number = {{-1.0, 1.0}, {1.0, -1.0}};
  file->set_labels(meaning);
  const auto seen = rows_of_pass(*source_of(file, 2), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(seen[i].label, -rows[i].label);
}

/// A small page file whose bytes can be changed.
class DamagedPageFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const StreamedFile made = pages_of(drawn_rows(8, 3, 3), 3, 4, false, true, StreamedFile::nameless());
    bytes_.resize(made.size());
    made.read_at(0, bytes_);
  }

  /// The error for the file as it is, or "" if nothing is wrong with it.
  std::string error() const {
    StreamedFile file = StreamedFile::nameless();
    file.append(bytes_);
    try {
      rows_of_pass(*source_of(std::make_shared<PageFile>(OpenFile::again(file, "test.lsp")), 1), 0);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kInput);
      return error.what();
    }
    return "";
  }
  void flip(std::uint64_t place, int bits) { bytes_[place] = static_cast<char>(bytes_[place] ^ bits); }

  std::string bytes_;
};

TEST_F(DamagedPageFile, IsRefusedWhicheverByteIsFlipped) {
  ASSERT_EQ(error(), "");
  for (std::uint64_t k = 0; k < bytes_.size(); ++k) {
    flip(k, 1 << (k % 8));
    ASSERT_NE(error(), "") << "byte " << k;
    flip(k, 1 << (k % 8));
  }
  ASSERT_EQ(error(), "");
}

TEST_F(DamagedPageFile, IsRefusedWhereverItIsCutOff) {
  bytes_ += 'x';
  EXPECT_NE(error().find("has extra bytes at its end"), std::string::npos);
  for (std::size_t size = bytes_.size() - 1; size-- > 0;) {
    bytes_.resize(size);
    ASSERT_NE(error(), "") << size;
  }
}

TEST_F(DamagedPageFile, SaysWhatIsWrong) {
  const auto says = [&](const std::string& words) { EXPECT_NE(error().find(words), std::string::npos) << error(); };
  flip(20, 8);
  says("is a page file of version 11, but this program reads versions 3 and 4; convert the text again");
  flip(20, 8);
  flip(2 * kPageUnit + 3, 1);
  says("page 2 (rows 5–8) is damaged: its checksum doesn't match; convert the text again");
  flip(2 * kPageUnit + 3, 1);
  bytes_.pop_back();
  says("is cut off");
  flip(0, 1);
  says("isn't a linsep page file");
}

TEST(StreamedFile, LeavesNothingBehindUnlessItIsCommitted) {
  const std::string path = (std::filesystem::temp_directory_path() / "streamed.test").string();
  std::filesystem::remove(path);
  std::size_t before = 0, after = 0;
  const auto count = [](std::size_t& files) {
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      files += entry.path().filename().string().starts_with("streamed.test") ? 1 : 0;
    }
  };
  count(before);
  {
    StreamedFile file = StreamedFile::beside(path);
    file.append("abc");
  }
  count(after);
  EXPECT_EQ(before, after);
  StreamedFile file = StreamedFile::beside(path);
  file.append("abc");
  file.write_at(1, "x");
  file.commit();
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "axc");
  std::filesystem::remove(path);
}

TEST(PageShares, AreAllPagesInOrder) {
  const auto rows = drawn_rows(40, 5, 8);
  for (const std::size_t page_rows : {1U, 7U, 40U}) {
    const auto file = file_of(rows, 5, page_rows, false, true);
    for (const int workers : {1, 2, 3, 50}) {
      std::vector<PlainRow> all;
      std::size_t pages = 0;
      for (int rank = 0; rank < workers; ++rank) {
        const PageRange share = share_of_pages(*file, rank, workers);
        EXPECT_EQ(share.first, pages);
        pages = share.end;
        PagedSource source(file, Schema{{"-1", "1"}, {}}, 0, share);
        const auto mine = rows_of_pass(source, 0);
        EXPECT_EQ(source.shape().rows, static_cast<std::int64_t>(mine.size()));
        if (!mine.empty()) {
          EXPECT_EQ(source.first_row(), mine[0].number);
        }
        all.insert(all.end(), mine.begin(), mine.end());
      }
      EXPECT_EQ(pages, file->entries().size());
      EXPECT_EQ(all, rows);
    }
  }
}

}  // namespace
}  // namespace linsep
