// Broken files. Each is refused with an input Error or is another valid model. Nothing crashes.
#define XXH_INLINE_ALL
#include <gtest/gtest.h>
#include <xxhash.h>

#include <array>
#include <cstring>

#include "core/random.h"
#include "linsep/error.h"
#include "model/examples_test.h"
#include "model/model.h"

namespace linsep {
namespace {

constexpr int kFilesEach = 1500;

std::string mutated(std::string bytes, Random& random) {
  static constexpr std::array<std::string_view, 18> kPieces = {"-1",
                                                               "1e999",
                                                               "18446744073709551616",
                                                               "4294967295",
                                                               "null",
                                                               "[]",
                                                               "{}",
                                                               "\"",
                                                               "\\ud800",
                                                               "polynomial:99",
                                                               "dual",
                                                               "voted",
                                                               "\xff",
                                                               "[[[[",
                                                               "vector",
                                                               "category",
                                                               "false",
                                                               "\x1f"};
  const std::uint64_t changes = 1 + random.below(3);
  for (std::uint64_t c = 0; c < changes && !bytes.empty(); ++c) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + random.below(12));
    switch (random.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), length));
        break;
      case 3:
        bytes.replace(at, length, kPieces[random.below(kPieces.size())]);
        break;
      case 4:
        bytes.resize(at);
        break;
      default: {
        // A number becomes another number, so that the JSON stays valid while its meaning changes.
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        if (digit != std::string::npos) bytes.replace(digit, 1, std::to_string(random.below(1000)));
      }
    }
  }
  return bytes;
}

/// Puts the right checksum under changed content, to test what lies behind the checksum too.
void sign(std::string& bytes) {
  if (bytes.size() < 8) return;
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size() - 8);
  std::memcpy(bytes.data() + bytes.size() - 8, &hash, 8);
}

/// Loads, and uses what was loaded. True if the file was refused.
bool refused(const std::string& bytes) {
  Model model;
  try {
    model = model_from_bytes(bytes, "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput) << error.what();
    EXPECT_GT(std::strlen(error.what()), 5U);
    return true;
  }
  EXPECT_EQ(problem_of(model), "");
  scores(model, {{1, 2, 3, 4}}, false, true);
  EXPECT_EQ(model_from_bytes(model_to_json(model), "m"), model);
  const auto mapped = static_cast<std::uint32_t>(weights_of(model, 0).size());
  EXPECT_TRUE(mapped == 0 || !feature_name(model, mapped - 1).empty());
  return false;
}

TEST(BrokenModelFile, IsRefusedOrIsAnotherModelNeverACrash) {
  Random random(20);
  int refusals = 0;
  int all = 0;
  for (const Model& model : examples()) {
    for (int i = 0; i < kFilesEach; ++i) {
      std::string binary = mutated(model_to_binary(model), random);
      if (i % 4 != 0) sign(binary);
      refusals += refused(binary) ? 1 : 0;
      refusals += refused(mutated(model_to_json(model), random)) ? 1 : 0;
      all += 2;
    }
  }
  EXPECT_GT(refusals, all / 2);
  EXPECT_LT(refusals, all);
}

TEST(BrokenModelFile, CutAnywhereIsRefused) {
  for (const Model& model : examples()) {
    for (const std::string& bytes : {model_to_binary(model), model_to_json(model)}) {
      for (std::size_t size = 0; size + 2 < bytes.size(); ++size) EXPECT_TRUE(refused(bytes.substr(0, size))) << size;
    }
  }
}

TEST(BrokenModelFile, WithAnyBitFlippedInBinaryIsRefused) {
  const std::string good = model_to_binary(voted_example());
  for (std::size_t bit = 64; bit < good.size() * 8; ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(refused(bytes)) << bit;
  }
}

TEST(BrokenModelFile, NestedDeeplyIsRefused) {
  EXPECT_TRUE(refused(std::string(1'000'000, '[')));
  EXPECT_TRUE(refused(std::string(1'000'000, '[') + std::string(1'000'000, ']')));
}

}  // namespace
}  // namespace linsep
