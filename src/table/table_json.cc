#include <array>
#include <utility>

#include "core/json_object.h"
#include "core/json_text.h"
#include "linsep/error.h"
#include "table/table_object.h"

namespace linsep {
namespace {

using nlohmann::json;
using Kind = Encoder::Kind;
using Part = Encoder::Part;
using Cross = Encoder::Cross;

constexpr std::array<std::pair<Kind, std::string_view>, 6> kKindNames{{{Kind::kNumber, "number"},
                                                                       {Kind::kCategory, "category"},
                                                                       {Kind::kText, "text"},
                                                                       {Kind::kDate, "date"},
                                                                       {Kind::kVector, "vector"},
                                                                       {Kind::kCross, "cross"}}};
constexpr std::array<std::pair<Scale, std::string_view>, 4> kScaleNames{{{Scale::kNone, "none"},
                                                                         {Scale::kDeviation, "deviation"},
                                                                         {Scale::kStandard, "standard"},
                                                                         {Scale::kMaxAbs, "max-abs"}}};
constexpr std::array<std::pair<TermWeight, std::string_view>, 3> kWeightNames{
    {{TermWeight::kSqrt, "sqrt"}, {TermWeight::kCount, "count"}, {TermWeight::kPresence, "presence"}}};
constexpr std::array<std::pair<Part, std::string_view>, 4> kPartNames{
    {{Part::kDays, "days"}, {Part::kWeekday, "weekday"}, {Part::kMonth, "month"}, {Part::kHour, "hour"}}};
constexpr std::array<std::pair<Cross, std::string_view>, 3> kCrossNames{
    {{Cross::kCategories, "categories"}, {Cross::kNumberCategory, "number*category"}, {Cross::kNumbers, "numbers"}}};

class Writer {
 public:
  explicit Writer(TableLists lists) : lists_(lists) {}

  std::string write(const TableMap& map) {
    out_ += '{';
    JsonFields fields(out_, " ");
    append_json_number(fields["rules"], map.rules);
    append_json_number(fields["rows"], map.rows);
    append_json_flag(fields["single"], map.single);
    append_json_flag(fields["header"], map.header);
    append_json_word(fields["decimal"], std::string_view(&map.decimal, 1));
    append_json_words(fields["missing_words"], map.missing_words);
    fields["columns"] += '[';
    for (std::size_t i = 0; i < map.encoders.size(); ++i) {
      out_ += i > 0 ? ",\n    " : "\n    ";
      encoder(map.encoders[i]);
    }
    out_ += "\n  ]}";
    return std::move(out_);
  }

 private:
  void encoder(const Encoder& e) {
    out_ += '{';
    JsonFields fields(out_, " ");
    append_json_word(fields["name"], e.column);
    append_json_word(fields["kind"], name_in(kKindNames, e.kind));
    switch (e.kind) {
      case Kind::kNumber:
        number(fields, e);
        break;
      case Kind::kCategory:
        terms(fields, e, "values");
        append_json_flag(fields["missing"], e.missing);
        break;
      case Kind::kText:
        text(fields, e);
        break;
      case Kind::kDate:
        append_json_word(fields["format"], e.format);
        append_json_list(fields["parts"], e.parts,
                         [&](Part part) { append_json_word(out_, name_in(kPartNames, part)); });
        number(fields, e);
        break;
      case Kind::kVector:
        append_json_number(fields["size"], e.size);
        break;
      case Kind::kCross:
        append_json_word(fields["second"], e.second);
        append_json_word(fields["cross"], name_in(kCrossNames, e.cross));
        if (e.cross == Cross::kCategories) terms(fields, e, "values");
        break;
    }
    out_ += '}';
  }

  static void number(JsonFields& fields, const Encoder& e) {
    append_json_word(fields["scale"], name_in(kScaleNames, e.scale));
    append_json_number(fields["shift"], e.shift);
    append_json_number(fields["factor"], e.factor);
    append_json_number(fields["fill"], e.fill);
    append_json_number(fields["mean"], e.mean);
    append_json_flag(fields["missing"], e.missing);
  }

