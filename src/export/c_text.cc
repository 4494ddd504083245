#include "export/c_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace linsep {
namespace {

constexpr std::size_t kLongestLiteral = 4000;  // C99 guarantees 4,095 bytes

/// Words that can't name a field, between blanks. They are keywords of C and C++, and words in lower case that headers
/// or compilers define as macros.
constexpr std::string_view kReserved =
    " alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool "
    "break case catch char char8_t char16_t char32_t class co_await co_return co_yield compl complex concept "
    "const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast "
    "else enum errno explicit export extern false far float for friend goto i386 if imaginary inline int "
    "interface linux lo"
    "ng math_errhandling mutable namespace near new noexcept noreturn not not_eq nullptr "
    "operator or or_eq private protected public reflexpr register reinterpret_cast requires restrict return "
    "short signed sizeof small static static_assert static_cast stderr stdin stdout struct switch "
    "synchronized template this thread_local throw true try typedef typeid typename typeof typeof_unqual "
    "union unix unsigned using virtual void volatile wchar_t while xor xor_eq ";

bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }
bool is_upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_in_capitals(std::string_view text) { return std::ranges::none_of(text, is_lower); }

/// Macros are written in capitals, perhaps after a letter and an underscore (NULL, EOF, P_tmpdir), so no field is. The
/// macros of the file itself begin with `prefix`.
std::string field_name(const std::string& name, const std::string& prefix) {
  std::string text = c_prefix(name);
  if (is_in_capitals(text) || (text.size() > 1 && is_upper(text[0]) && text[1] == '_')) {
    for (char& byte : text) byte = is_upper(byte) ? static_cast<char>(byte - 'A' + 'a') : byte;
  }
  const bool own = text.starts_with(prefix) && is_in_capitals(std::string_view(text).substr(prefix.size()));
  return own || kReserved.find(" " + text + " ") != std::string_view::npos ? text + "_" : text;
}

}  // namespace

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string c_string(std::string_view bytes) {
  std::string text = "\"";
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\' || byte == '?') {  // ?? might begin a trigraph
      text += '\\';
      text += byte;
    } else if (code >= 32 && code < 127 && byte != '@') {  // '@' stands for the file's name
      text += byte;
    } else {
      text += fmt::format("\\{:03o}", static_cast<unsigned>(code));
    }
  }
  return text + '"';
}

std::string c_comment(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const bool plain =
        byte >= 32 && byte < 127 && byte != '*' && byte != '@' && byte != '/' && byte != '\\' && byte != '?';
    text += plain ? byte : '_';
  }
  return text;
}

std::string c_prefix(const std::string& name) {
  std::string text;
  for (const char byte : name) text.push_back(is_lower(byte) || is_upper(byte) || is_digit(byte) ? byte : '_');
  if (text.empty() || text[0] == '_') return "column" + text;  // names with a leading underscore belong to the compiler
  return is_digit(text[0]) ? "column_" + text : text;
}

std::vector<std::string> c_fields(const std::vector<std::string>& names, const std::string& prefix) {
  std::vector<std::string> made;
  for (const std::string& name : names) {
    const std::string base = field_name(name, prefix + "_");
    std::string own = base;
    for (int k = 2; std::ranges::find(made, own) != made.end(); ++k) own = fmt::format("{}_{}", base, k);
    made.push_back(own);
  }
  return made;
}

std::string with_prefix(std::string_view text, const std::string& name) {
  std::string result;
  for (const char byte : text) {
    if (byte == '@') {
      result += name;
      result += '_';
    } else {
      result += byte;
    }
  }
  return result;
}

std::string c_array(const std::string& type, const std::string& name, const std::vector<std::string>& values) {
  std::string text = fmt::format("static const {} {}[] = {{", type, name);
  std::size_t line = 200;
  for (const std::string& value : values) {
    if (line + value.size() > 100) {
      text += "\n  ";
      line = 0;
    }
    text += value;
    text += ", ";
    line += value.size() + 2;
  }
  if (values.empty()) text += "0";
  return text + "\n};\n";
}

std::string c_string_array(const std::string& name, const std::vector<std::string_view>& values) {
  std::string text;
  std::vector<std::string> entries;
  for (const std::string_view value : values) {
    if (value.size() <= kLongestLiteral) {
      entries.push_back(c_string(value));
      continue;
    }
    std::vector<std::string> bytes;
    for (const char byte : value) bytes.push_back(fmt::format("{}", static_cast<int>(static_cast<signed char>(byte))));
    bytes.emplace_back("0");
    entries.push_back(fmt::format("(const char *){}_{}", name, entries.size()));
    text += c_array("signed char", fmt::format("{}_{}", name, entries.size() - 1), bytes);
  }
  return text + c_array("char *const", name, entries);
}

