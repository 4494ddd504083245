#include "table/terms.h"

#include <algorithm>

#include "core/deadline.h"
#include "linsep/error.h"
#include "table/words/keys.h"

namespace linsep {
namespace {

/// How many bytes a code point takes, in valid UTF-8.
std::size_t size_at(const char* at) {
  const auto lead = static_cast<unsigned char>(*at);
  return lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/// Makes room for `count` values. The vector never shrinks.
template <class T>
T* room_in(std::vector<T>& vector, std::size_t count) {
  if (vector.size() < count) vector.resize(std::max(count, vector.size() * 2));
  return vector.data();
}

bool is_ascii(const char* bytes, std::size_t size) {
  char all = 0;
  for (std::size_t i = 0; i < size; ++i) all = static_cast<char>(all | bytes[i]);
  return static_cast<signed char>(all) >= 0;
}

/// Returns the position `n` code points further, or `end` if there are fewer. `n` becomes what is left over.
const char* step(const char* at, const char* end, std::size_t& n) {
  for (; n > 0 && at < end; --n) at += size_at(at);
  return at;
}

}  // namespace

std::uint64_t value_key(std::string_view value) { return key_of_bytes(value.data(), value.size()); }

std::uint64_t pair_key(std::uint64_t first, std::uint64_t second) { return key_of_pair(first, second); }

std::uint64_t term_key(std::string_view term, bool characters) {
  if (characters) return value_key(term);
  std::size_t at = std::min(term.find(' '), term.size());
  std::uint64_t key = value_key(term.substr(0, at));
  while (at < term.size()) {
    const std::size_t end = std::min(term.find(' ', at + 1), term.size());
    key = pair_key(key, value_key(term.substr(at + 1, end - at - 1)));
    at = end;
  }
  return key;
}

std::uint64_t pair_term_key(std::string_view term) {
  const std::size_t between = std::min(term.find('\x1f'), term.size());
  return pair_key(value_key(term.substr(0, between)), value_key(term.substr(std::min(between + 1, term.size()))));
}

TermReader::TermReader(TermRange words, TermRange chars) : TermReader(words, chars, words::versions().front()) {}

TermReader::TermReader(TermRange words, TermRange chars, const words::Version& version)
    : words_(words), chars_(chars), version_(version) {}

std::span<const std::uint64_t> TermReader::read(std::string_view text) {
  if (text.size() > words::kLargestText) throw input_error("a text of more than 2 GiB can't be split into words");
  const std::size_t room = words::room_for(text.size());
  const std::size_t size = version_.spread(text, room_in(spread_, room));
  count_ = version_.mark(spread_.data(), size, room_in(marks_, room)) / 2;
  if (chars_.none()) {
    read_words();
  } else {
    read_characters(size);
  }
  return {key_.data(), terms_};
}

std::string_view TermReader::word(std::size_t i) const {
  return {spread_.data() + marks_[2 * i], marks_[2 * i + 1] - marks_[2 * i]};
}

void TermReader::read_words() {
  const auto from = static_cast<std::size_t>(words_.from);
  const auto to = static_cast<std::size_t>(words_.to);
  const std::uint64_t* const single = room_in(single_, count_);
  keys_of_words(spread_.data(), marks_.data(), count_, single_.data());
  std::uint64_t* const keys = room_in(key_, count_ * (to + 1 - from));
  terms_ = 0;
  if (from == 1 && to == 2) {
    keys_of_pairs(single, count_, keys);
    terms_ = count_ == 0 ? 0 : 2 * count_ - 1;
    return;
  }
  std::uint64_t* const last = room_in(last_, to + 2);
  for (std::size_t i = 0; i < count_; ++i) {
    poll(10 * to);
    for (std::size_t n = std::min(to, i + 1); n > 1; --n) last[n] = key_of_pair(last[n - 1], single[i]);
    last[1] = single[i];
    for (std::size_t n = from; n <= std::min(to, i + 1); ++n) keys[terms_++] = last[n];
  }
}

void TermReader::read_characters(std::size_t size) {
  // Each byte of a word, and the blank before it, begins at most one term of each length.
  const std::size_t most = (size + count_) * static_cast<std::size_t>(chars_.to + 1 - chars_.from) + 64;
  room_in(key_, most);
  room_in(begin_, most);
  terms_ = 0;
  by_length_.clear();
  const bool ascii = is_ascii(spread_.data(), size);
  for (int n = chars_.from; n <= chars_.to; ++n) {
    if (ascii) {
      read_ascii_characters(static_cast<std::size_t>(n));
    } else {
      read_characters_of_all(static_cast<std::size_t>(n));
    }
    by_length_.push_back(terms_);
  }
}

void TermReader::read_ascii_characters(std::size_t n) {
  constexpr std::size_t kAtOnce = 16;
  std::uint32_t* const begin = begin_.data() + terms_;
  std::size_t count = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint32_t first = marks_[2 * i] - 1;
    const std::size_t length = marks_[2 * i + 1] + 1 - first;
    poll(length);
    const std::size_t some = std::max(length + 1, n) - n;  // 0 for a word that is too short, without a jump
    std::size_t done = 0;
    do {  // may write a few more
      for (std::size_t k = 0; k < kAtOnce; ++k) begin[count + done + k] = static_cast<std::uint32_t>(first + done + k);
      done += kAtOnce;
    } while (done < some);
    count += some;
  }
  version_.window_keys(spread_.data(), begin, count, n, key_.data() + terms_);
  terms_ += count;
}

void TermReader::read_characters_of_all(std::size_t n) {
  for (std::size_t i = 0; i < count_; ++i) {
    const char* at = spread_.data() + marks_[2 * i] - 1;
    const char* const end = spread_.data() + marks_[2 * i + 1] + 1;
    poll(10 * static_cast<std::size_t>(end - at));
    std::size_t missing = n;
    const char* stop = step(at, end, missing);
    while (missing == 0) {
      begin_[terms_] = static_cast<std::uint32_t>(at - spread_.data());
      key_[terms_++] = key_of_bytes(at, static_cast<std::size_t>(stop - at));
      if (stop == end) break;
      at += size_at(at);
      stop += size_at(stop);
    }
  }
}

std::string TermReader::term(std::size_t i) const {
  if (!chars_.none()) {
    const auto length = std::upper_bound(by_length_.begin(), by_length_.end(), i) - by_length_.begin();
    auto n = static_cast<std::size_t>(chars_.from + length);
    const char* const begin = spread_.data() + begin_[i];
    return {begin, step(begin, spread_.data() + spread_.size(), n)};
  }
  // Word number w ends as many terms as there are lengths from … min(to, w + 1).
  const auto from = static_cast<std::size_t>(words_.from);
  const auto to = static_cast<std::size_t>(words_.to);
  std::size_t last = from - 1;
  for (; last + 1 < to && i >= last + 2 - from; ++last) i -= last + 2 - from;
  if (last + 1 >= to) {
    last += i / (to + 1 - from);
    i %= to + 1 - from;
  }
  const std::size_t n = from + i;
  std::string term;
  for (std::size_t w = last + 1 - n; w <= last; ++w) {
    if (!term.empty()) term += ' ';
    term += word(w);
  }
  return term;
}

}  // namespace linsep
