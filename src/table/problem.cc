// What a map from outside must be, so that nothing in it can lead encoding astray.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "linsep/error.h"
#include "linsep/table/map.h"
#include "table/date.h"
#include "table/terms.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;

constexpr int kFewestBits = 10, kMostBits = 28;
constexpr int kLongestTerm = 8;                         // words or characters
constexpr double kLeastIdf = 1e-6, kGreatestIdf = 1e6;  // beyond, squares of weights might not be doubles
constexpr char kBetween = '\x1f';                       // the values of a cross

std::string number_problem(const TableMap& map, const Encoder& e) {
  if (!std::isfinite(e.shift)) return "its shift is not finite";
  if (!std::isfinite(e.factor) || e.factor <= 0) return "its factor should be a number above 0";
  if (e.scale == Scale::kAuto) return "its scale isn't decided";
  if (e.kind == Kind::kNumber && e.scale == Scale::kNone && (e.shift != 0 || e.factor != 1)) {
    return "it is taken as written, but has a shift or a factor";
  }
  for (const double number : {e.fill, e.mean}) {
    const double encoded = (number - e.shift) * e.factor;
    if (!(std::fabs(encoded) <=
          (map.single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max()))) {
      return "its fill or its mean can't be encoded as a finite number";
    }
  }
  return "";
}

/// Words of a term have one blank between them, and it has as many as the range says.
bool is_term(const Encoder& e, const std::string& term) {
  if (e.words.none()) return !term.empty();
  if (term.empty() || term.front() == ' ' || term.back() == ' ' || term.find("  ") != std::string::npos) return false;
  const auto words = 1 + std::count(term.begin(), term.end(), ' ');
  return words >= e.words.from && words <= e.words.to;
}

std::uint64_t key_of(const Encoder& e, const std::string& term) {
  if (e.kind == Kind::kText) return term_key(term, e.words.none());
  if (e.kind == Kind::kCategory) return value_key(term);
  const std::size_t at = term.find(kBetween);
  return pair_key(value_key(std::string_view(term).substr(0, at)), value_key(std::string_view(term).substr(at + 1)));
}

std::string terms_problem(const Encoder& e) {
  std::vector<std::uint64_t> keys;
  keys.reserve(e.terms.size());
  for (std::size_t i = 0; i < e.terms.size(); ++i) {
    if (e.kind == Kind::kText && !is_term(e, e.terms[i])) return fmt::format("its term {} is none", i + 1);
    if (e.kind == Kind::kCross) {
      const auto signs = std::count(e.terms[i].begin(), e.terms[i].end(), kBetween);
      if (signs == 0) return fmt::format("its value {} isn't one of two columns", i + 1);
      if (signs > 1) continue;  // values that hold the sign: which is whose isn't known
    }
    keys.push_back(key_of(e, e.terms[i]));
  }
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) return "a value or term is there twice";
  return "";
}

std::string buckets_problem(const Encoder& e) {
  if (e.bits < kFewestBits || e.bits > kMostBits) {
    return fmt::format("its bits should be {} to {} but are {}", kFewestBits, kMostBits, e.bits);
  }
  if (!e.terms.empty() || e.rare) return "it is hashed, and yet has values of its own";
  if (e.every_bucket && !e.buckets.empty()) return "it uses every bucket, and yet lists some";
  const std::uint32_t end = std::uint32_t{1} << e.bits;
  for (std::size_t i = 0; i < e.buckets.size(); ++i) {
    if (e.buckets[i] >= end) return "a bucket is beyond its bits";
    if (i > 0 && e.buckets[i] <= e.buckets[i - 1]) return "its buckets don't ascend";
  }
  for (std::size_t i = 0; i < e.names.size(); ++i) {
    if (e.names[i].bucket >= end) return "a bucket's name is beyond its bits";
    if (i > 0 && e.names[i].bucket <= e.names[i - 1].bucket) return "the names of its buckets don't ascend";
  }
  return "";
}

/// Of values and terms, exact or hashed.
std::string values_problem(const Encoder& e) {
  if (e.bits != 0) return buckets_problem(e);
  if (e.has_signs || !e.every_bucket || !e.buckets.empty() || !e.names.empty()) {
    return "it isn't hashed, and yet has buckets";
  }
  return terms_problem(e);
}

std::string text_problem(const Encoder& e) {
  if (e.words.none() == e.chars.none()) return "it should have either words or characters";
  const TermRange range = e.words.none() ? e.chars : e.words, other = e.words.none() ? e.words : e.chars;
  if (other.from != 0 || range.from < 1 || range.from > range.to || range.to > kLongestTerm) {
    return fmt::format("its terms should have 1 to {} words or characters, not {} to {}", kLongestTerm, range.from,
                       range.to);
  }
  if (std::string problem = values_problem(e); !problem.empty()) return problem;
  const std::size_t weights = e.bits == 0 ? e.terms.size() : e.buckets.size();
  if (!e.idf.empty() && e.idf.size() != weights) {
    return fmt::format("there are {} weights idf for {} terms", e.idf.size(), weights);
  }
  for (const double idf : e.idf) {
    if (!(idf == 0 || (idf >= kLeastIdf && idf <= kGreatestIdf)))
      return "a weight idf should be 0, or from 1e-6 to 1e6";
  }
  return "";
}

