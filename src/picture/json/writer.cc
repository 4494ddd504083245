#include "picture/json/writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/elementary.h"

namespace linsep {

int digits_between(double low, double high) {
  const double range = high - low, size = std::max(std::abs(low), std::abs(high));
  if (!(range > 0) || !std::isfinite(size)) return kShortDigits;
  const double more = std::ceil(elementary::log10(size / range));
  return static_cast<int>(std::clamp(kShortDigits + more, double{kShortDigits}, double{kAllDigits}));
}

void PictureWriter::key(std::string_view name) {
  put(name);
  text_ += ':';
  first_ = true;
}

void PictureWriter::put_null() {
  separate();
  text_ += "null";
}

void PictureWriter::put(bool flag, int /*digits*/) {
  separate();
  text_ += flag ? "true" : "false";
}

void PictureWriter::put(double number, int digits) {
  if (!std::isfinite(number)) return put_null();
  separate();
  std::array<char, 40> room{};
  char* const end = room.data() + room.size();
  const auto shortest = std::to_chars(room.data(), end, number);
  const std::string all(room.data(), shortest.ptr);
  const auto rounded = std::to_chars(room.data(), end, number, std::chars_format::general, digits);
  const std::string some(room.data(), rounded.ptr);
  const std::string& text = digits >= kAllDigits || all.size() <= some.size() ? all : some;
  text_ += text == "-0" ? "0" : text;
}

void PictureWriter::put(std::string_view text, int /*digits*/) {
  separate();
  const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text_.reserve(text_.size() + quoted.size());
  for (const char c : quoted) {
    if (c == '<') {
      text_ += "\\u003c";
    } else {
      text_ += c;
    }
  }
}

}  // namespace linsep
