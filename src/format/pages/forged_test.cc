// Changes page files anywhere and corrects their checksums. Each must be refused, or its rows must be such as a text
// could have (run under the asan preset). LINSEP_MUTATIONS sets how many are tried.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/random.h"
#include "data/paged/forged_file.h"
#include "data/paged/permute_pages.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "linsep/read.h"
#include "os/file.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed at the end of the test.
class Folder {
 public:
  Folder() {
    path_ = temporary_name((fs::temp_directory_path() / "linsep").string());
    fs::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// A text, how pages are made of it, and how their rows are read.
struct Subject {
  std::string name, text;
  ReadOptions made, asked;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all(8);
  all[0] = {"sparse.svm", "1 1:1 3:2\n-1 2:0.5\n1 1:3 2:1 3:1\n-1\n1 3:7\n", {}, {}};
  all[1] = all[0];
  all[1].made.double_values = true;
  all[2] = {"weighted.csv", "a,b,w,y\n1,2,1,0\n3,4,0.5,1\n5,6,2,1\n", {}, {}};
  all[2].made.weight = "w";
  all[2].made.double_values = true;
  all[3] = {"words.svm", "yes 1:1\nno 2:1\nyes 1:2\nno 2:5\n", {}, {}};
  all[4] = {"classes.svm", "0 1:1\n1 2:1\n2 1:1 2:1\n1 1:3\n", {}, {}};
  all[4].asked.many_classes = true;
  all[5] = {"columns.csv", "a,rain,wind\n1,0,1\n2,1,0\n3,1,1\n4,0,0\n", {}, {}};
  all[5].made.labels = {"rain", "wind"};
  all[6] = {"sets.svm", "1,2 1:1\n2 2:1\n1 1:4\n", {}, {}};
  all[6].asked.label_sets = true;
  all[7] = {"numbers.svm", "0.5 1:1\n2.25 2:1\n-7 1:1\n", {}, {}};
  all[7].asked.regression = true;
  return all;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Uses every number of a pass like a learner would: a value's column, a label as an index of a class.
void use_rows(Source& source) {
  const Schema& schema = source.schema();
  const Shape shape = source.shape();
  Model model;
  model.features = std::min<std::uint32_t>(shape.features, 1000);
  model.theta.assign(model.features, 0.5);
  std::int64_t rows = 0;
  source.rewind(0);
  while (const auto batch = source.next()) {
    std::vector<double> z(static_cast<std::size_t>(batch->rows));
    score(model, *batch, z);
    EXPECT_NO_THROW(check_rows(*batch, schema, 1));
    rows += batch->rows;
  }
  EXPECT_EQ(rows, shape.rows);
}

/// Whether the rows can be read and used in all ways: all at once, page by page, in another order, and as written.
bool serves(const std::string& path, const ReadOptions& options) {
  try {
    use_rows(*load(path, options));
    ReadOptions few = options;
    few.memory = std::uint64_t{64} << 20;
    const auto source = load(path, few);
    use_rows(*source);
    use_rows(*permute_pages(dynamic_cast<PagedSource&>(*source), 3));
    const std::int64_t last = source->shape().rows - 1;
    const std::vector<std::int64_t> asked =
        last == 0 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{0, last};
    EXPECT_EQ(source->written(asked).size(), asked.size());
    return true;
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), Error::Kind::kBug) << error.what();
    EXPECT_FALSE(std::string(error.what()).empty());
  }
  return false;
}

std::uint64_t hostile_word(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::array<double, 10> kNumbers = {kInfinity, -kInfinity, 1e300, 3, 0.5, -1, 2, 1e19, -0.0, 1e-310};
  switch (random.below(6)) {
    case 0:
      return std::bit_cast<std::uint64_t>(kNumbers[random.below(kNumbers.size())]);
    case 1:
      return std::bit_cast<std::uint64_t>(std::nan(""));
    case 2:
      return std::uint64_t{1} << random.below(64);
    case 3:
      return ~std::uint64_t{0} >> random.below(64);
    case 4:
      return 0xff800000'7f800000;  // two floats
    default:
      return random.below(10);
  }
}

/// The first bytes of a page that are used. The rest is padding.
std::size_t used_bytes(const std::string& page) {
  std::size_t size = page.size();
  while (size > 8 && page[size - 1] == '\0') --size;
  return std::min(page.size(), size + 8);
}

void change(std::string& bytes, std::size_t within, Random& random) {
  static constexpr std::array<std::size_t, 4> kSizes = {1, 2, 4, 8};
  const std::size_t size = kSizes[random.below(kSizes.size())], at = random.below(within - size + 1);
  const std::uint64_t word = hostile_word(random);
  bytes.replace(at, size, reinterpret_cast<const char*>(&word), size);
}

std::string changed(const ForgedFile& good, Random& random) {
  ForgedFile file = good;
  for (std::uint64_t left = 1 + random.below(2); left > 0; --left) {
    if (random.below(2) == 0) {
      std::string& page = file.pages[random.below(file.pages.size())];
      change(page, used_bytes(page), random);
    }
  }
  file.tail = file.tail_bytes();
  if (random.below(3) > 0) change(file.tail, file.tail.size(), random);
  return file.bytes();
}

TEST(ForgedPageFile, IsRefusedOrHasRowsThatATextCouldHave) {
  const char* count = std::getenv("LINSEP_MUTATIONS");
  const char* seed = std::getenv("LINSEP_SEED");
  const std::size_t mutations = count != nullptr ? std::strtoull(count, nullptr, 10) : 1600;
  const std::uint64_t first = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
  const std::vector<Subject> all = subjects();
  std::size_t tried = 0, served = 0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Folder folder;
    const std::string text = folder.file(all[s].name), pages = folder.file("rows.lsp");
    std::ofstream(text) << all[s].text;
    convert(text, pages, all[s].made);
    ReadOptions asked = all[s].asked;
    asked.threads = 1;
    ASSERT_TRUE(serves(pages, asked)) << all[s].name;
    const ForgedFile good(contents(pages));
    for (std::size_t i = 0; i < mutations / all.size(); ++i) {
      SCOPED_TRACE(all[s].name + ", seed " + std::to_string(first) + ", number " + std::to_string(i));
      Random random(first, (s << 32) + i);
      std::ofstream(pages, std::ios::binary | std::ios::trunc) << changed(good, random);
      served += serves(pages, asked) ? 1 : 0;
      ++tried;
      if (HasFailure()) return;
    }
  }
  std::printf("%zu forged page files: %zu refused, %zu served\n", tried, tried - served, served);
  EXPECT_GT(served, 0U);
  EXPECT_GT(tried - served, served / 4);
}

}  // namespace
}  // namespace linsep
