#include "generate/recipes.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace linsep {
namespace {

constexpr std::array<std::int64_t, kMostPlaces + 1> kPowers = [] {
  std::array<std::int64_t, kMostPlaces + 1> power{1};
  for (std::size_t i = 1; i < power.size(); ++i) power[i] = power[i - 1] * 10;
  return power;
}();

// The longest entry is a blank, ten digits of a column, a colon, a sign, nineteen digits and a point.
constexpr std::size_t kLongestEntry = 40;
constexpr std::size_t kLongestLabel = 4;

char* write_integer(std::uint64_t number, char* at) { return std::to_chars(at, at + 20, number).ptr; }

char* write_decimal(std::int64_t units, int places, char* at) {
  std::uint64_t size = static_cast<std::uint64_t>(units);
  if (units < 0) {
    *at++ = '-';
    size = 0 - size;
  }
  const std::uint64_t one = static_cast<std::uint64_t>(kPowers[static_cast<std::size_t>(places)]);
  const std::uint64_t whole = size / one;
  std::uint64_t rest = size % one;
  at = whole < 10 ? (*at = static_cast<char>('0' + whole), at + 1) : write_integer(whole, at);
  if (rest == 0) return at;
  *at++ = '.';
  while (rest % 10 == 0) {
    rest /= 10;
    --places;
  }
  for (char* digit = at + places; digit != at; rest /= 10) *--digit = static_cast<char>('0' + rest % 10);
  return at + places;
}

// Makes room, lets `write` fill it from a pointer, and cuts off what is unused.
template <class Write>
void append(std::string& out, std::size_t room, Write&& write) {
  const std::size_t used = out.size();
  out.resize(used + room);
  const char* end = write(out.data() + used);
  out.resize(static_cast<std::size_t>(end - out.data()));
}

}  // namespace

std::int64_t power_of_ten(int places) { return kPowers[static_cast<std::size_t>(places)]; }

void append_decimal(std::int64_t units, int places, std::string& out) {
  append(out, kLongestEntry, [&](char* at) { return write_decimal(units, places, at); });
}

void append_svmlight(const DecimalRow& row, int places, std::string& out) {
  append(out, kLongestLabel + row.column.size() * kLongestEntry, [&](char* at) {
    at = write_decimal(row.label, 0, at);
    for (std::size_t k = 0; k < row.column.size(); ++k) {
      *at++ = ' ';
      at = write_integer(std::uint64_t{row.column[k]} + 1, at);
      *at++ = ':';
      at = write_decimal(row.units[k], places, at);
    }
    *at++ = '\n';
    return at;
  });
}

void append_csv(const DecimalRow& row, int places, std::uint32_t features, std::string& out) {
  const std::size_t zeros = std::size_t{features} - row.column.size();
  append(out, kLongestLabel + zeros * 2 + row.column.size() * kLongestEntry, [&](char* at) {
    std::size_t k = 0;
    for (std::uint32_t j = 0; j < features; ++j) {
      const bool there = k < row.column.size() && row.column[k] == j;
      at = write_decimal(there ? row.units[k++] : 0, places, at);
      *at++ = ',';
    }
    at = write_decimal(row.label, 0, at);
    *at++ = '\n';
    return at;
  });
}

std::string csv_header(std::uint32_t features) {
  std::string out;
  for (std::uint32_t j = 1; j <= features; ++j) {
    out += 'x';
    out += std::to_string(j);
    out += ',';
  }
  out += "label\n";
  return out;
}

}  // namespace linsep
