// Rows in pages on disk. Every learner and certify give the same bits as from memory.
#include <gtest/gtest.h>

#include "data/paged/page_file.h"
#include "data/paged/paged_source.h"
#include "data/test_rows.h"
#include "linsep/certify.h"
#include "linsep/error.h"
#include "linsep/train.h"
#include "os/file.h"

namespace linsep {
namespace {

constexpr std::uint32_t kFeatures = 5;
constexpr std::size_t kPageRows = 60;

std::shared_ptr<PageFile> pages_of(const std::vector<PlainRow>& rows, bool dense) {
  PageLayout layout;
  layout.dense = dense;
  layout.weighted = true;
  layout.stride = dense ? kFeatures : 0;
  PageWriter writer(StreamedFile::nameless(), layout, 1);
  for (const Page& page : plain_pages(rows, kFeatures, kPageRows, dense)) writer.add(page, false);
  const StreamedFile made = writer.finish(kFeatures, "");
  return std::make_shared<PageFile>(OpenFile::again(made, "test.lsp"));
}

const Schema kClasses{{"-1", "1"}, {}};

Schema schema_for(const std::string& learner) { return learner_info(learner).regression ? Schema{} : kClasses; }

/// A learner with options that choose one of its ways.
struct Way {
  std::string learner;
  Options options;
};

std::vector<Way> ways() {
  const auto text = [](const char* word) { return OptionValue(std::string(word)); };
  return {
      {"perceptron", {{"passes", std::int64_t{5}}}},
      {"perceptron", {{"passes", std::int64_t{5}}, {"order", text("shuffled")}, {"variant", text("averaged")}}},
      {"perceptron", {{"passes", std::int64_t{5}}, {"order", text("drawn")}, {"variant", text("voted")}}},
      {"dual", {{"passes", std::int64_t{5}}}},
      {"dual", {{"passes", std::int64_t{5}}, {"kernel", text("gaussian")}, {"order", text("shuffled")}}},
      {"basic", {}},
      {"least-squares", {}},
      {"least-squares", {{"matrix", text("cg")}}},
      {"regression", {{"passes", std::int64_t{5}}, {"rate", 0.001}}},
      {"margin", {{"solver", text("dual")}}},
      {"margin", {{"solver", text("dual")}, {"loss", text("squared-hinge")}}},
      {"margin", {{"solver", text("interior")}}},
      {"margin", {{"loss", text("logistic")}}},
      {"margin", {{"solver", text("planes")}, {"passes", std::int64_t{60}}}},
  };
}

Outcome fitted(Source& source, const Way& way) {
  TrainSpec spec;
  spec.learner = way.learner;
  for (const auto& [name, value] : way.options) {
    if (find_option(learner_info(way.learner).table, name) != nullptr) spec.options[name] = value;
  }
  return fit(source, spec, {}, *solo());
}

TEST(Pages, EveryLearnerGivesTheModelThatItGivesFromMemory) {
  const auto rows = drawn_rows(700, kFeatures, 11);
  for (const bool dense : {false, true}) {
    const auto file = pages_of(rows, dense);
    for (const Way& way : ways()) {
      MemorySource memory(plain_pages(rows, kFeatures, 33, dense), schema_for(way.learner), kFeatures);
      const std::string expected = model_to_json(fitted(memory, way).model);
      for (const std::size_t pages : {1U, 2U, 3U, 100U}) {
        PagedSource paged(file, schema_for(way.learner), kFeatures, all_pages(*file));
        paged.set_room(pages * file->largest_page());
        ASSERT_EQ(model_to_json(fitted(paged, way).model), expected) << way.learner << ", " << pages << " pages";
      }
    }
  }
}

TEST(Pages, CertifyGivesTheCertificateThatItGivesFromMemory) {
  for (const std::int64_t count : {12, 700}) {
    const auto rows = drawn_rows(count, kFeatures, 11);
    const auto file = pages_of(rows, false);
    MemorySource memory(plain_pages(rows, kFeatures, 33), kClasses, kFeatures);
    const Certificate expected = certify(memory, {}, *solo()).certificate;
    for (const std::size_t pages : {1U, 2U, 3U}) {
      PagedSource paged(file, kClasses, kFeatures, all_pages(*file));
      paged.set_room(pages * file->largest_page());
      EXPECT_EQ(certify(paged, {}, *solo()).certificate, expected) << pages << " pages";
    }
  }
}

TEST(Pages, TooLittleMemoryIsSaidWithWhatWouldBeEnough) {
  const auto rows = drawn_rows(700, kFeatures, 11);
  const auto file = pages_of(rows, false);
  PagedSource paged(file, kClasses, kFeatures, all_pages(*file));
  TrainSpec spec;
  TrainOptions limits;
  limits.memory = 1 << 20;
  try {
    fit(paged, spec, limits, *solo());
    FAIL() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    const std::string said = error.what(), all = said.substr(said.rfind(' ') + 1);
    EXPECT_EQ(said, "this run needs " + all + " of memory in all, and 'memory' allows 1M: give 'memory' " + all);
  }
}

}  // namespace
}  // namespace linsep