std::string c_date_functions(const CDateParts& parts) {
  std::string text = R"(
/* Whole days since 1970-01-01, and from them a part of the date, from 0: Monday, January, midnight. */
static double @days(double seconds) { return floor(seconds / 86400.0); }
)";
  if (parts.weekday) {
    text += R"(static size_t @weekday(double seconds) {
  const double day = @days(seconds) + 3.0;
  return (size_t)(day - 7.0 * floor(day / 7.0));
}
)";
  }
  if (parts.hour) {
    text +=
        R"(static size_t @hour(double seconds) { return (size_t)floor((seconds - 86400.0 * @days(seconds)) / 3600.0); }
)";
  }
  if (parts.month) {
    text += R"(static size_t @month(double seconds) {
  /* Years that begin in March; 400 of them have 146097 days. */
  const double z = @days(seconds) + 719468.0;
  const int32_t day = (int32_t)(z - 146097.0 * floor(z / 146097.0));
  const int32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const int32_t march = (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153;
  return (size_t)((march + 2) % 12);
}
)";
  }
  return text;
}

std::string_view c_find_function() {
  return R"(
/* The feature of a value: `values` ascend by bytes. */
static uint32_t @find(const char *const *values, const uint32_t *places, size_t count, const char *value,
                      uint32_t otherwise) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(values[middle], value);
    if (order == 0) return places[middle];
    if (order < 0) low = middle + 1; else high = middle;
  }
  return otherwise;
}
)";
}

std::string_view c_find_pair_functions() {
  return R"(
/* The same for two values, with the byte 31 between them. */
static int @compare_pair(const char *pair, const char *first, const char *second) {
  for (; *first; ++first, ++pair) {
    if (*pair != *first) return (unsigned char)*pair < (unsigned char)*first ? -1 : 1;
  }
  if (*pair != 31) return (unsigned char)*pair < 31 ? -1 : 1;
  return strcmp(pair + 1, second);
}

static uint32_t @find_pair(const char *const *values, const uint32_t *places, size_t count, const char *first,
                           const char *second, uint32_t otherwise) {
  size_t low = 0, high = count;
  if (strchr(first, 31)) return otherwise;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = @compare_pair(values[middle], first, second);
    if (order == 0) return places[middle];
    if (order < 0) low = middle + 1; else high = middle;
  }
  return otherwise;
}
)";
}

// Reads words in C: code points, letters, words, and the bytes of terms.

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

