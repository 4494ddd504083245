#include "linsep/table/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "linsep/error.h"

namespace linsep {
namespace {

template <class T, std::size_t N>
T choice(const std::array<std::pair<std::string_view, T>, N>& names, const std::string& text) {
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  return names.front().second;  // complete_options has refused all other words
}

constexpr std::array<std::pair<std::string_view, Scale>, 5> kScales = {{{"auto", Scale::kAuto},
                                                                        {"none", Scale::kNone},
                                                                        {"deviation", Scale::kDeviation},
                                                                        {"standard", Scale::kStandard},
                                                                        {"max-abs", Scale::kMaxAbs}}};
constexpr std::array<std::pair<std::string_view, TableSpec::Missing>, 3> kMissing = {
    {{"indicator", TableSpec::Missing::kIndicator},
     {"mean", TableSpec::Missing::kMean},
     {"refuse", TableSpec::Missing::kRefuse}}};
constexpr std::array<std::pair<std::string_view, TableSpec::Weighting>, 4> kWeightings = {
    {{"tfidf", TableSpec::Weighting::kTfIdf},
     {"tf", TableSpec::Weighting::kTf},
     {"counts", TableSpec::Weighting::kCounts},
     {"presence", TableSpec::Weighting::kPresence}}};

constexpr int kLongestWords = 8, kLongestChars = 16;

/// Parses "1-2", "3" or "none".
TermRange term_range(std::string_view option, const std::string& text, int longest) {
  if (text == "none") return {};
  TermRange range;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, range.from);
  range.to = range.from;
  if (error == std::errc() && at != end && *at == '-') {
    const auto second = std::from_chars(at + 1, end, range.to);
    at = second.ptr;
    error = second.ec;
  }
  if (error != std::errc() || at != end || range.from < 1 || range.to < range.from || range.to > longest) {
    throw option_error(std::string(option),
                       fmt::format("{{}} takes FROM-TO, such as 1-2, from 1 to {}, or none; not '{}'", longest, text));
  }
  return range;
}

/// Splits a list of columns, words or crosses at its commas. "" is the empty list.
std::vector<std::string> split_columns(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<TableSpec::Date> dates(const std::string& text) {
  std::vector<TableSpec::Date> result;
  for (const std::string& word : split_columns(text)) {
    const std::size_t colon = word.find(':');
    const bool plain = colon == std::string::npos;
    result.push_back({word.substr(0, colon), plain ? "iso" : word.substr(colon + 1)});
  }
  return result;
}

}  // namespace

const OptionTable& table_options() {
  static const OptionTable kTable = {
      text_option("number", "", "Columns of numbers, by name or number from 1, separated by commas."),
      text_option("category", "", "Columns of categories: each value gets a weight."),
      text_option("text", "", "Columns of text: each word and pair of words gets a weight."),
      text_option("date", "", "Columns of dates: COLUMN, or COLUMN:%d.%m.%Y for a format other than 2026-11-15."),
      flag_option("only", "Leave out the columns that aren't named."),
      choice_option("scale", "auto", {"auto", "none", "deviation", "standard", "max-abs"},
                    "How numbers are scaled; auto: by their standard deviation for a soft margin, else not at all."),
      choice_option(
          "missing", "indicator", {"indicator", "mean", "refuse"},
          "Missing numbers and dates: fill in the mean and add an indicator feature, only fill in the mean, or "
          "refuse them."),
      text_option("missing-words", "", "More words that mean a missing value in columns of numbers and dates."),
      integer_option("min-count", 2, 1, 1e15,
                     "Rows in which a category or term must occur to get a weight of its own."),
      text_option("words", "1-2", "Terms of texts: runs of this many words, from-to; none: no words."),
      text_option("chars", "none", "Terms of texts: runs of this many characters within a word, from-to."),
      choice_option("weighting", "tfidf", {"tfidf", "tf", "counts", "presence"},
                    "How terms are weighted. tfidf: √count·idf; tf: √count; counts: the count; presence: 1."),
      flag_option("no-norm", "Don't scale the terms of each text to length 1."),
      integer_option("bits", 0, 0, 28, "Hash categories and terms into 2^N weights, N from 10 to 28. 0: don't hash."),
      flag_option("signed", "With hashing: give half of the terms a negative sign."),
      integer_option("terms", std::int64_t{1} << 22, 1, 1e9,
                     "The most categories or terms in a column; beyond that, they are hashed."),
      integer_option("names", std::int64_t{1} << 18, 0, 1e9,
                     "With hashing: remember the terms behind at most this many weights."),
      text_option("cross", "", "Products of columns: A*B, separated by commas."),
      choice_option("decimal", "auto", {"auto", ".", ","}, "The decimal separator of numbers."),
  };
  return kTable;
}

TableSpec table_spec(const Options& given, bool as_written) {
  const Options all = complete_options(table_options(), given);
  TableSpec spec;
  spec.as_written = as_written;
  spec.number = split_columns(get_text(all, "number"));
  spec.category = split_columns(get_text(all, "category"));
  spec.text = split_columns(get_text(all, "text"));
  spec.date = dates(get_text(all, "date"));
  spec.only = get_flag(all, "only");
  spec.scale = choice(kScales, get_text(all, "scale"));
  if (as_written && spec.scale == Scale::kAuto) spec.scale = Scale::kNone;
  spec.missing = choice(kMissing, get_text(all, "missing"));
  spec.missing_words = split_columns(get_text(all, "missing-words"));
  spec.min_count = get_integer(all, "min-count");
  spec.words = term_range("words", get_text(all, "words"), kLongestWords);
  spec.chars = term_range("chars", get_text(all, "chars"), kLongestChars);
  if (spec.words.none() && spec.chars.none()) {
    throw options_error({"words", "chars"}, "{} none leaves texts without terms: use {} 3-5, or ignore the column");
  }
  spec.weighting = choice(kWeightings, get_text(all, "weighting"));
  spec.norm = !get_flag(all, "no-norm");
  if (as_written && !given.contains("weighting")) {
    spec.weighting = TableSpec::Weighting::kCounts;
    spec.norm = false;
  }
  spec.bits = static_cast<int>(get_integer(all, "bits"));
  if (spec.bits > 0 && spec.bits < 10) throw option_error("bits", "{} takes a number from 10 to 28, or 0");
  spec.has_signs = get_flag(all, "signed");
  if (spec.has_signs && spec.bits == 0) throw options_error({"signed", "bits"}, "{} goes with {}");
  spec.most_terms = get_integer(all, "terms");
  spec.most_names = get_integer(all, "names");
  spec.cross = split_columns(get_text(all, "cross"));
  const std::string& decimal = get_text(all, "decimal");
  spec.decimal = decimal == "auto" ? '\0' : decimal.front();
  return spec;
}

}  // namespace linsep
