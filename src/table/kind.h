// A kind of column is a module. KIND_kind.cc holds everything about one kind of encoder: how many features it has, what
// they are called, what can be wrong with one from outside, how a model file stores it and how fields become values
// (declared here), and how it is fitted (fitting.h). Code that goes through encoders visits the variant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "linsep/table/map.h"
#include "table/encode.h"
#include "table/key_table.h"
#include "table/table_object.h"
#include "table/term_weigher.h"

namespace linsep {

/// Writes the fields of an encoder into the JSON object of a map.
struct EncoderWriter {
  std::string& out;
  TableLists lists;
  JsonFields fields{out, " "};

  template <class Items, class Append>
  void list(std::string_view key, const Items& items, const Append& append) {
    std::string& to = fields[key];
    if (lists == TableLists::kInPlace) return append_json_list(to, items, append);
    append_json_number(to, items.size());
  }
};

/// Reads them back.
struct EncoderReader {
  JsonObject object;
  TableLists lists;
  EncoderLengths lengths = {};

  template <class Item, class Read>
  void list(const std::string& key, std::vector<Item>& items, std::uint64_t& length, const Read& read) {
    const nlohmann::json& value = object.field(key);
    const std::string path = object.path(key);
    if (lists == TableLists::kLengthsOnly) {
      length = json_integer<std::uint64_t>(value, path);
      return;
    }
    items.reserve(json_length(value).value_or(0));
    for_each_json_item(value, path, "a list", [&](const nlohmann::json& item) { items.push_back(read(item, path)); });
  }
};

/// Maps the key of a value to the feature of its encoder, for categories and for crosses of categories.
class CategoryIndex {
 public:
  static constexpr std::uint32_t kNone = KeyTable::kNone;

  CategoryIndex() = default;
  /// `pairs` is true for the values of a cross.
  CategoryIndex(const ValueSet& values, bool pairs);

  /// Returns kNone if the value has no feature. `seen` is whether it was known in training, as far as the encoder can
  /// tell.
  std::uint32_t feature_of(std::uint64_t key, bool& seen) const {
    if (bits_ == 0) {
      const std::uint32_t place = table_.find(key);
      seen = place != kNone;
      return seen ? place : rare_;
    }
    const auto bucket = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << bits_) - 1));
    seen = used_.empty() || (used_[bucket / 64] >> (bucket % 64) & 1) != 0;
    return seen ? bucket : kNone;
  }

 private:
  KeyTable table_;
  std::uint32_t rare_ = kNone;
  int bits_ = 0;
  std::vector<std::uint64_t> used_;  ///< a bit for each bucket, or empty if all count
};

/// What PreparedTable keeps for each encoder: the places of its features and columns, and look-up tables.
struct PreparedEncoder {
  const Encoder* encoder = nullptr;
  std::uint32_t start = 0;                  ///< its first feature
  std::uint32_t hole = KeyTable::kNone;     ///< its feature for a missing value, counted from `start`
  std::size_t column = 0, second = 0;       ///< indexes in PreparedTable::columns
  std::size_t first_of = 0, second_of = 0;  ///< for a cross other than of categories: the encoders that it multiplies
  CategoryIndex categories;
  std::unique_ptr<TextIndex> text;
};

struct PreparedTable::Parts {
  std::vector<PreparedEncoder> encoders;
};

/// The encoded fields of one encoder for the rows of a batch, before rows are put together.
struct EncodedFields {
  std::vector<double> number;  ///< encoded numbers, and the days of dates
  /// For categories the feature or kNone. For dates month · 256 + weekday · 32 + hour.
  std::vector<std::uint32_t> place;
  std::vector<std::uint8_t> negative;  ///< for categories with signs
  std::vector<std::uint8_t> missing;   ///< for numbers and dates that have a feature for it
  std::optional<TermWeigher> text;
  std::vector<EncodedValue> values;  ///< for a text
  std::int64_t unseen = 0, holes = 0;

