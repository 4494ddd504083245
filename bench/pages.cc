// linsep_pages: passes over rows in pages on disk beside a bare read of the page file, as one JSON object.
//
//   linsep_pages FILE.lsp MEMORY PASSES [cold]   `cold`: the system's cache of files is dropped before each (as root)
//
// Sides are interleaved: a perceptron's pass in the given order, a pass of the margin learner's coordinate descent in
// its random order, and a bare read: read() in pieces of 1 MB and a sum of their words.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "data/paged/paged_source.h"
#include "data/paged/permute_pages.h"
#include "learn/learners.h"
#include "learn/margin/margin.h"
#include "linsep/linsep.h"

namespace linsep {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void drop_caches() {
  ::sync();
  std::ofstream file("/proc/sys/vm/drop_caches");
  file << "3" << std::flush;
  if (!file) throw system_error("the system's cache can't be dropped: only root may");
}

std::uint64_t sum_of_words(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw input_error(path + ": can't be opened");
  std::vector<std::uint64_t> piece(std::size_t{1} << 17);
  std::uint64_t sum = 0;
  for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size() * 8)) > 0;) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(got) / 8; ++i) sum += piece[i];
  }
  ::close(file);
  return sum;
}

/// A learner and the rows it visits, one pass at a time.
struct Side {
  std::unique_ptr<Source> own;
  Source* rows;
  std::unique_ptr<Learner> learner;
  std::vector<double> seconds = {};
  std::uint64_t passes = 0;

  void pass(Comm& comm, bool cold) {
    if (cold) drop_caches();
    const double begin = now();
    rows->rewind(passes++);
    while (const auto batch = rows->next()) learner->visit(*batch);
    learner->synchronise(comm);
    Progress progress;
    learner->end_pass(progress);
    seconds.push_back(now() - begin);
  }
};

void measure(const std::string& path, std::uint64_t memory, int passes, bool cold) {
  ReadOptions options;
  options.memory = memory;
  const auto source = load(path, options);
  auto& pages = dynamic_cast<PagedSource&>(*source);
  pages.set_room(memory / 2);
  const Shape shape = pages.shape();
  Side perceptron{nullptr, &pages,
                  perceptron_entry().make(complete_options(perceptron_entry().info.table, {}), nullptr, {})};
  Options hinge = complete_options(margin_options(), {});
  hinge["solver"] = std::string("dual");
  const double begin = now();
  auto permuted = permute_pages(pages, 0);
  const double permuting = now() - begin;
  Source* in_order = permuted.get();
  Side descent{std::move(permuted), in_order, make_margin(hinge, nullptr)};
  const auto alone = solo();
  perceptron.learner->begin(shape);
  descent.learner->begin(shape);
  std::vector<double> bare;
  std::uint64_t sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    perceptron.pass(*alone, cold);
    descent.pass(*alone, cold);
    if (cold) drop_caches();
    const double read = now();
    sum += sum_of_words(path);
    bare.push_back(now() - read);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"rows\": {}, \"nonzeros\": {}, \"bytes\": {}, \"permuting\": {}, \"perceptron\": [{}], \"descent\": [{}], "
      "\"bare\": [{}], \"peak\": {}, \"sum\": {}}}\n",
      shape.rows, shape.nonzeros, pages.file()->bytes(), permuting, fmt::join(perceptron.seconds, ", "),
      fmt::join(descent.seconds, ", "), fmt::join(bare, ", "), usage.ru_maxrss * 1024, sum);
}

}  // namespace
}  // namespace linsep

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: linsep_pages FILE.lsp MEMORY PASSES [cold]\n");
    return 2;
  }
  try {
    linsep::measure(argv[1], std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]),
                    argc > 4 && std::strcmp(argv[4], "cold") == 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "linsep_pages: {}\n", error.what());
    return 1;
  }
  return 0;
}