std::string date_problem(const TableMap& map, const Encoder& e) {
  if (std::string problem = problem_of_date_format(e.format); !problem.empty()) return problem;
  if (e.parts.empty()) return "it has no parts";
  if (std::set(e.parts.begin(), e.parts.end()).size() != e.parts.size()) return "a part is there twice";
  return number_problem(map, e);
}

std::string cross_problem(const TableMap& map, const Encoder& e) {
  const auto is = [&](const std::string& column, Kind kind) {
    return std::any_of(map.encoders.begin(), map.encoders.end(),
                       [&](const Encoder& other) { return other.column == column && other.kind == kind; });
  };
  const Kind first = e.cross == Cross::kCategories ? Kind::kCategory : Kind::kNumber;
  const Kind second = e.cross == Cross::kNumbers ? Kind::kNumber : Kind::kCategory;
  if (!is(e.column, first)) return fmt::format("there is no such column '{}' to be crossed", e.column);
  if (!is(e.second, second)) return fmt::format("there is no such column '{}' to be crossed", e.second);
  return e.cross == Cross::kCategories ? values_problem(e) : "";
}

std::string kind_problem(const TableMap& map, const Encoder& e) {
  switch (e.kind) {
    case Kind::kNumber:
      return number_problem(map, e);
    case Kind::kCategory:
      return values_problem(e);
    case Kind::kText:
      return text_problem(e);
    case Kind::kDate:
      return date_problem(map, e);
    case Kind::kVector:
      return e.size == 0 ? "it has no numbers" : "";
    case Kind::kCross:
      return cross_problem(map, e);
  }
  return "its kind isn't known";
}

/// A field that doesn't count and isn't as it is by default would be lost in a file.
std::string stray_problem(const Encoder& e) {
  const Encoder plain;
  const bool number = e.kind == Kind::kNumber || e.kind == Kind::kDate, text = e.kind == Kind::kText;
  const bool cross = e.kind == Kind::kCross;
  const bool values = text || e.kind == Kind::kCategory || (cross && e.cross == Cross::kCategories);
  bool fine = number || (e.scale == plain.scale && e.shift == 0 && e.factor == 1 && e.fill == 0 && e.mean == 0);
  fine = fine && (number || e.kind == Kind::kCategory || !e.missing) && (!text || !e.rare);
  fine = fine && (values || (e.terms.empty() && !e.rare && e.bits == 0 && !e.has_signs && e.every_bucket &&
                             e.buckets.empty() && e.names.empty()));
  fine = fine && (text || (e.words.none() && e.words.from == 0 && e.chars.none() && e.chars.from == 0 &&
                           e.weight == plain.weight && e.idf.empty() && e.norm));
  fine = fine && (e.kind == Kind::kDate || (e.format == plain.format && e.parts.empty()));
  fine = fine && (e.kind == Kind::kVector || e.size == 0);
  fine = fine && (cross || (e.second.empty() && e.cross == plain.cross));
  return fine ? "" : "it has settings of another kind";
}

/// One column is asked for in one way.
bool agree(const Encoder& a, const Encoder& b) { return a.kind == b.kind && a.format == b.format && a.size == b.size; }

bool is_column_number(const std::string& name) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number > 0;
}

std::string columns_problem(const TableMap& map) {
  std::vector<const Encoder*> by_name;
  for (const Encoder& e : map.encoders) {
    if (e.kind != Kind::kCross) by_name.push_back(&e);
    if (!map.header && !is_column_number(e.column)) return "a table without a header has columns by number";
  }
  std::sort(by_name.begin(), by_name.end(), [](const auto* a, const auto* b) { return a->column < b->column; });
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (by_name[i - 1]->column == by_name[i]->column && !agree(*by_name[i - 1], *by_name[i])) {
      return fmt::format("column '{}' is taken in two ways", by_name[i]->column);
    }
  }
  return "";
}

}  // namespace

std::string problem_of(const TableMap& map) {
  if (map.rules != TableMap::kRules) {
    return fmt::format("the table has version {} of the rules; this program has {}", map.rules, TableMap::kRules);
  }
  if (map.rows < 0) return "the table's number of rows is negative";
  if (map.decimal != '.' && map.decimal != ',') return "the table's decimal sign should be a point or a comma";
  for (const Encoder& e : map.encoders) {
    std::string problem = stray_problem(e);
    if (problem.empty()) problem = kind_problem(map, e);
    if (!problem.empty()) return fmt::format("column '{}' of the table: {}", e.column, problem);
  }
  if (std::string problem = columns_problem(map); !problem.empty()) return problem;
  try {
    encoder_starts(map);
  } catch (const Error& error) {
    return error.reason();
  }
  return "";
}

}  // namespace linsep