namespace {

// XXH3 with 64 bits and seed 0 in C, over bytes that come one by one. Short inputs are gathered, and the last 128 bytes
// of longer ones are kept.

constexpr std::string_view kHash = R"(
static uint64_t @read64(const unsigned char *at) {
  uint64_t value = 0;
  int k;
  for (k = 7; k >= 0; --k) value = value << 8 | at[k];
  return value;
}
static uint64_t @read32(const unsigned char *at) {
  return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}
static uint64_t @swap64(uint64_t value) {
  uint64_t swapped = 0;
  int k;
  for (k = 0; k < 8; ++k, value >>= 8) swapped = swapped << 8 | (value & 255);
  return swapped;
}
static uint64_t @rotated(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

/* Both halves of the product, one xor the other. */
static uint64_t @folded(uint64_t a, uint64_t b) {
  const uint64_t mask = UINT64_C(0xffffffff);
  const uint64_t low = (a & mask) * (b & mask), high_low = (a >> 32) * (b & mask);
  const uint64_t low_high = (a & mask) * (b >> 32), high = (a >> 32) * (b >> 32);
  const uint64_t cross = (low >> 32) + (high_low & mask) + low_high;
  return ((high_low >> 32) + (cross >> 32) + high) ^ (cross << 32 | (low & mask));
}
static uint64_t @stirred(uint64_t h) {
  h ^= h >> 37;
  h *= UINT64_C(0x165667919E3779F9);
  return h ^ h >> 32;
}
static uint64_t @stirred_short(uint64_t h) {
  h ^= h >> 33;
  h *= UINT64_C(0xC2B2AE3D27D4EB4F);
  h ^= h >> 29;
  h *= UINT64_C(0x165667B19E3779F9);
  return h ^ h >> 32;
}
static uint64_t @mixed(const unsigned char *in, const unsigned char *secret) {
  return @folded(@read64(in) ^ @read64(secret), @read64(in + 8) ^ @read64(secret + 8));
}

/* Up to 16 bytes. */
static uint64_t @hash_16(const unsigned char *in, size_t size) {
  uint64_t low, high;
  if (size == 0) return @stirred_short(@read64(@secret + 56) ^ @read64(@secret + 64));
  if (size <= 3) {
    low = (uint64_t)in[0] << 16 | (uint64_t)in[size / 2] << 24 | in[size - 1] | (uint64_t)size << 8;
    return @stirred_short(low ^ (@read32(@secret) ^ @read32(@secret + 4)));
  }
  if (size <= 8) {
    high = @read32(in + size - 4) + (@read32(in) << 32);
    high ^= @read64(@secret + 8) ^ @read64(@secret + 16);
    high ^= @rotated(high, 49) ^ @rotated(high, 24);
    high *= UINT64_C(0x9FB21C651E98DF25);
    high ^= (high >> 35) + size;
    high *= UINT64_C(0x9FB21C651E98DF25);
    return high ^ high >> 28;
  }
  low = @read64(in) ^ (@read64(@secret + 24) ^ @read64(@secret + 32));
  high = @read64(in + size - 8) ^ (@read64(@secret + 40) ^ @read64(@secret + 48));
  return @stirred(size + @swap64(low) + high + @folded(low, high));
}

/* Up to 240 bytes. */
static uint64_t @hash_240(const unsigned char *in, size_t size) {
  uint64_t sum = size * UINT64_C(0x9E3779B185EBCA87);
  size_t k;
  if (size <= 16) return @hash_16(in, size);
  if (size <= 128) {
    for (k = (size - 1) / 32 + 1; k-- > 0;) {
      sum += @mixed(in + 16 * k, @secret + 32 * k) + @mixed(in + size - 16 * (k + 1), @secret + 32 * k + 16);
    }
    return @stirred(sum);
  }
  for (k = 0; k < 8; ++k) sum += @mixed(in + 16 * k, @secret + 16 * k);
  sum = @stirred(sum);
  for (k = 8; k < size / 16; ++k) sum += @mixed(in + 16 * k, @secret + 16 * (k - 8) + 3);
  return @stirred(sum + @mixed(in + size - 16, @secret + 136 - 17));
}

static void @accumulate(uint64_t *lane, const unsigned char *in, const unsigned char *secret) {
  int k;
  for (k = 0; k < 8; ++k) {
    const uint64_t value = @read64(in + 8 * k), key = value ^ @read64(secret + 8 * k);
    lane[k ^ 1] += value;
    lane[k] += (key & UINT64_C(0xffffffff)) * (key >> 32);
  }
}

/* More than 240 bytes. */
static uint64_t @hash_long(struct @bytes bytes, size_t size) {
  uint64_t lane[8] = {UINT64_C(0xC2B2AE3D), UINT64_C(0x9E3779B185EBCA87), UINT64_C(0xC2B2AE3D27D4EB4F),
                      UINT64_C(0x165667B19E3779F9), UINT64_C(0x85EBCA77C2B2AE63), UINT64_C(0x85EBCA77),
                      UINT64_C(0x27D4EB2F165667C5), UINT64_C(0x9E3779B1)};
  unsigned char kept[128];
  uint64_t sum = size * UINT64_C(0x9E3779B185EBCA87);
  size_t fill = 64, stripe = 0;
  int byte, k;
  while ((byte = @next_byte(&bytes)) >= 0) {
    if (fill == 128) {
      @accumulate(lane, kept + 64, @secret + 8 * stripe);
      memcpy(kept, kept + 64, 64);
      fill = 64;
      if (++stripe == 16) {
        for (k = 0; k < 8; ++k) {
          lane[k] ^= lane[k] >> 47;
          lane[k] = (lane[k] ^ @read64(@secret + 128 + 8 * k)) * UINT64_C(0x9E3779B1);
        }
        stripe = 0;
      }
    }
    kept[fill++] = (unsigned char)byte;
  }
  @accumulate(lane, kept + fill - 64, @secret + 121);
  for (k = 0; k < 4; ++k) {
    sum += @folded(lane[2 * k] ^ @read64(@secret + 11 + 16 * k), lane[2 * k + 1] ^ @read64(@secret + 19 + 16 * k));
  }
  return @stirred(sum);
}

static uint64_t @hash_bytes(struct @bytes bytes) {
  unsigned char kept[240];
  struct @bytes from = bytes;
  size_t size = 0;
  int byte;
  while ((byte = @next_byte(&from)) >= 0) {
    if (size < sizeof kept) kept[size] = (unsigned char)byte;
    ++size;
  }
  return size <= sizeof kept ? @hash_240(kept, size) : @hash_long(bytes, size);
}

static uint64_t @hash_pair(uint64_t first, uint64_t second) {
  unsigned char both[16];
  int k;
  for (k = 0; k < 8; ++k) {
    both[k] = (unsigned char)(first >> 8 * k);
    both[8 + k] = (unsigned char)(second >> 8 * k);
  }
  return @hash_16(both, 16);
}
)";

}  // namespace

std::string_view c_hash_functions() { return kHash; }

std::string_view c_find_bucket_function() {
  return R"(
/* The place of a bucket among those in use. */
static uint32_t @find_bucket(const uint32_t *buckets, size_t count, uint64_t bucket) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (buckets[middle] < bucket) low = middle + 1; else high = middle;
  }
  return low < count && buckets[low] == bucket ? (uint32_t)low : @NONE;
}
)";
}

}  // namespace linsep
