// How a text was read, as a certificate's root binds it. It is the same however the rows come.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "format/pages/pages.h"
#include "format/text/test_input.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/leaves.h"

namespace linsep {
namespace {

using test::TempFile;

const char* const kPatients = "name,dose,age,weight,ill\nann,0,1,2,no\nbob,0,2,1,yes\n\"cid, or so\",0,3,1,no\n";

/// Calls `f` for every way in which the rows of a file may come.
void for_each_way(const std::string& path, const ReadOptions& options,
                  const std::function<void(const std::string& way, Source&)>& f) {
  f("text", *load(path, options));
  f("a stream", *open_stream(path, options));
  ReadOptions little = options;
  little.memory = 1 << 20;
  f("little memory", *load(path, little));
  ReadOptions cached = options;
  cached.cache = true;
  f("a cache that is made", *load(path, cached));
  f("a cache that is there", *load(path, cached));
  std::filesystem::remove(cache_path(path, cached));
  const std::string pages = path + ".pages.lsp";
  convert(path, pages, options);
  ReadOptions again;
  again.classes = options.classes;
  again.exact_values = options.exact_values;
  f("a page file", *load(pages, again));
  std::filesystem::remove(pages);
  run_threads(3, [&](Comm& comm) {
    const std::unique_ptr<Source> shard = load(std::span(&path, 1), options, comm);
    if (comm.rank() == 2) f("the last of three workers", *shard);
  });
}

TEST(Reading, IsTheSameHoweverRowsCome) {
  const TempFile table(kPatients, ".csv");
  ReadOptions options;
  options.double_values = true;
  options.id = "name";
  options.weight = "4";
  options.ignore = {"age"};
  options.classes = {"no", "yes"};
  const Reading expected{"csv", ",", true, "ill", {"name", "age", "weight"}};
  int ways = 0;
  for_each_way(table.path(), options, [&](const std::string& way, const Source& source) {
    EXPECT_EQ(source.schema().reading, expected) << way;
    ++ways;
  });
  EXPECT_EQ(ways, 7);
}

TEST(Reading, NumbersColumnsWithoutAHeader) {
  const TempFile table("1;2;a\n3;4;b\n", ".txt");
  ReadOptions options;
  options.format = ReadOptions::Format::kCsv;
  options.delimiter = ';';
  options.ignore = {"1"};
  EXPECT_EQ(load(table.path(), options)->schema().reading, (Reading{"csv", ";", false, "3", {"1"}}));
  const TempFile rows("1 1:2\n-1 1:3\n");
  EXPECT_EQ(load(rows.path(), {})->schema().reading, (Reading{"svmlight", "", false, "", {}}));
}

std::string leaves_of(Source& source) {
  std::string lines;
  write_leaves(source, [&](std::string_view line) { (lines += line) += '\n'; });
  return lines;
}

TEST(Reading, LeavesAreTheSameHoweverRowsCome) {
  const TempFile table(kPatients, ".csv");
  ReadOptions options;
  options.double_values = true;
  options.exact_values = true;
  options.id = "name";
  options.classes = {"no", "yes"};
  for_each_way(table.path(), options, [&](const std::string& way, Source& source) {
    if (way == "the last of three workers") return;  // it has only some of the rows
    EXPECT_EQ(leaves_of(source),
              "{\"features\":3,\"names\":[\"dose\",\"age\",\"weight\"],\"negative\":\"no\",\"positive\":\"yes\","
              "\"reading\":{\"delimiter\":\",\",\"format\":\"csv\",\"header\":true,\"label\":\"ill\",\"left_out\":["
              "\"name\"]},\"rows\":3}\n"
              "1 -1 2:1 3:2\n2 +1 2:2 3:1\n3 -1 2:3 3:1\n")
        << way;
  });
}

TEST(Reading, BlanksInQuotesBelongToAWordButNotToANumber) {
  const TempFile table("1,\" 1 \"\n2,-1\n", ".csv");
  const auto source = load(table.path(), {});
  EXPECT_NE(leaves_of(*source).find("\n1 +1 1:1\n2 -1 1:2\n"), std::string::npos);
  const TempFile words("1,\" a \"\n2,a\n", ".csv");
  EXPECT_EQ(load(words.path(), {})->schema().classes, (std::vector<std::string>{" a ", "a"}));
}

TEST(Reading, ANumberThatIsTooLargeIsNoHeader) {
  const TempFile table("1e400,1\n2,-1\n", ".csv");
  EXPECT_THROW(load(table.path(), {}), Error);
}

}  // namespace
}  // namespace linsep
