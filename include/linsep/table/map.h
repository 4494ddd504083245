// TableMap is how the columns of a table become features. It is a plain value, fitted once and kept inside the model,
// so that prediction takes the same raw rows. See docs/howto/tables.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace linsep {

/// How numbers are scaled. The feature is (x − shift)·factor.
enum class Scale {
  kAuto,       ///< as the learner wants it. A fitted map never has it
  kNone,       ///< as written
  kDeviation,  ///< divided by the standard deviation, and shifted only if the mean is more than 8 deviations from 0
  kStandard,   ///< to mean 0 and deviation 1
  kMaxAbs,     ///< divided by the largest |x|
};

/// The value of a term's count, before idf and length.
enum class TermWeight { kSqrt, kCount, kPresence };

/// From … to n words or characters, {0, 0} for none.
struct TermRange {
  int from = 0, to = 0;

  bool none() const { return to == 0; }
  bool operator==(const TermRange&) const = default;
};

/// A bucket of a hashed encoder and the terms it is known by, which are the two different ones that fell into it first.
struct BucketName {
  std::uint32_t bucket = 0;
  std::string first, second;  ///< the second is "" if there was only one term

  bool operator==(const BucketName&) const = default;
};

/// The kinds of a column's fields.
enum class ColumnKind { kNumber, kCategory, kText, kDate, kVector };

/// How a number becomes a feature.
struct Scaling {
  Scale scale = Scale::kNone;
  double shift = 0, factor = 1;
  double fill = 0;  ///< stands for a missing value, before shift and factor
  double mean = 0;  ///< of the numbers in training, for explanations

  double encoded(double x) const { return (x - shift) * factor; }
  bool operator==(const Scaling&) const = default;
};

/// Terms that have features of their own. If exact, the features are `terms` in order. If hashed, they are the 2^bits
/// buckets, and `terms` is empty.
struct TermSet {
  std::vector<std::string> terms;
  int bits = 0;                        ///< 0 for exact
  bool has_signs = false;              ///< a term's value is negative if bit 63 of its key is set
  bool every_bucket = true;            ///< if false, buckets that aren't among `buckets` weigh nothing
  std::vector<std::uint32_t> buckets;  ///< ascending
  std::vector<BucketName> names;       ///< by ascending bucket

  bool hashed() const { return bits != 0; }
  bool operator==(const TermSet&) const = default;
};

/// Values of a category, or pairs of them.
struct ValueSet : TermSet {
  bool rare = false;  ///< values that aren't among `terms` share a feature, the next. Otherwise they have none

  bool operator==(const ValueSet&) const = default;
};

/// The number. Then, if `missing`, 1 if there is none.
struct NumberEncoder : Scaling {
  static constexpr std::string_view kName = "number";
  std::string style = {};  ///< how it is written (docs/howto/tables.md), "" for plain
  bool missing = false;

  bool operator==(const NumberEncoder&) const = default;
};

/// 1 at the value's index. Then, if `rare`, (rare). Then, if `missing`, (missing).
struct CategoryEncoder : ValueSet {
  static constexpr std::string_view kName = "category";
  bool missing = false;

  bool operator==(const CategoryEncoder&) const = default;
};

/// A weight for each term of the text. The words of an n-gram are joined by one blank.
struct TextEncoder : TermSet {
  static constexpr std::string_view kName = "text";
  TermRange words, chars;  ///< one of them
  TermWeight weight = TermWeight::kSqrt;
  std::vector<double> idf = {};  ///< of each of `terms`, or of `buckets`. If empty, 1
  bool norm = true;              ///< the block is divided by its length

  bool operator==(const TextEncoder&) const = default;
};

/// The features of each of `parts`. Then, if `missing`, 1 if there is none. The days are scaled.
struct DateEncoder : Scaling {
  static constexpr std::string_view kName = "date";
  enum class Part { kDays, kWeekday, kMonth, kHour };  ///< 1, 7, 12 and 24 features
  std::string format = "iso";                          ///< or as strptime's, of %Y %m %d %H %M %S %y %b and plain bytes
  std::vector<Part> parts = {};
  bool missing = false;

