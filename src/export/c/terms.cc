// Texts in C: count every known term, then weigh the counts in ascending order of features.
#include <fmt/format.h>

#include "export/c/text.h"
#include "export/c/writer.h"

namespace linsep {
namespace {

/// The value of a count before the length is divided by, from `count` (never 0) and `place`.
std::string weight_text(const Encoder& e, std::size_t number) {
  std::string value = "(double)count";
  if (e.weight == TermWeight::kSqrt)
    value = e.has_signs ? "(count < 0 ? -sqrt(-(double)count) : sqrt((double)count))" : "sqrt((double)count)";
  if (e.weight == TermWeight::kPresence) value = e.has_signs ? "(count < 0 ? -1.0 : 1.0)" : "1.0";
  return e.idf.empty() ? value : fmt::format("{} * @idf_{}[place]", value, number);
}

std::size_t places_of(const Encoder& e) {
  if (e.bits == 0) return e.terms.size();
  return e.every_bucket ? std::size_t{1} << static_cast<unsigned>(e.bits) : e.buckets.size();
}

/// Every n-gram of words: exact by its bytes, hashed by its key.
std::string word_loop(const Encoder& e, std::size_t number, const std::string& found) {
  if (e.bits == 0) {
    return fmt::format(R"(
  struct @piece piece[{0}];
  int words = 0, n, k;
  for (k = 0; k < {0}; ++k) {{
    piece[k].at = @blank;
    piece[k].end = @blank + 1;
  }}
  while (@next_word(&at, &piece[{1}])) {{
    if (words < {2}) ++words;
    for (n = {3}; n <= words; ++n) {{
      const uint32_t place = @find_term(@values_{4}, @places_{4}, {5}, piece + {0} - (2 * n - 1), 2 * n - 1);
{6}    }}
    for (k = 0; k + 2 < {0}; k += 2) piece[k] = piece[k + 2];
  }}
)",
                       2 * e.words.to - 1, 2 * e.words.to - 2, e.words.to, e.words.from, number, e.terms.size(), found);
  }
  return fmt::format(R"(
  struct @piece word;
  uint64_t last[{0} + 1] = {{0}};
  int words = 0, n;
  while (@next_word(&at, &word)) {{
    const uint64_t own = @hash_bytes(@bytes_of(&word, 1, 1));
    if (words < {0}) ++words;
    for (n = words; n > 1; --n) last[n] = @hash_pair(last[n - 1], own);
    last[1] = own;
    for (n = {1}; n <= words; ++n) {{
      const uint64_t key = last[n];
{2}    }}
  }}
)",
                     e.words.to, e.words.from, found);
}

/// Every n-gram of characters within words, a blank at both ends.
std::string character_loop(const Encoder& e, std::size_t number, const std::string& found) {
  const std::string look = e.bits == 0
                               ? fmt::format(
                                     "const uint32_t place = @find_term(@values_{0}, @places_{0}, {1}, "
                                     "piece + first, last - first + 1);\n",
                                     number, e.terms.size())
                               : "const uint64_t key = @hash_bytes(@bytes_of(piece + first, last - first + 1, 1));\n";
  return fmt::format(R"(
  struct @piece word, piece[3];
  piece[0].at = piece[2].at = @blank;
  piece[0].end = piece[2].end = @blank + 1;
  while (@next_word(&at, &word)) {{
    const unsigned char *begin, *end;
    uint32_t code;
    int n, size = 2, from, k;
    for (begin = word.at; begin < word.end; begin = @point(begin, &code)) ++size;
    for (n = {0}; n <= {1} && n <= size; ++n) {{
      begin = end = word.at;
      for (k = 1; k < n && end < word.end; ++k) end = @point(end, &code);
      for (from = 0; from + n <= size; ++from) {{
        const int first = from > 0, last = from + n == size ? 2 : 1;
        piece[1].at = begin;
        piece[1].end = end;
        {{
        {2}{3}        }}
        if (from > 0) begin = @point(begin, &code);
        if (end < word.end) end = @point(end, &code);
      }}
    }}
  }}
)",
                     e.chars.from, e.chars.to, look, found);
}

}  // namespace

/// What is done with `place` or, hashed, `key`: count it, and remember that it was met.
std::string CWriter::found_terms(std::size_t number) const {
  const Encoder& e = encoder(number);
  const std::string count = fmt::format(
      "      if (place != @NONE) {{\n        @count_{0}[place] += {1};\n"
      "        @met_{0}[place / 64] |= UINT64_C(1) << place % 64;\n      }}\n",
      number, e.has_signs ? "(key >> 63) ? -1 : 1" : "1");
  if (e.bits == 0) return count;
  const std::string bucket = fmt::format("key & {}u", (std::uint64_t{1} << static_cast<unsigned>(e.bits)) - 1);
  return (e.every_bucket ? fmt::format("      const uint32_t place = (uint32_t)({});\n", bucket)
                         : fmt::format("      const uint32_t place = @find_bucket(@buckets_{}, {}, {});\n", number,
                                       e.buckets.size(), bucket)) +
         count;
}

std::string CWriter::text_function(std::size_t number) const {
  const Encoder& e = encoder(number);
  const std::size_t places = places_of(e), blocks = (places + 63) / 64;
  if (places == 0)
    return fmt::format(
        "\nstatic void @text_{}(struct @sum *sum, const char *text) {{\n  (void)sum;\n  (void)text;\n}}\n", number);
  const std::string loop =
      e.chars.none() ? word_loop(e, number, found_terms(number)) : character_loop(e, number, found_terms(number));
  return fmt::format(R"(
/* Of the text that is being scored. */
static @THREAD int32_t @count_{0}[{1}];
static @THREAD uint64_t @met_{0}[{2}];

static void @terms_{0}(const unsigned char *at) {{{3}}}

static void @text_{0}(struct @sum *sum, const char *text) {{
  double squares = 0.0, length = 1.0;
  size_t block, place;
  int pass;
  if (!text) return;
  @terms_{0}((const unsigned char *)text);
  for (pass = 0; pass < 2; ++pass) {{
    for (block = 0; block < {2}; ++block) {{
      for (place = 64 * block; @met_{0}[block] >> place % 64 && place / 64 == block; ++place) {{
        const int32_t count = @count_{0}[place];
        if (count != 0) {{
          const double value = {4};
          if (pass == 0) squares += value * value; else @add(sum, {5} + place, value / length);
        }}
        if (pass == 1) @count_{0}[place] = 0;
      }}
      if (pass == 1) @met_{0}[block] = 0;
    }}
{6}  }}
}}
)",
                     number, places, blocks, loop, weight_text(e, number), start_[number],
                     e.norm ? "    if (pass == 0 && squares > 0.0) length = sqrt(squares);\n" : "    (void)squares;\n");
}

}  // namespace linsep
