#include "table/terms.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "core/random.h"

namespace linsep {
namespace {

using Strings = std::vector<std::string>;

Strings terms_of(std::string_view text, TermRange words, TermRange chars = {}) {
  TermReader reader(words, chars);
  Strings terms;
  for (std::size_t i = 0; i < reader.read(text).size(); ++i) terms.push_back(reader.term(i));
  return terms;
}
Strings words_of(std::string_view text) { return terms_of(text, {1, 1}); }

TEST(Words, AreRunsOfLettersMarksNumbersAndUnderscores) {
  EXPECT_EQ(words_of("Free PRIZE_2, call 0900-1234!"), (Strings{"free", "prize_2", "call", "0900", "1234"}));
  EXPECT_EQ(words_of("don't"), (Strings{"don", "t"}));
  EXPECT_EQ(words_of("हिन्दी में"), (Strings{"हिन्दी", "में"})) << "vowel signs are marks";
  EXPECT_EQ(words_of("Ⅷ ½ x²"), (Strings{"ⅷ", "½", "x²"}));
  EXPECT_EQ(words_of("a😀b"), (Strings{"a", "b"}));
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" ?!\n").empty());
}

TEST(Words, AreLoweredCodePointByCodePoint) {
  EXPECT_EQ(words_of("ÄÖÜ ΣΑΣ ЖУК ẞ"), (Strings{"äöü", "σασ", "жук", "ß"}));
  EXPECT_EQ(words_of("İstanbul"), (Strings{"istanbul"})) << "the simple mapping, not the full one";
  EXPECT_EQ(words_of("Ⱥ"), (Strings{"ⱥ"})) << "from two bytes to three";
  EXPECT_EQ(words_of("\u212Aelvin"), (Strings{"kelvin"})) << "from three bytes to one";
}

TEST(Words, OfScriptsWithoutBlanksAreSingleCodePoints) {
  EXPECT_EQ(words_of("ab中国cd"), (Strings{"ab", "中", "国", "cd"}));
  EXPECT_EQ(words_of("カナ กข"), (Strings{"カ", "ナ", "ก", "ข"}));
  EXPECT_EQ(words_of("한국어"), (Strings{"한국어"})) << "Hangul has blanks";
  EXPECT_EQ(terms_of("中国", {2, 2}), (Strings{"中 国"}));
}

TEST(Words, EndAtBytesThatAreNotUtf8) {
  EXPECT_EQ(words_of("a\xffz"), (Strings{"a", "z"}));
  EXPECT_EQ(words_of("a\xc3"), (Strings{"a"}));
  EXPECT_EQ(words_of("a\xe2\x82z"), (Strings{"a", "z"}));
  EXPECT_EQ(words_of("a\xc0\xafz"), (Strings{"a", "z"})) << "not the shortest form";
  EXPECT_EQ(words_of("a\xed\xa0\x80z"), (Strings{"a", "z"})) << "a surrogate";
  EXPECT_EQ(words_of("a\xf4\x90\x80\x80z"), (Strings{"a", "z"})) << "past the last code point";
}

TEST(Terms, OfWordsComeByTheirLastWordShorterOnesFirst) {
  EXPECT_EQ(terms_of("A b C", {1, 2}), (Strings{"a", "b", "a b", "c", "b c"}));
  EXPECT_EQ(terms_of("a b c d", {2, 3}), (Strings{"a b", "b c", "a b c", "c d", "b c d"}));
  EXPECT_EQ(terms_of("a b c d", {3, 3}), (Strings{"a b c", "b c d"}));
  EXPECT_EQ(terms_of("a b", {3, 4}), (Strings{}));
  EXPECT_EQ(terms_of("a b c d e", {1, 4}), (Strings{"a", "b", "a b", "c", "b c", "a b c", "d", "c d", "b c d",
                                                    "a b c d", "e", "d e", "c d e", "b c d e"}));
}

TEST(Terms, OfCharactersHaveABlankAtBothEndsOfAWord) {
  EXPECT_EQ(terms_of("Ab c", {}, {3, 4}), (Strings{" ab", "ab ", " c ", " ab "}));
  EXPECT_EQ(terms_of("né", {}, {2, 3}), (Strings{" n", "né", "é ", " né", "né "})) << "counted in code points";
  EXPECT_EQ(terms_of("x", {}, {4, 5}), (Strings{}));
}

TEST(Terms, HaveTheKeyOfTheirText) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const Strings pieces = {"a", "Bc", "dog", "é", "中", "ไ", "\xff", " ", ", ", "ſ", "_", "ЖЖЖЖЖЖЖЖЖ", "word"};
    std::string text;
    for (std::uint64_t n = random.below(40); n > 0; --n) text += pieces[random.below(pieces.size())];
    for (const bool characters : {false, true}) {
      const auto from = static_cast<int>(1 + random.below(3));
      const TermRange range{from, from + static_cast<int>(random.below(3))};
      TermReader reader(characters ? TermRange{} : range, characters ? range : TermRange{});
      const auto keys = reader.read(text);
      for (std::size_t i = 0; i < keys.size(); ++i) RC_ASSERT(keys[i] == term_key(reader.term(i), characters));
    }
  });
}

TEST(Keys, AreThoseOfXxh3) {
  EXPECT_EQ(value_key(""), 0x2d06800538d394c2U);
  EXPECT_EQ(pair_key(0x6766656463626130, 0x7675747372717069), value_key("0abcdefgipqrstuv"));
  EXPECT_EQ(term_key("free prize now", false),
            pair_key(pair_key(value_key("free"), value_key("prize")), value_key("now")));
  EXPECT_EQ(term_key("a b", true), value_key("a b"));
}

}  // namespace
}  // namespace linsep
