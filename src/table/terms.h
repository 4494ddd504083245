// Terms of texts: words, n-grams of words, n-grams of characters within words, and their keys. The rules are those of
// docs/tables.md; TableMap::kRules is their version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"

namespace linsep {

/// The key of a category's value: XXH3-64 of its bytes.
std::uint64_t value_key(std::string_view value);
/// The key of two keys, in order: of an n-gram (that of the first n − 1 words, that of the last), of a cross.
std::uint64_t pair_key(std::uint64_t first, std::uint64_t second);
/// The key of a term as `Encoder::terms` has it: words with one blank between them, or characters.
std::uint64_t term_key(std::string_view term, bool characters);

/// Splits texts into terms. One for each thread; what it returns is valid until the next call of `read`.
class TermReader {
 public:
  /// Either words or characters, as an encoder has them.
  TermReader(TermRange words, TermRange chars);

  /// The keys of all terms of the text, in the order of their last word; equal terms as often as they are there.
  std::span<const std::uint64_t> read(std::string_view text);
  /// Term number `i` of the last text read, as `Encoder::terms` has it.
  std::string term(std::size_t i) const;

 private:
  struct Word {
    std::uint32_t begin = 0, end = 0;  ///< in `lowered_`
    std::uint64_t key = 0;
  };
  struct Place {
    std::uint32_t word = 0;               ///< its last word, or the word that characters are in
    std::uint32_t begin = 0, length = 0;  ///< words: how many; characters: bytes of the word with a blank at both ends
  };

  TermRange words_, chars_;
  std::string lowered_;  ///< the words of the text, one behind another
  std::vector<Word> word_;
  std::vector<Place> place_;
  std::vector<std::uint64_t> key_;
};

}  // namespace linsep
