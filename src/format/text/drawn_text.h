// Texts drawn at random for tests: correct ones, odd ones and broken ones.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "core/random.h"

namespace linsep::test {

enum class Oddity {
  kPlain,  ///< labels 1 and -1, short decimals
  kOdd,    ///< also whatever else is correct: tabs, CRLF, comments, words, exponents, long numbers, denormals, …
};

/// Joins the parts.
template <class... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  (text.append(parts), ...);
  return text;
}

inline std::string drawn_digits(Random& random, std::uint64_t most) {
  std::string digits;
  for (std::uint64_t k = random.below(most + 1); k > 0; --k) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

inline std::string drawn_value(Random& random, Oddity oddity) {
  if (oddity == Oddity::kOdd) {
    switch (random.below(13)) {
      case 0:
        return joined(drawn_digits(random, 3), "1e", std::to_string(static_cast<int>(random.below(70)) - 45));
      case 1:
        return joined("+", drawn_digits(random, 2), ".", drawn_digits(random, 30), "7");
      case 2:
        return joined("0.00000000000000000000000000000000000000", drawn_digits(random, 12), "5");  // a denormal float
      case 3:
        return joined(drawn_digits(random, 20), "3.");
      case 5:
        return joined(drawn_digits(random, 2), "e-", std::to_string(300 + random.below(30)));  // a denormal double
      case 4:
        return "1.000000059604644775390625";  // half way between two floats
      default:
        break;
    }
  }
  std::string value = random.below(3) == 0 ? "-" : "";
  switch (random.below(4)) {
    case 0:
      return value + std::to_string(random.below(200));
    case 1:
      return joined(value, ".", drawn_digits(random, 12), "3");
    default:
      return joined(value, "0.", drawn_digits(random, 7), "2");
  }
}

inline std::string drawn_label(Random& random, Oddity oddity) {
  constexpr std::string_view kOdd[] = {"0", "1", "+1", "-1", "1.0", "-1e0", "spam", "ham", "caf\xc3\xa9", "3.25"};
  if (oddity == Oddity::kPlain || random.below(3) != 0) return random.below(2) == 0 ? "1" : "-1";
  return std::string(kOdd[random.below(std::size(kOdd))]);
}

inline std::string drawn_svmlight(Random& random, Oddity oddity) {
  const bool odd = oddity == Oddity::kOdd;
  const std::string end = odd && random.below(4) == 0 ? "\r\n" : "\n";
  const std::string blank = odd && random.below(4) == 0 ? "\t" : " ";
  std::string text;
  for (std::uint64_t row = random.below(12); row > 0; --row) {
    if (odd && random.below(10) == 0) text += joined(random.below(2) == 0 ? "# note: 1:2" : "", end);
    if (odd && random.below(12) == 0) text += blank;
    text += drawn_label(random, oddity);
    if (odd && random.below(12) == 0) text += joined(blank, "qid:", std::to_string(random.below(1000)));
    std::uint64_t index = 0;
    for (std::uint64_t entry = random.below(random.below(4) == 0 ? 40 : 12); entry > 0; --entry) {
      index += 1 + random.below(random.below(20) == 0 ? 100000000 : 300);
      if (index > 4294967295) break;
      text += odd && random.below(30) == 0 ? joined(blank, blank) : blank;
      if (odd && random.below(20) == 0) text += "00";
      text += joined(std::to_string(index), ":", drawn_value(random, oddity));
    }
    if (odd && random.below(12) == 0) text += joined(blank, "# c 3:4");
    if (odd && random.below(12) == 0) text += blank;
    text += end;
  }
  if (odd && random.below(4) == 0 && text.ends_with('\n')) text.pop_back();
  return text;
}

/// Makes one to four changes that tend to break a text. Bytes are changed, left out, inserted or swapped, and pieces
/// are doubled or cut off.
inline std::string mutated(std::string text, Random& random) {
  constexpr std::string_view kBytes = "0123456789:::.-+eE#,;\"' \t\n\n\r\0\x01\x7f\x80\xff qidnaf";
  for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
    const auto at = static_cast<std::size_t>(random.below(text.size() + 1));
    const char byte = random.below(8) == 0 ? static_cast<char>(random.below(256)) : kBytes[random.below(kBytes.size())];
    switch (random.below(8)) {
      case 0:
      case 1:
        if (at < text.size()) text[at] = byte;
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      case 3:
        text.erase(at, 1 + random.below(3));
        break;
      case 4:
        text.insert(at, text.substr(at, random.below(20)));
        break;
      case 5:
        if (random.below(4) == 0) text.resize(at);
        break;
      case 6: {
        // Swaps a colon and a blank near by, so that their counts stay the same but their order is wrong.
        const std::size_t colon = text.find(':', at);
        const std::size_t blank = text.find_first_of(" \t", colon == std::string::npos ? at : colon);
        if (colon != std::string::npos && blank != std::string::npos) std::swap(text[colon], text[blank]);
        break;
      }
      default:
        text.insert(at, text.substr(static_cast<std::size_t>(random.below(text.size() + 1)), random.below(8)));
        break;
    }
  }
  return text;
}

}  // namespace linsep::test
