// What other languages need to know about letters: the table of src/table/words, as ranges of code points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace linsep {

/// Code points first … last of one class, which are lowered by adding `lower`.
struct LetterRange {
  std::uint32_t first = 0, last = 0;
  bool own = false;  ///< each is a word by itself
  std::int32_t lower = 0;
};

/// All code points that belong to words, ascending.
std::vector<LetterRange> letter_ranges();

/// The words of a lowered text as a regular expression of RE2, which ONNX Runtime and DuckDB use.
std::string word_pattern();

}  // namespace linsep