  double sign(std::size_t row) const { return !negative.empty() && negative[row] != 0 ? -1 : 1; }
};

/// A row of a batch while it is put together from the fields of all encoders.
struct EncodedRow {
  const TableBatch& batch;
  std::vector<EncodedFields>& all;
  EncodedRows& out;
  std::size_t row = 0;
  std::size_t encoder = 0;  ///< the encoder at work

  EncodedFields& mine() const { return all[encoder]; }
  void emit(std::uint32_t column, double value) const {
    if (value == 0) return;
    out.column.push_back(column);
    out.value.push_back(value);
  }
};

inline bool is_missing(const TableColumn& column, std::size_t row) {
  return !column.missing.empty() && column.missing[row] != 0;
}

// Each kind of encoder defines these.
//
// kind_features: how many features.
// kind_name: the name of a feature, counted within the encoder.
// kind_problem: what is wrong with an encoder that comes from outside, or "".
// asked_of: the columns that it reads.
// write_kind, read_kind: its fields in a model file. kind_problem checks what needs the complete map.
// take_fields: encodes every field of a batch. emit_row: then, row by row, emits the values that aren't 0.
#define LINSEP_KIND(Kind)                                                                                              \
  std::uint64_t kind_features(const TableMap& map, const Kind& kind);                                                  \
  std::string kind_name(const TableMap& map, const std::string& column, const Kind& kind, std::uint32_t place);        \
  std::string kind_problem(const TableMap& map, const std::string& column, const Kind& kind);                          \
  std::vector<AskedColumn> asked_of(const std::string& column, const Kind& kind);                                      \
  void write_kind(EncoderWriter& to, const Kind& kind);                                                                \
  void read_kind(EncoderReader& from, Kind& kind);                                                                     \
  void take_fields(const PreparedEncoder& prepared, const Kind& kind, const TableBatch& batch, EncodedFields& fields); \
  void emit_row(const PreparedEncoder& prepared, const Kind& kind, const EncodedRow& to)

LINSEP_KIND(NumberEncoder);
LINSEP_KIND(CategoryEncoder);
LINSEP_KIND(TextEncoder);
LINSEP_KIND(DateEncoder);
LINSEP_KIND(VectorEncoder);
LINSEP_KIND(CrossEncoder);

#undef LINSEP_KIND

// Shared by numbers and dates (number_kind.cc).
std::string scaling_problem(const TableMap& map, const Scaling& scaling);
void write_scaling(EncoderWriter& to, const Scaling& scaling, bool missing);
void read_scaling(EncoderReader& from, Scaling& scaling, bool& missing);

// Shared by categories, texts and crosses of categories (term_set.cc).

/// The number of features, without that of a missing value.
std::uint64_t term_features(const TermSet& set, bool rare = false);
/// The term of a feature, or the first term of a bucket. Nothing for (rare) and for buckets without a name.
std::optional<std::string_view> term_at(const TermSet& set, std::uint32_t place);
/// The same term, or "(rare)" or "#4711".
std::string term_text(const TermSet& set, std::uint32_t place);
/// `key_of(i, keys)` appends the key of term i, or returns what is wrong with the term.
using KeyOf = std::function<std::string(std::size_t, std::vector<std::uint64_t>&)>;
std::string terms_problem(const TermSet& set, const KeyOf& key_of);
std::string values_problem(const ValueSet& values, const KeyOf& key_of);
void write_terms(EncoderWriter& to, std::string_view key, const TermSet& set);
void read_terms(EncoderReader& from, const std::string& key, TermSet& set);
void write_values(EncoderWriter& to, const ValueSet& values);
void read_values(EncoderReader& from, ValueSet& values);
/// Stores the place of a value, found by its key.
void take_key(const PreparedEncoder& prepared, std::uint64_t key, std::size_t row, EncodedFields& fields);

}  // namespace linsep
