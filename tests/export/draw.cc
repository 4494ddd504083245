#include "draw.h"

#include <algorithm>
#include <array>
#include <limits>

#include "table/encode.h"
#include "table/terms.h"

namespace linsep::export_test {
namespace {

using Kind = ColumnKind;
using Part = DateEncoder::Part;

const std::vector<std::string>& all_languages() {
  static const std::vector<std::string> kAll = {"c", "onnx", "duckdb", "postgresql"};
  return kAll;
}

constexpr std::array<const char*, 16> kValues = {
    "red",   "Red", "o'hara", "say \"hi\"", "a@b.c", "?\?=x", "100%",     "\xF0\x9F\x98\x80",
    "naïve", "\\n", "NULL",   "a,b",        "x\ty",  "ﬀ",     "ÅNGSTRÖM", "-1"};
constexpr std::array<const char*, 20> kWords = {"Free",   "prize", "don't", "ΣΊΣΥΦΟΣ",  "straße", "\xF0\x9F\x98\x80",
                                                "東京都", "ไทย",   "हिन्दी", "İstanbul", "_x1",    "naïve",
                                                "100",    "a",     "THE",   "!!",       "ǅ",      "\xFF\xFE",
                                                "Ⅷ",      "call"};

std::string draw_text(Dice& dice) {
  if (dice.once_in(8)) return "";
  std::string text;
  const std::size_t words = 1 + dice.below(dice.once_in(10) ? 60 : 9);
  for (std::size_t k = 0; k < words; ++k) {
    if (k > 0) text += dice.once_in(5) ? "," : dice.once_in(9) ? "" : " ";
    if (dice.once_in(60)) text += std::string(300, 'q') + "É";
    text += kWords[dice.below(kWords.size())];
  }
  return text;
}

std::string draw_value(Dice& dice) {
  if (dice.once_in(6)) return "v" + std::to_string(dice.below(4000));
  return kValues[dice.below(kValues.size())];
}

Scaling scaling(Dice& dice) {
  Scaling s;
  s.scale = Scale::kStandard;
  s.shift = dice.between(-2, 2);
  s.factor = dice.between(0.1, 3);
  s.fill = s.mean = dice.between(-1, 1);
  return s;
}

Encoder number(std::string name, Dice& dice) { return {std::move(name), NumberEncoder{scaling(dice), "", true}}; }

Encoder category(std::string name, Dice& dice, bool rare, bool missing) {
  CategoryEncoder e;
  for (const char* value : kValues) {
    if (!dice.once_in(4)) e.terms.emplace_back(value);
  }
  e.rare = rare;
  e.missing = missing;
  return {std::move(name), e};
}

Encoder text(std::string name, Dice& dice, TermRange words, TermRange chars) {
  TextEncoder e;
  e.words = words;
  e.chars = chars;
  TermReader reader(words, chars);
  for (int k = 0; k < 40; ++k) {
    const std::size_t count = reader.read(draw_text(dice)).size();
    for (std::size_t i = 0; i < count; ++i) {
      std::string term = reader.term(i);
      if (!dice.once_in(3) && std::ranges::find(e.terms, term) == e.terms.end()) e.terms.push_back(std::move(term));
    }
  }
  for (std::size_t k = 0; k < e.terms.size(); ++k) e.idf.push_back(dice.between(1, 8));
  return {std::move(name), e};
}

/// The same by hashes.
void hash(Encoder& e, int bits, bool has_signs, bool every_bucket, Dice& dice) {
  TermSet& set = *e.terms();
  auto* text = e.get<TextEncoder>();
  if (text != nullptr) text->idf.clear();
  if (auto* cross = e.get<CrossEncoder>()) cross->rare = false;
  set.terms.clear();
  set.bits = bits;
  set.has_signs = has_signs;
  set.every_bucket = every_bucket;
  for (std::uint32_t bucket = 0; bucket < 1U << static_cast<unsigned>(bits) && !every_bucket; ++bucket) {
    if (dice.once_in(3)) continue;
    set.buckets.push_back(bucket);
    if (text != nullptr) text->idf.push_back(dice.between(1, 8));
  }
}

Encoder date(std::string name, Dice& dice) {
  DateEncoder e{scaling(dice), "iso", {Part::kDays, Part::kWeekday, Part::kMonth, Part::kHour}, true};
  e.shift = e.fill = e.mean = 14000.25;
  e.factor = 0.001;
  return {std::move(name), e};
}

Encoder cross(std::string a, std::string b, CrossEncoder::Of of) {
  CrossEncoder e;
  e.second = std::move(b);
  e.of = of;
  for (std::size_t k = 0; k < kValues.size() && of == CrossEncoder::Of::kCategories; ++k) {
    e.terms.push_back(std::string(kValues[k]) + "\x1f" + kValues[(3 * k + 1) % kValues.size()]);
    e.terms.push_back(std::string(kValues[k]) + "\x1f" + kValues[k]);
    e.rare = true;
  }
  return {std::move(a), e};
}

/// Weights for as many features, classes and scores.
void finish(Model& model, std::size_t parts, Dice& dice) {
  if (!model.table.empty()) model.features = encoder_starts(model.table).back();
  model.theta.resize(parts * model.features);
  for (double& weight : model.theta) weight = dice.between(-2, 2);
  if (parts == 1) {
    model.schema.classes = {"it's ham", "spam \"@\" \xF0\x9F\x90\xB7"};
    model.offset = dice.between(-1, 1);
    return;
  }
  for (std::size_t part = 0; part < parts; ++part) {
    model.offsets.push_back(dice.between(-1, 1));
    const std::string name = std::string(1, static_cast<char>('a' + part));
    if (model.form == Model::Form::kLabels) {
      model.schema.labels.push_back("label " + name);
      model.schema.classes.push_back("no " + name);
    }
    model.schema.classes.push_back("class " + name);
  }
}

Calibration isotonic() {
  Calibration calibration;
  calibration.kind = Calibration::Kind::kIsotonic;
  calibration.score = {-2, -0.5, 0.25, 3};
  calibration.probability = {0, 0.25, 0.5, 1};
  return calibration;
}

Case numbers_case(Dice& dice) {
  Case made{"numbers", {}, all_languages()};
  TableMap& table = made.model.table;
  for (const char* name : {"size", "select", "double", "a \"b\" 'c'", "Größe", "2nd", "score", "size "}) {
    table.encoders.push_back(number(name, dice));
  }
  table.encoders[2].get<NumberEncoder>()->missing = false;
  table.encoders.push_back(cross("size", "select", CrossEncoder::Of::kNumbers));
  finish(made.model, 1, dice);
  made.model.threshold = 0.125;
  made.model.calibration.kind = Calibration::Kind::kSigmoid;
  made.model.calibration.slope = 1.5;
  return made;
}

Case mixed_case(Dice& dice, bool single) {
  Case made{single ? "mixed" : "mixed, double", {}, {"c", "onnx", "duckdb"}};
  TableMap& table = made.model.table;
  table.single = single;
  table.encoders = {number("size", dice), category("sender", dice, true, true), text("body", dice, {1, 2}, {}),
                    date("when", dice), category("colour", dice, single, false)};
  table.encoders.push_back(text("title", dice, {single ? 2 : 1, 3}, {}));
  TextEncoder& title = *table.encoders.back().get<TextEncoder>();
  title.weight = single ? TermWeight::kCount : TermWeight::kPresence;
  title.norm = single;
  if (!single) title.idf.clear();
  finish(made.model, 1, dice);
  made.model.calibration = isotonic();
  return made;
}

Case several_case(Dice& dice, Model::Form form, bool softmax) {
  const bool classes = form == Model::Form::kClasses;
  Case made{classes ? softmax ? "softmax" : "classes" : "labels", {}, {"c", "onnx", "duckdb"}};
  made.model.form = form;
  TableMap& table = made.model.table;
  table.encoders = {number("size", dice), number("price", dice), category("sender", dice, true, true),
                    category("colour", dice, true, false)};
  if (softmax) table.encoders.push_back(text("body", dice, {1, 1}, {}));
  if (!softmax) made.languages = all_languages();
  table.encoders.push_back(cross("sender", "colour", CrossEncoder::Of::kCategories));
  table.encoders.push_back(cross("size", "colour", CrossEncoder::Of::kNumberCategory));
  table.encoders.push_back(cross("size", "price", CrossEncoder::Of::kNumbers));
  table.encoders.push_back(date("when", dice));
  finish(made.model, 3, dice);
  if (softmax) {
    made.model.calibration.kind = Calibration::Kind::kSoftmax;
  } else {
    made.model.calibrations.assign(3, isotonic());
    made.model.calibrations[1].kind = Calibration::Kind::kSigmoid;
  }
  return made;
}

Case hashed_case(Dice& dice, bool has_signs) {
  Case made{has_signs ? "hashed with signs" : "hashed", {}, {"c"}};
  TableMap& table = made.model.table;
  table.encoders = {number("size", dice), category("sender", dice, false, true), text("body", dice, {1, 3}, {}),
                    text("body", dice, {}, {1, 4}), category("colour", dice, false, false)};
  for (std::size_t k = 1; k < table.encoders.size(); ++k) hash(table.encoders[k], 10, has_signs, k == 3, dice);
  Encoder pair = cross("sender", "colour", CrossEncoder::Of::kCategories);
  hash(pair, 11, has_signs, false, dice);
  table.encoders.push_back(pair);
  table.encoders.push_back(cross("size", "sender", CrossEncoder::Of::kNumberCategory));
  finish(made.model, 1, dice);
  return made;
}

Case characters_case(Dice& dice) {
  Case made{"characters", {}, {"c"}};
  made.model.table.encoders = {text("body", dice, {}, {2, 3}), text("body", dice, {1, 1}, {})};
  finish(made.model, 1, dice);
  return made;
}

Case large_case(Dice& dice) {
  Case made{"many values", {}, all_languages()};
  TableMap& table = made.model.table;
  table.encoders = {category("sender", dice, true, true), number("size", dice)};
  for (int k = 0; k < 1500; ++k) table.encoders[0].terms()->terms.push_back("v" + std::to_string(2 * k));
  finish(made.model, 1, dice);
  return made;
}

Case vector_case(Dice& dice) {
  Case made{"vector", {}, all_languages()};
  made.model.table.encoders = {number("size", dice), {"embedding", VectorEncoder{9}}};
  finish(made.model, 1, dice);
  made.model.regression = true;
  made.model.schema.classes.clear();
  return made;
}

Case plain_case(Dice& dice, bool named) {
  Case made{named ? "columns by name" : "columns without names", {}, all_languages()};
  made.model.features = 19;
  for (std::uint32_t k = 0; k < made.model.features && named; ++k) {
    made.model.schema.feature_names.push_back("f" + std::to_string(k));
  }
  finish(made.model, 1, dice);
  made.model.calibration.kind = Calibration::Kind::kSigmoid;
  return made;
}

Field draw_field(const DrawnColumn& column, bool holes, Dice& dice) {
  Field field;
  field.missing = holes && dice.once_in(7);
  if (field.missing) return field;
  field.number = dice.once_in(9)   ? 0
                 : dice.once_in(2) ? dice.between(-5, 5)
                                   : static_cast<double>(dice.below(100)) / 10;
  if (column.kind == Kind::kCategory) field.text = draw_value(dice);
  if (column.kind == Kind::kText) field.text = draw_text(dice);
  field.missing = column.kind == Kind::kText && field.text.empty();
  field.seconds = static_cast<std::int64_t>(dice.below(5000000000U)) - 1500000000;
  for (std::uint32_t k = 0; k < column.size; ++k) field.vector.push_back(dice.between(-1, 1));
  return field;
}

}  // namespace

std::uint64_t Dice::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::vector<Case> draw_cases(std::uint64_t seed) {
  Dice dice(seed);
  return {numbers_case(dice),
          mixed_case(dice, true),
          mixed_case(dice, false),
          several_case(dice, Model::Form::kClasses, true),
          several_case(dice, Model::Form::kClasses, false),
          several_case(dice, Model::Form::kLabels, false),
          hashed_case(dice, false),
          hashed_case(dice, true),
          characters_case(dice),
          large_case(dice),
          vector_case(dice),
          plain_case(dice, true),
          plain_case(dice, false)};
}

std::vector<DrawnColumn> columns_of(const Model& model) {
  std::vector<DrawnColumn> columns;
  if (model.table.empty() && model.schema.feature_names.empty()) return {{"x", Kind::kVector, model.features}};
  for (const std::string& name : model.schema.feature_names) columns.push_back({name, Kind::kNumber, 1});
  for (const AskedColumn& column : asked_columns(model.table)) {
    columns.push_back({column.name, column.kind, std::max(column.size, 1U)});
  }
  return columns;
}

std::vector<Row> draw_rows(const Model& model, std::size_t count, Dice& dice) {
  const std::vector<DrawnColumn> columns = columns_of(model);
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    for (const DrawnColumn& column : columns) row.push_back(draw_field(column, !model.table.empty(), dice));
  }
  return rows;
}

}  // namespace linsep::export_test
