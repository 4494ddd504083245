// TableMap: how the columns of a table become features. A plain value, fitted once, kept inside the model, so that
// prediction takes the same raw rows. See docs/tables.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace linsep {

/// How numbers are scaled: the feature is (x − shift)·factor.
enum class Scale {
  kAuto,       ///< as the learner wants it; a fitted map never has it
  kNone,       ///< as written
  kDeviation,  ///< divided by the standard deviation; shifted only where the mean is more than 8 deviations from 0
  kStandard,   ///< to mean 0 and deviation 1
  kMaxAbs,     ///< divided by the greatest |x|
};

/// What a term's count becomes, before idf and length.
enum class TermWeight { kSqrt, kCount, kPresence };

/// From … to n words or characters; {0, 0}: none.
struct TermRange {
  int from = 0, to = 0;

  bool none() const { return to == 0; }
  bool operator==(const TermRange&) const = default;
};

/// A bucket of a hashed encoder and the terms it is known by: of all that fell into it the two different ones that
/// came first.
struct BucketName {
  std::uint32_t bucket = 0;
  std::string first, second;  ///< second: "" where there was one term only

  bool operator==(const BucketName&) const = default;
};

/// A fitted encoder: turns the fields of one column (a cross: of two) into features of its own range of numbers.
/// Which fields below count is said by `kind`; the others keep their defaults.
struct Encoder {
  enum class Kind {
    kNumber,    ///< the number; then, where `missing`, 1 if there is none
    kCategory,  ///< 1 at the value's place; then, where `rare`, (rare); then, where `missing`, (missing)
    kText,      ///< a weight for each term of the text
    kDate,      ///< for each of `parts` its features; then, where `missing`, 1 if there is none
    kVector,    ///< `size` numbers, taken as they are
    kCross,     ///< products of the features of two encoders, by `cross`
  };
  enum class Part { kDays, kWeekday, kMonth, kHour };  ///< 1, 7, 12 and 24 features
  enum class Cross {
    kCategories,      ///< one category of both values; key: that of the 16 bytes (key of a, key of b), little-endian
    kNumberCategory,  ///< the encoded number of column a at the place of the category of column b
    kNumbers,         ///< the product of the encoded numbers
  };

  std::string column;  ///< the column's name; without a header its number, from 1
  std::string second;  ///< kCross: the other column
  Kind kind = Kind::kNumber;

  // kNumber, and the days of kDate.
  Scale scale = Scale::kNone;
  double shift = 0, factor = 1;
  double fill = 0;       ///< stands for a hole, before shift and factor
  double mean = 0;       ///< of the numbers in training, for explanations
  bool missing = false;  ///< also of kCategory and kDate: a hole has a feature of its own, the last

  // kCategory, kText, and kCross of categories. Exact: the features are `terms` in order; of a text, words of an n-gram
  // are joined by one blank. A cross: the two values with U+001F between them.
  std::vector<std::string> terms;
  bool rare = false;  ///< kCategory, kCross: values that aren't among `terms` share a feature, else they have none

  // Hashed: the features are the 2^bits buckets, and `terms` is empty.
  int bits = 0;                        ///< 0: exact
  bool has_signs = false;              ///< a term's value is negative where bit 63 of its key is set
  bool every_bucket = true;            ///< false: buckets that aren't among `buckets` weigh nothing
  std::vector<std::uint32_t> buckets;  ///< ascending
  std::vector<BucketName> names;       ///< by ascending bucket

  // kText: either words or characters.
  TermRange words, chars;
  TermWeight weight = TermWeight::kSqrt;
  std::vector<double> idf;  ///< of each of `terms`, or of `buckets`; empty: 1
  bool norm = true;         ///< the block is divided by its length

  // kDate.
  std::string format = "iso";  ///< or as strptime's, of %Y %m %d %H %M %S %y %b and plain bytes
  std::vector<Part> parts;

  std::uint32_t size = 0;  ///< kVector
  Cross cross = Cross::kCategories;

  bool operator==(const Encoder&) const = default;
};

/// All encoders of a model, in the order of their columns. Empty: every column is a number, taken as it is.
/// An encoder computes in double, from the double nearest to the decimal, and rounds once to float where `single`.
struct TableMap {
  static constexpr int kRules = 1;  ///< of words, letters, numbers and dates, as this program has them

  int rules = kRules;
  std::int64_t rows = 0;                   ///< that it was fitted on
  bool single = true;                      ///< encoded values are floats
  bool header = true;                      ///< columns are known by name, else by number
  char decimal = '.';                      ///< or ','
  std::vector<std::string> missing_words;  ///< besides those that always are, in numbers and dates
  std::vector<Encoder> encoders;

  bool empty() const { return encoders.empty(); }
  bool operator==(const TableMap&) const = default;
};

/// How many features an encoder has, and where those of each begin; one more than encoders: the last is the number of
/// all. Crosses count on the encoders that they name. Throws an input Error past 2³² − 1.
std::uint64_t encoder_features(const TableMap& map, std::size_t encoder);
std::vector<std::uint32_t> encoder_starts(const TableMap& map);

/// What is wrong with a map that comes from outside; "" where nothing is: ranges, counts that fit, finite numbers,
/// factors above 0, terms and buckets without repetition, columns that crosses name.
std::string problem_of(const TableMap& map);

/// The name of an encoded feature (from 0): `age`, `age is missing`, `sender=bob`, `sender=(rare)`, `body:free prize`,
/// `when:weekday=6`, `a=x*b=y`; of a bucket its first term, or `body:#4711`. Not cut, and not escaped.
/// REQUIRES: feature < encoder_starts(map).back().
std::string encoded_name(const TableMap& map, std::uint32_t feature);

/// The map as the JSON object of a model file, and back. Throws an input Error; `name` is what it speaks of.
std::string table_to_json(const TableMap& map);
TableMap table_from_json(const std::string& json, const std::string& name);

}  // namespace linsep
