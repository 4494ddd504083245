// Texts and dates in ONNX.
#include <algorithm>
#include <limits>

#include "export/onnx/shares.h"
#include "export/word_pattern.h"

namespace linsep {
namespace {

using Part = Encoder::Part;

struct Grams {
  std::vector<std::string> pool;      // the words of all terms, one behind another, by the number of words
  std::vector<std::int64_t> counts;   // where those of 1, 2, … words begin
  std::vector<std::int64_t> indexes;  // the place of each term
};

std::vector<std::string> split(const std::string& term) {
  std::vector<std::string> words(1);
  for (const char byte : term) {
    if (byte == ' ') {
      words.emplace_back();
    } else {
      words.back().push_back(byte);
    }
  }
  return words;
}

Grams grams_of(const Encoder& e) {
  Grams grams;
  for (int n = 1; n <= e.words.to; ++n) {
    grams.counts.push_back(static_cast<std::int64_t>(grams.pool.size()));
    for (std::size_t place = 0; place < e.terms.size(); ++place) {
      const std::vector<std::string> words = split(e.terms[place]);
      if (words.size() != static_cast<std::size_t>(n)) continue;
      grams.pool.insert(grams.pool.end(), words.begin(), words.end());
      grams.indexes.push_back(static_cast<std::int64_t>(place));
    }
  }
  return grams;
}

}  // namespace

Value OnnxShares::words_of(const std::string& column) {
  const auto found = words_.find(column);
  if (found != words_.end()) return found->second;
  const Value lowered =
      graph_.add("StringNormalizer", {input_of(column)},
                 {attribute("case_change_action", std::string("LOWER")),
                  attribute("is_case_sensitive", std::int64_t{1}), attribute("locale", std::string("C.UTF-8"))});
  const Value words = graph_.add("Tokenizer", {lowered},
                                 {attribute("mark", std::int64_t{0}), attribute("mincharnum", std::int64_t{1}),
                                  attribute("pad_value", std::string(1, '\0')), attribute("tokenexp", word_pattern())},
                                 "com.microsoft");
  return words_[column] = words;
}

void OnnxShares::take_text(std::size_t number) {
  const Encoder& e = encoder(number);
  if (e.terms.empty()) return;
  const auto terms = static_cast<std::int64_t>(e.terms.size());
  const Grams grams = grams_of(e);
  const Value counts =
      graph_.add("TfIdfVectorizer", {words_of(e.column)},
                 {attribute("mode", std::string("TF")), attribute("min_gram_length", std::int64_t{e.words.from}),
                  attribute("max_gram_length", std::int64_t{e.words.to}), attribute("max_skip_count", std::int64_t{0}),
                  attribute("ngram_counts", grams.counts), attribute("ngram_indexes", grams.indexes),
                  attribute("pool_strings", grams.pool)});
  Value value = graph_.cast(counts, Element::kDouble);
  if (e.weight == TermWeight::kSqrt) value = graph_.add("Sqrt", {value});
  if (e.weight == TermWeight::kPresence) value = graph_.add("Min", {value, graph_.scalar(1)});
  if (!e.idf.empty()) value = graph_.add("Mul", {value, graph_.constant({1, terms}, e.idf)});
  if (e.norm) {
    const Value squares = graph_.add("ReduceSumSquare", {value, graph_.constant({1}, std::vector<std::int64_t>{1})},
                                     {attribute("keepdims", std::int64_t{1})});
    const Value length = graph_.add("Sqrt", {squares});
    value = graph_.add("Div", {value, graph_.add("Max", {length, graph_.scalar(std::numeric_limits<double>::min())})});
  }
  shares_.push_back(weighed(rounded(value), e.terms.size(), weights(plan_.start[number], e.terms.size())));
}

/// Whole numbers as doubles: ⌊a/b⌋ is exact below 2⁵³. The month is that of the civil calendar, whose years begin in
/// March and repeat every 400 years, 146,097 days.
Value OnnxShares::date_part(const Value& seconds, Part part) {
  const auto number = [&](double value) { return graph_.scalar(value); };
  const auto floor_of = [&](const Value& a, double b) {
    return graph_.add("Floor", {graph_.add("Div", {a, number(b)})});
  };
  const auto plus = [&](const Value& a, const Value& b) { return graph_.add("Add", {a, b}); };
  const auto minus = [&](const Value& a, const Value& b) { return graph_.add("Sub", {a, b}); };
  const auto times = [&](const Value& a, double b) { return graph_.add("Mul", {a, number(b)}); };
  const Value days = floor_of(seconds, 86400);
  if (part == Part::kHour) return floor_of(minus(seconds, times(days, 86400)), 3600);
  if (part == Part::kWeekday) {
    const Value from_monday = plus(days, number(3));
    return minus(from_monday, times(floor_of(from_monday, 7), 7));
  }
  const Value z = plus(days, number(719468));
  const Value day_of_era = minus(z, times(floor_of(z, 146097), 146097));
  const Value leap =
      plus(minus(floor_of(day_of_era, 36524), floor_of(day_of_era, 1460)), times(floor_of(day_of_era, 146096), -1));
  const Value year = floor_of(plus(day_of_era, leap), 365);
  const Value before = plus(times(year, 365), minus(floor_of(year, 4), floor_of(year, 100)));
  const Value march = floor_of(plus(times(minus(day_of_era, before), 5), number(2)), 153);
  const Value shifted = plus(march, number(2));  // 0: January
  return minus(shifted, times(floor_of(shifted, 12), 12));
}

void OnnxShares::take_date(std::size_t number) {
  const Encoder& e = encoder(number);
  const Value x = input_of(e.column);
  const Value hole = graph_.add("IsNaN", {x});
  const Value there = graph_.cast(graph_.add("Not", {hole}), Element::kDouble);
  const Value seconds = graph_.add("Floor", {graph_.add("Where", {hole, graph_.scalar(0), x})});
  std::uint32_t first = plan_.start[number];
  for (const Part part : e.parts) {
    if (part == Part::kDays) {
      const Value days = graph_.add("Div", {seconds, graph_.scalar(86400)});
      const Value filled = graph_.add("Where", {hole, graph_.scalar(e.fill), days});
      const Value scaled =
          graph_.add("Mul", {graph_.add("Sub", {filled, graph_.scalar(e.shift)}), graph_.scalar(e.factor)});
      shares_.push_back(weighed(rounded(scaled), 1, weights(first, 1)));
      ++first;
      continue;
    }
    const std::uint32_t size = part == Part::kWeekday ? 7 : part == Part::kMonth ? 12 : 24;
    const Value place = graph_.cast(date_part(seconds, part), Element::kInt64);
    const Value flat = graph_.add("Reshape", {place, graph_.constant({1}, std::vector<std::int64_t>{-1})});
    const Value weight = graph_.add("Gather", {weights_value(first, size), flat});
    shares_.push_back(graph_.add("Mul", {weight, there}));
    first += size;
  }
  if (e.missing) {
    shares_.push_back(weighed(graph_.cast(hole, Element::kDouble), 1, weights(first, 1)));
  }
}

}  // namespace linsep