  bool has_days() const { return !parts.empty() && parts.front() == Part::kDays; }
  bool operator==(const DateEncoder&) const = default;
};

std::uint32_t part_features(DateEncoder::Part part);
std::string_view part_name(DateEncoder::Part part);  ///< "days", "weekday", "month", "hour"

/// `size` numbers, taken as they are.
struct VectorEncoder {
  static constexpr std::string_view kName = "vector";
  std::uint32_t size = 0;

  bool operator==(const VectorEncoder&) const = default;
};

/// Products of the features of two encoders. With categories, each of `terms` is the two values with U+001F between
/// them.
struct CrossEncoder : ValueSet {
  static constexpr std::string_view kName = "cross";
  enum class Of {
    kCategories,      ///< one category of both values, with the key of the 16 bytes (key of a, key of b), little-endian
    kNumberCategory,  ///< the encoded number of column a at the index of the category of column b
    kNumbers,         ///< the product of the encoded numbers
  };
  std::string second = {};  ///< the other column
  Of of = Of::kCategories;

  bool operator==(const CrossEncoder&) const = default;
};

/// A fitted encoder, which turns the fields of one column (a cross: of two) into features of its own range of numbers.
/// A new kind is a struct here and a file in src/table, and the compiler lists what visits it.
struct Encoder {
  using Kind = std::variant<NumberEncoder, CategoryEncoder, TextEncoder, DateEncoder, VectorEncoder, CrossEncoder>;

  std::string column;  ///< the column's name, or without a header its number, from 1
  Kind kind;

  /// The settings of a kind, or null if the encoder is of another.
  template <class K>
  const K* get() const {
    return std::get_if<K>(&kind);
  }
  template <class K>
  K* get() {
    return std::get_if<K>(&kind);
  }
  template <class K>
  bool is() const {
    return std::holds_alternative<K>(kind);
  }
  const Scaling* scaling() const;  ///< of numbers and dates, otherwise null
  /// The terms of categories, texts and crosses, or null if it has none. A cross of numbers has an empty set.
  const TermSet* terms() const;
  TermSet* terms() { return const_cast<TermSet*>(std::as_const(*this).terms()); }
  /// Whether a missing value has a feature of its own, the last.
  bool has_indicator() const;
  bool operator==(const Encoder&) const = default;
};

/// The column, or both columns of a cross, as in "a*b". Not escaped.
std::string encoder_column(const Encoder& encoder);
/// "number", "category", "text", "date", "vector" or "cross".
std::string_view encoder_kind(const Encoder& encoder);

/// All encoders of a model, in the order of their columns. If empty, every column is a number, taken as it is. An
/// encoder computes in double, from the double nearest to the decimal, and rounds once to float if `single`.
struct TableMap {
  static constexpr int kRules = 1;  ///< version of the rules for words, letters, numbers and dates

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

/// How many features an encoder has, and the first feature of each encoder. The starts are one more than the encoders,
/// and the last is the number of all features. Crosses depend on the encoders that they name. Throws an input Error
/// past 2³² − 1.
std::uint64_t encoder_features(const TableMap& map, std::size_t encoder);
std::vector<std::uint32_t> encoder_starts(const TableMap& map);

/// The problem with a map that comes from outside, or "" if it has none. Looks at ranges, counts that fit, finite
/// numbers, factors above 0, terms and buckets without repetition, columns that crosses name.
std::string problem_of(const TableMap& map);

/// The name of an encoded feature (from 0): `age`, `age is missing`, `sender=bob`, `sender=(rare)`, `body:free prize`,
/// `when:weekday=6`, `a=x*b=y`. A bucket has the name of its first term, or `body:#4711`. Not cut, and not escaped.
/// REQUIRES: feature < encoder_starts(map).back().
std::string encoded_name(const TableMap& map, std::uint32_t feature);

/// The map as the JSON object of a model file, and back. Throws an input Error, which refers to the map by `name`.
std::string table_to_json(const TableMap& map);
TableMap table_from_json(const std::string& json, const std::string& name);

}  // namespace linsep