  void text(JsonFields& fields, const Encoder& e) {
    range(fields["words"], e.words);
    range(fields["chars"], e.chars);
    append_json_word(fields["tf"], name_in(kWeightNames, e.weight));
    terms(fields, e, "terms");
    list(fields["idf"], e.idf, [&](double idf) { append_json_number(out_, idf); });
    append_json_flag(fields["norm"], e.norm);
  }

  void terms(JsonFields& fields, const Encoder& e, std::string_view key) {
    if (e.bits == 0) {
      list(fields[key], e.terms, [&](const std::string& term) { append_json_word(out_, term); });
      if (e.kind != Kind::kText) append_json_flag(fields["rare"], e.rare);
      return;
    }
    append_json_number(fields["bits"], e.bits);
    append_json_flag(fields["signed"], e.has_signs);
    if (!e.every_bucket) list(fields["used"], e.buckets, [&](std::uint32_t b) { append_json_number(out_, b); });
    list(fields["names"], e.names, [&](const BucketName& name) {
      out_ += '[';
      append_json_number(out_, name.bucket);
      for (const std::string* word : {&name.first, &name.second}) {
        out_ += ", ";
        append_json_word(out_, *word);
      }
      out_ += ']';
    });
  }

  static void range(std::string& out, TermRange range) {
    out += '[';
    if (!range.none()) out += std::to_string(range.from) + ", " + std::to_string(range.to);
    out += ']';
  }

  template <class Items, class Append>
  void list(std::string& out, const Items& items, const Append& append) const {
    if (lists_ == TableLists::kInPlace) return append_json_list(out, items, append);
    append_json_number(out, items.size());
  }

  TableLists lists_;
  std::string out_;
};

/// One object of `columns`.
class EncoderReader {
 public:
  EncoderReader(const json& object, const std::string& path, TableLists lists) : object_(object, path), lists_(lists) {}

  Encoder read(EncoderLengths& lengths) {
    lengths_ = &lengths;
    e_.column = json_word(object_, "name");
    e_.kind = json_choice(object_, "kind", kKindNames);
    switch (e_.kind) {
      case Kind::kNumber:
        number();
        break;
      case Kind::kCategory:
        terms("values");
        e_.missing = json_flag(object_, "missing");
        break;
      case Kind::kText:
        e_.words = range("words");
        e_.chars = range("chars");
        e_.weight = json_choice(object_, "tf", kWeightNames);
        terms("terms");
        list("idf", e_.idf, lengths.idf, [](const json& item, const std::string& at) { return json_number(item, at); });
        e_.norm = json_flag(object_, "norm");
        break;
      case Kind::kDate:
        date();
        break;
      case Kind::kVector:
        e_.size = json_integer<std::uint32_t>(object_, "size");
        break;
      case Kind::kCross:
        e_.second = json_word(object_, "second");
        e_.cross = json_choice(object_, "cross", kCrossNames);
        if (e_.cross == Cross::kCategories) terms("values");
        break;
    }
    object_.finish();
    return std::move(e_);
  }

 private:
  void number() {
    e_.scale = json_choice(object_, "scale", kScaleNames);
    e_.shift = json_number(object_, "shift");
    e_.factor = json_number(object_, "factor");
    e_.fill = json_number(object_, "fill");
    e_.mean = json_number(object_, "mean");
    e_.missing = json_flag(object_, "missing");
  }

  void date() {
    e_.format = json_word(object_, "format");
    const json& parts = object_.field("parts");
    if (!parts.is_array()) throw wrong_json(object_.path("parts"), "a list of strings");
    for (const json& part : parts) e_.parts.push_back(json_choice(part, object_.path("parts"), kPartNames));
    number();
  }

