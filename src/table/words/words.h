// Words of texts, the first step towards terms.
//
// A word is a maximal run of letters, marks, numbers (general categories L, M and N) and `_`, with each code point
// lowered by its simple mapping. Code points of Han, Kana, Thai, Lao, Khmer and Myanmar (the ranges in
// tools/make_unicode_table.py) are words by themselves. Everything else separates words, and so does every byte that
// isn't part of valid UTF-8. The Unicode version is that of unicode_table.inc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace linsep::words {

/// A spread text consists of the lowered words of a text, in order, with at least one blank before, between and after
/// them. No other byte of it is a blank.

/// The size of the largest text that can be spread.
constexpr std::size_t kLargestText = (std::size_t{1} << 31) - 256;
/// How many bytes the spread text may take, including what may be written past its end.
constexpr std::size_t room_for(std::size_t text) { return 2 * text + 192; }

/// The functions in a version for a kind of processor. All versions write the same.
struct Version {
  std::string_view name;
  bool (*runs_here)();
  /// Writes the spread text and returns its size. REQUIRES: room for room_for(text.size()) bytes.
  std::size_t (*spread)(std::string_view text, char* out);
  /// Writes where words of a spread text begin and end, alternately, and returns how many marks that are. REQUIRES: 64
  /// readable bytes after the spread text, and room for size + 64 marks.
  std::size_t (*mark)(const char* spread, std::size_t size, std::uint32_t* marks);
  /// Sets keys[i] to the key (XXH3-64) of the `length` bytes of a spread text from begin[i]. REQUIRES: 8 readable bytes
  /// there.
  void (*window_keys)(const char* spread, const std::uint32_t* begin, std::size_t count, std::size_t length,
                      std::uint64_t* keys);
};

/// The versions that this processor can run, best first. The last one, "strict", goes byte by byte.
const std::vector<Version>& versions();

/// Goes past the bytes that aren't ASCII, the strict way. Moves `at` to the next ASCII byte or to `end`, and returns
/// where `out` is then.
char* spread_others(const char*& at, const char* end, char* out);

#if defined(__x86_64__)
extern const Version kAvx2, kAvx512;
#endif
extern const Version kStrict;

}  // namespace linsep::words
