// The reader of words in C: code points, letters, words, and the bytes of terms.
#include "export/c/text.h"

namespace linsep {

std::string_view c_letter_functions() {
  return R"(
/* The code point at `at`, 0 where there is none, and the place behind it. */
static const unsigned char *@point(const unsigned char *at, uint32_t *code) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned lead = *at;
  const int size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  uint32_t value = size > 1 ? lead & (0xffu >> (size + 1)) : lead;
  int k;
  *code = 0;
  if (size == 0) return at + 1;
  for (k = 1; k < size; ++k) {
    if ((at[k] & 0xc0) != 0x80) return at + 1;
    value = value << 6 | (at[k] & 0x3fu);
  }
  if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return at + 1;
  *code = value;
  return at + size;
}

/* 0: separates words; 1: part of a word; 2: a word of its own. `lowered` is the lower case. */
static int @letter(uint32_t code, uint32_t *lowered) {
  size_t low = 0, high = sizeof @letters / sizeof @letters[0];
  *lowered = code;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (@letters[middle].last < code) {
      low = middle + 1;
    } else if (@letters[middle].first > code) {
      high = middle;
    } else {
      *lowered = (uint32_t)((int64_t)code + @letters[middle].lower);
      return @letters[middle].own ? 2 : 1;
    }
  }
  return 0;
}

/* The next word of the text, which `at` is moved past; 0 at the end. */
static int @next_word(const unsigned char **at, struct @piece *word) {
  uint32_t code, lowered;
  int kind = 0;
  while (kind == 0) {
    if (!**at) return 0;
    word->at = *at;
    *at = @point(*at, &code);
    kind = @letter(code, &lowered);
  }
  word->end = *at;
  while (kind == 1 && **at) {
    const unsigned char *next = @point(*at, &code);
    if (@letter(code, &lowered) != 1) break;
    word->end = *at = next;
  }
  return 1;
}
)";
}

std::string c_bytes_functions(bool lowers) {
  std::string text = R"(
/* The bytes of some pieces one by one; where `lower`, of letters those of the lower case. */
struct @bytes {
  const struct @piece *piece;
  int pieces, have, used, lower;
  const unsigned char *at;
  unsigned char out[4];
};

static struct @bytes @bytes_of(const struct @piece *piece, int pieces, int lower) {
  struct @bytes bytes;
  bytes.piece = piece;
  bytes.pieces = pieces;
  bytes.lower = lower;
  bytes.have = bytes.used = 0;
  bytes.at = pieces > 0 ? piece->at : 0;
  return bytes;
}

/* -1 at the end. */
static int @next_byte(struct @bytes *bytes) {
)";
  if (lowers) text += "  uint32_t code, low;\n";
  text += R"(  if (bytes->used < bytes->have) return bytes->out[bytes->used++];
  while (bytes->pieces > 0 && bytes->at == bytes->piece->end) {
    if (--bytes->pieces > 0) bytes->at = (++bytes->piece)->at;
  }
  if (bytes->pieces == 0) return -1;
)";
  text += lowers ? R"(  if (!bytes->lower) return *bytes->at++;
  bytes->at = @point(bytes->at, &code);
  @letter(code, &low);
  bytes->have = low < 0x80 ? 1 : low < 0x800 ? 2 : low < 0x10000 ? 3 : 4;
  bytes->used = 1;
  switch (bytes->have) {
    case 1: bytes->out[0] = (unsigned char)low; break;
    case 2: bytes->out[0] = (unsigned char)(0xc0 | low >> 6); break;
    case 3: bytes->out[0] = (unsigned char)(0xe0 | low >> 12); break;
    default: bytes->out[0] = (unsigned char)(0xf0 | low >> 18);
  }
  if (bytes->have > 1) bytes->out[bytes->have - 1] = (unsigned char)(0x80 | (low & 0x3f));
  if (bytes->have > 2) bytes->out[bytes->have - 2] = (unsigned char)(0x80 | (low >> 6 & 0x3f));
  if (bytes->have > 3) bytes->out[1] = (unsigned char)(0x80 | (low >> 12 & 0x3f));
  return bytes->out[0];
)"
                 : "  return *bytes->at++;\n";
  return text + "}\n";
}

std::string_view c_term_functions() {
  return R"(
static int @compare_term(const struct @piece *piece, int pieces, const char *term) {
  struct @bytes bytes = @bytes_of(piece, pieces, 1);
  for (;; ++term) {
    const int byte = @next_byte(&bytes);
    const int other = (unsigned char)*term;
    if (byte < 0) return other ? -1 : 0;
    if (byte != other) return byte < other ? -1 : 1;
  }
}

/* The feature of a term, NONE where it has none. */
static uint32_t @find_term(const char *const *terms, const uint32_t *places, size_t count, const struct @piece *piece,
                           int pieces) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = @compare_term(piece, pieces, terms[middle]);
    if (order == 0) return places[middle];
    if (order > 0) low = middle + 1; else high = middle;
  }
  return @NONE;
}
)";
}

}  // namespace linsep