  void terms(const std::string& key) {
    const auto word = [](const json& item, const std::string& at) { return json_word(item, at); };
    if (!object_.has("bits")) {
      list(key, e_.terms, lengths_->terms, word);
      if (e_.kind != Kind::kText) e_.rare = json_flag(object_, "rare");
      return;
    }
    e_.bits = json_integer<int>(object_, "bits");
    if (e_.bits == 0) throw wrong_json(object_.path("bits"), "above 0");
    e_.has_signs = json_flag(object_, "signed");
    e_.every_bucket = !object_.has("used");
    if (!e_.every_bucket) {
      list("used", e_.buckets, lengths_->buckets,
           [](const json& item, const std::string& at) { return json_integer<std::uint32_t>(item, at); });
    }
    list("names", e_.names, lengths_->names, [&](const json& item, const std::string& at) {
      if (!item.is_array() || item.size() != 3) throw wrong_json(at, "a list of [bucket, first, second]");
      return BucketName{json_integer<std::uint32_t>(item[0], at), word(item[1], at), word(item[2], at)};
    });
  }

  TermRange range(const std::string& key) {
    const std::vector<int> ends = json_numbers<int>(object_, key);
    if (ends.empty()) return {};
    if (ends.size() != 2 || ends[1] == 0) throw wrong_json(object_.path(key), "[] or [from, to]");
    return {ends[0], ends[1]};
  }

  template <class Item, class Read>
  void list(const std::string& key, std::vector<Item>& items, std::uint64_t& length, const Read& read) {
    const json& value = object_.field(key);
    const std::string path = object_.path(key);
    if (lists_ == TableLists::kLengthsOnly) {
      length = json_integer<std::uint64_t>(value, path);
      return;
    }
    if (!value.is_array()) throw wrong_json(path, "a list");
    items.reserve(value.size());
    for (const json& item : value) items.push_back(read(item, path));
  }

  JsonObject object_;
  TableLists lists_;
  EncoderLengths* lengths_ = nullptr;
  Encoder e_;
};

}  // namespace

std::string table_object_text(const TableMap& map, TableLists lists) { return Writer(lists).write(map); }

TableMap table_of_object(const json& object, const std::string& path, TableLists lists,
                         std::vector<EncoderLengths>& lengths) {
  JsonObject fields(object, path);
  TableMap map;
  map.rules = json_integer<int>(fields, "rules");
  if (map.rules != TableMap::kRules) {
    throw BadJson{fmt::format("the table has version {} of the rules of words, numbers and dates; this program has {}",
                              map.rules, TableMap::kRules)};
  }
  map.rows = json_integer<std::int64_t>(fields, "rows");
  map.single = json_flag(fields, "single");
  map.header = json_flag(fields, "header");
  const std::string decimal = json_word(fields, "decimal");
  if (decimal.size() != 1) throw wrong_json(fields.path("decimal"), "\".\" or \",\"");
  map.decimal = decimal[0];
  map.missing_words = json_words(fields, "missing_words");
  const json& columns = fields.field("columns");
  if (!columns.is_array()) throw wrong_json(fields.path("columns"), "a list of objects");
  lengths.assign(columns.size(), {});
  map.encoders.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", fields.path("columns"), i);
    map.encoders.push_back(EncoderReader(columns[i], at, lists).read(lengths[i]));
  }
  fields.finish();
  return map;
}

std::string table_to_json(const TableMap& map) { return table_object_text(map, TableLists::kInPlace); }

TableMap table_from_json(const std::string& json_text, const std::string& name) {
  TableMap map = read_json_text(json_text, name, "a table map", [](const json& object) {
    std::vector<EncoderLengths> lengths;
    return table_of_object(object, "", TableLists::kInPlace, lengths);
  });
  const std::string problem = problem_of(map);
  if (!problem.empty()) throw Error(Place{name}, "not a table map: " + problem);
  return map;
}

}  // namespace linsep
