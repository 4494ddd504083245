// Every fuzz target on its seeds, on the inputs that were kept (corpus/, findings/) and on some thousands of changed
// ones: nothing ends the program. LINSEP_MUTATIONS says how many, LINSEP_SEED which. With LINSEP_LAST_INPUT every input
// is written to that file before it is run, so that one that ends the program is there to be looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "change_json.h"
#include "core/random.h"
#include "format/text/drawn_text.h"
#include "target.h"
#include "train/checkpoint/damage_testing.h"

namespace linsep::fuzz {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

void run(const Target& target, const std::string& input) {
  static const char* last = std::getenv("LINSEP_LAST_INPUT");
  if (last != nullptr) std::ofstream(last, std::ios::binary) << input;
  target.run(input);
}

/// The files of a folder, by name.
std::vector<std::string> inputs_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> inputs;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

/// Bytes and numbers changed, or pieces of text, or parts of JSON.
std::string changed(const Target& target, std::string input, Random& random) {
  if (target.is_json && random.below(2) == 0) return change_json(std::move(input), random);
  if (random.below(2) == 0) return test::mutated(std::move(input), random);
  for (std::uint64_t times = 1 + random.below(3); times > 0; --times) testing::change(input, random);
  return input;
}

void replay(const Target& target) {
  std::vector<std::string> inputs = target.seeds();
  ASSERT_FALSE(inputs.empty());
  std::vector<std::string> corpus = inputs_in(std::filesystem::path(LINSEP_FUZZ_CORPUS) / target.name);
  ASSERT_FALSE(corpus.empty());
  std::ranges::move(corpus, std::back_inserter(inputs));
  std::ranges::move(inputs_in(std::filesystem::path(LINSEP_FUZZ_FINDINGS) / target.name), std::back_inserter(inputs));
  for (const std::string& input : inputs) run(target, input);
  const std::uint64_t seed = number_from("LINSEP_SEED", 1);
  for (std::uint64_t i = 0; i < number_from("LINSEP_MUTATIONS", 8000); ++i) {
    Random random(seed, i);
    run(target, changed(target, inputs[random.below(inputs.size())], random));
  }
}

#ifdef LINSEP_FUZZ_readers
TEST(Fuzz, Texts) { replay(text_target()); }
TEST(Fuzz, Arrays) { replay(arrays_target()); }
TEST(Fuzz, Models) { replay(models_target()); }
TEST(Fuzz, Certificates) { replay(certificates_target()); }
#else
TEST(Fuzz, PageFiles) { replay(pages_target()); }
TEST(Fuzz, Checkpoints) { replay(checkpoints_target()); }
#endif

}  // namespace
}  // namespace linsep::fuzz
