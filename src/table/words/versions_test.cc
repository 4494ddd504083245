// Compares every version of the functions on words with the strict one, on drawn texts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "core/random.h"
#include "table/terms.h"
#include "table/words/words.h"

namespace linsep {
namespace {

struct Marked {
  std::string spread;
  std::vector<std::uint32_t> marks;

  bool operator==(const Marked&) const = default;
};

/// The text is copied to the end of a block of its own size, so that sanitizers catch reads beyond it.
Marked marked(const words::Version& version, const std::string& text) {
  const std::vector<char> copy(text.begin(), text.end());
  std::vector<char> spread(words::room_for(text.size()), '#');
  const std::size_t size = version.spread({copy.data(), copy.size()}, spread.data());
  std::vector<std::uint32_t> marks(size + 64);
  marks.resize(version.mark(spread.data(), size, marks.data()));
  return {{spread.data(), size}, marks};
}

void append(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

enum class Script { kAscii, kLatin, kAny, kBroken };

/// Runs of code points of one kind, so that words of all lengths cross the ends of blocks.
std::string drawn_text(Random& random, Script script) {
  std::string text;
  const std::uint64_t pieces = random.below(40);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t length = random.below(random.below(8) == 0 ? 150 : 9);
    const bool word = random.below(4) != 0;
    const bool ascii = script == Script::kAscii || random.below(3) == 0;
    const std::uint32_t block = static_cast<std::uint32_t>(random.below(0x1100)) << 8;
    for (std::uint64_t k = 0; k < length; ++k) {
      constexpr std::string_view kWord = "abcxyzABCXYZ0189_";
      if (script == Script::kBroken && random.below(3) == 0) {
        text += static_cast<char>(random.below(256));
      } else if (ascii) {
        text += word ? kWord[random.below(kWord.size())] : static_cast<char>(random.below(128));
      } else if (script == Script::kLatin) {
        append(text, 0xc0 + static_cast<std::uint32_t>(random.below(0x180)));
      } else {
        append(text, block < 0x10000 || random.below(2) == 0 ? block | static_cast<std::uint32_t>(random.below(256))
                                                             : static_cast<std::uint32_t>(random.below(0x10000)));
      }
    }
  }
  return text;
}

void expect_versions_agree(const std::string& text) {
  const Marked strict = marked(words::kStrict, text);
  for (const words::Version& version : words::versions()) EXPECT_EQ(marked(version, text), strict) << version.name;
}

TEST(WordVersions, AgreeOnDrawnTexts) {
  for (const Script script : {Script::kAscii, Script::kLatin, Script::kAny, Script::kBroken}) {
    rc::check([script](std::uint64_t seed) {
      Random random(seed);
      for (int i = 0; i < 5; ++i) expect_versions_agree(drawn_text(random, script));
      RC_ASSERT(!::testing::Test::HasFailure());
    });
  }
}

TEST(WordVersions, AgreeOnKeysOfWindows) {
  Random random(1);
  std::string text(300, ' ');
  for (char& c : text) c = static_cast<char>(random.below(256));
  for (std::size_t length = 1; length <= 20; ++length) {
    for (std::size_t count = 0; count < 20; ++count) {
      std::vector<std::uint32_t> begin(count);
      for (std::uint32_t& at : begin) at = static_cast<std::uint32_t>(random.below(270));
      for (const words::Version& version : words::versions()) {
        std::vector<std::uint64_t> keys(count);
        version.window_keys(text.data(), begin.data(), count, length, keys.data());
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_EQ(keys[i], value_key(std::string_view(text).substr(begin[i], length))) << version.name;
        }
      }
    }
  }
}

TEST(WordVersions, AgreeOnEveryByteAtEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t at = 0; at < 140; at += 1 + at / 3) {
      std::string text(140, 'W');
      text[at] = static_cast<char>(byte);
      expect_versions_agree(text);
      expect_versions_agree(text.substr(0, at + 1));
    }
  }
}

TEST(WordVersions, AgreeOnEveryCodePoint) {
  for (std::uint32_t first = 0; first < 0x110000; first += 256) {
    std::string text;
    for (std::uint32_t code = first; code < first + 256; ++code) {
      append(text, code);
      if (code % 3 == 0) text += 'a';
    }
    expect_versions_agree(text);
    ASSERT_FALSE(::testing::Test::HasFailure()) << first;
  }
}

TEST(WordVersions, TheStrictOneIsAlwaysThereAndLast) { EXPECT_EQ(words::versions().back().name, "strict"); }

}  // namespace
}  // namespace linsep
