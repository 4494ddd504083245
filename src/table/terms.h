// Terms of texts (words, n-grams of words, n-grams of characters within words) and their keys. The rules are those of
// words/words.h and docs/howto/tables.md. TableMap::kRules is their version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"
#include "table/words/words.h"

namespace linsep {

/// The key of a category's value: XXH3-64 of its bytes.
std::uint64_t value_key(std::string_view value);
/// The key of two keys, in order, for a cross or an n-gram (key of the first n − 1 words, key of the last). XXH3-64 of
/// the 16 bytes, little-endian.
std::uint64_t pair_key(std::uint64_t first, std::uint64_t second);
/// The key of a term in the form of `TermSet::terms`: words with one blank between them, or characters.
std::uint64_t term_key(std::string_view term, bool characters);

/// The key of two values with U+001F between them, the form of a cross. The first U+001F is the one between.
std::uint64_t pair_term_key(std::string_view term);

/// Splits texts into terms. Each thread needs its own. What it returns is valid until the next call of `read`.
class TermReader {
 public:
  /// Reads either words or characters, like an encoder.
  TermReader(TermRange words, TermRange chars);
  /// Uses this version of the functions on words, for tests and benchmarks.
  TermReader(TermRange words, TermRange chars, const words::Version& version);

  /// Returns the keys of all terms of the text, with repetitions. Words come in the order of their last word, shorter
  /// ones first. Characters, of each word with a blank at both ends, come by length and then in the order of the text.
  /// A word that is shorter than n characters, including the blanks, has no n-gram. Throws an input Error for a text of
  /// 2 GiB.
  std::span<const std::uint64_t> read(std::string_view text);
  /// Term number `i` of the latest text, in the form of `TermSet::terms`.
  std::string term(std::size_t i) const;

 private:
  void read_words();
  void read_characters(std::size_t size);
  void read_ascii_characters(std::size_t n);
  void read_characters_of_all(std::size_t n);
  std::string_view word(std::size_t i) const;

  TermRange words_, chars_;
  const words::Version& version_;
  // These only grow. The numbers below count what is in use.
  std::vector<char> spread_;            ///< the spread text
  std::vector<std::uint32_t> marks_;    ///< where its words begin and end
  std::vector<std::uint64_t> single_;   ///< keys of words
  std::vector<std::uint64_t> key_;      ///< of terms
  std::vector<std::uint32_t> begin_;    ///< characters: where each term begins in `spread_`
  std::vector<std::uint64_t> last_;     ///< keys of the n-grams that end at the last word, by n
  std::vector<std::size_t> by_length_;  ///< characters: how many terms there are up to each length
  std::size_t count_ = 0, terms_ = 0;   ///< words, terms
};

}  // namespace linsep
