#include "table/encode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "linsep/comm.h"
#include "linsep/error.h"
#include "table/date.h"
#include "table/rows_testing.h"
#include "table/terms.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;
using Cross = Encoder::Cross;

TableMap fit(const TestTable& table, const TableSpec& spec) {
  TableFitter fitter(spec, table.plans());
  fitter.take(TestBatch(table, plan_names(table), 0, table.rows).batch, 0);
  TableMap map;
  std::vector<FittedColumn> fitted;
  fitter.finish(*solo(), map, fitted);
  return map;
}

std::vector<std::string> asked_names(const TableMap& map) {
  std::vector<std::string> names;
  for (const AskedColumn& column : asked_columns(map)) names.push_back(column.name);
  return names;
}

/// By feature of one encoder, from 0.
using Block = std::map<std::uint32_t, double>;

bool is_hole(const TestColumn& column, std::size_t row) { return !column.missing.empty() && column.missing[row] != 0; }

/// What a map makes of a table, encoder by encoder, with strings compared and no look-up tables.
class Oracle {
 public:
  Oracle(const TableMap& map, const TestTable& table) : map_(map), table_(table) {}

  Block block(const Encoder& encoder, std::size_t row) const {
    const TestColumn& column = table_.column(encoder.column);
    switch (encoder.kind) {
      case Kind::kNumber:
        return number(encoder, column, row);
      case Kind::kCategory:
        if (!is_hole(column, row)) return value(encoder, column.text[row], value_key(column.text[row]));
        return encoder.missing ? Block{{size_of(encoder), 1}} : Block{};
      case Kind::kText:
        return is_hole(column, row) ? Block{} : text(encoder, column.text[row]);
      case Kind::kDate:
        return date(encoder, column, row);
      case Kind::kVector:
        return vector(encoder, column, row);
      case Kind::kCross:
        return cross(encoder, column, table_.column(encoder.second), row);
    }
    return {};
  }

  EncodedRows rows() const {
    EncodedRows all;
    for (std::size_t row = 0; row < table_.rows; ++row) {
      std::uint32_t start = 0;
      for (std::size_t e = 0; e < map_.encoders.size(); ++e) {
        for (const auto& [feature, value] : block(map_.encoders[e], row)) {
          if (value == 0) continue;
          all.column.push_back(start + feature);
          all.value.push_back(value);
        }
        start += static_cast<std::uint32_t>(encoder_features(map_, e));
      }
      all.start.push_back(all.column.size());
    }
    return all;
  }

 private:
  static std::uint32_t size_of(const Encoder& encoder) {
    return encoder.bits > 0 ? 1U << encoder.bits
                            : static_cast<std::uint32_t>(encoder.terms.size()) + (encoder.rare ? 1 : 0);
  }

  static Block number(const Encoder& encoder, const TestColumn& column, std::size_t row) {
    const bool hole = is_hole(column, row);
    Block block = {{0, ((hole ? encoder.fill : column.number[row]) - encoder.shift) * encoder.factor}};
    if (hole && encoder.missing) block[1] = 1;
    return block;
  }

  /// The bucket of a key and its sign; nothing where the bucket isn't in use.
  static Block bucket(const Encoder& encoder, std::uint64_t key) {
    const auto at = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << encoder.bits) - 1));
    const bool used =
        encoder.every_bucket || std::find(encoder.buckets.begin(), encoder.buckets.end(), at) != encoder.buckets.end();
    return used ? Block{{at, encoder.has_signs && key >> 63 != 0 ? -1 : 1}} : Block{};
  }

  static Block value(const Encoder& encoder, const std::string& term, std::uint64_t key) {
    if (encoder.bits > 0) return bucket(encoder, key);
    const auto at = std::find(encoder.terms.begin(), encoder.terms.end(), term);
    if (at == encoder.terms.end() && !encoder.rare) return {};
    return {{static_cast<std::uint32_t>(at - encoder.terms.begin()), 1}};
  }

  static double idf(const Encoder& encoder, std::uint32_t feature) {
    if (encoder.idf.empty()) return 1;
    if (encoder.bits == 0) return encoder.idf[feature];
    const auto at = std::find(encoder.buckets.begin(), encoder.buckets.end(), feature);
    return encoder.idf[static_cast<std::size_t>(at - encoder.buckets.begin())];
  }

  static Block text(const Encoder& encoder, const std::string& text) {
    TermReader reader(encoder.words, encoder.chars);
    const std::span<const std::uint64_t> keys = reader.read(text);
    Block block;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (const auto& [feature, sign] : value(encoder, reader.term(i), keys[i])) block[feature] += sign;
    }
    double squares = 0;
    for (auto& [feature, value] : block) {
      if (encoder.weight == TermWeight::kSqrt) value = std::copysign(std::sqrt(std::abs(value)), value);
      if (encoder.weight == TermWeight::kPresence) value = value > 0 ? 1 : value < 0 ? -1 : 0;
      value *= idf(encoder, feature);
      squares += value * value;
    }
    if (!encoder.norm || squares == 0) return block;
    for (auto& [feature, value] : block) value /= std::sqrt(squares);
    return block;
  }

  static Block date(const Encoder& encoder, const TestColumn& column, std::size_t row) {
    const bool hole = is_hole(column, row);
    const DateParts parts = parts_of(column.seconds[row]);
    Block block;
    std::uint32_t at = 0;
    const auto one_hot = [&](int part, std::uint32_t size) {
      if (!hole) block[at + static_cast<std::uint32_t>(part)] = 1;
      at += size;
    };
    for (const Encoder::Part part : encoder.parts) {
      if (part == Encoder::Part::kDays) {
        block[at++] = ((hole ? encoder.fill : parts.days) - encoder.shift) * encoder.factor;
      } else if (part == Encoder::Part::kWeekday) {
        one_hot(parts.weekday, 7);
      } else if (part == Encoder::Part::kMonth) {
        one_hot(parts.month, 12);
      } else {
        one_hot(parts.hour, 24);
      }
    }
    if (hole && encoder.missing) block[at] = 1;
    return block;
  }

  static Block vector(const Encoder& encoder, const TestColumn& column, std::size_t row) {
    Block block;
    for (std::uint32_t k = 0; k < encoder.size && !is_hole(column, row); ++k) {
      block[k] = column.number[row * encoder.size + k];
    }
    return block;
  }

  Block cross(const Encoder& encoder, const TestColumn& a, const TestColumn& b, std::size_t row) const {
    if (encoder.cross == Cross::kCategories) {
      if (is_hole(a, row) || is_hole(b, row)) return {};
      return value(encoder, a.text[row] + "\x1f" + b.text[row],
                   pair_key(value_key(a.text[row]), value_key(b.text[row])));
    }
    const auto own = [&](const std::string& name) {
      return block(*std::find_if(map_.encoders.begin(), map_.encoders.end(),
                                 [&](const Encoder& e) { return e.kind != Kind::kCross && e.column == name; }),
                   row);
    };
    const double first = own(encoder.column)[0];
    if (encoder.cross == Cross::kNumbers) return {{0, first * own(encoder.second)[0]}};
    Block products = own(encoder.second);
    for (auto& [feature, value] : products) value *= first;
    return products;
  }

  const TableMap& map_;
  const TestTable& table_;
};

void expect_sparse(const EncodedRows& rows, std::uint32_t features) {
  for (std::size_t row = 0; row + 1 < rows.start.size(); ++row) {
    for (std::size_t i = rows.start[row]; i < rows.start[row + 1]; ++i) {
      EXPECT_NE(rows.value[i], 0);
      EXPECT_LT(rows.column[i], features);
      if (i > rows.start[row]) {
        EXPECT_LT(rows.column[i - 1], rows.column[i]);
      }
    }
  }
}

TEST(TableEncoder, AgreesWithStringsCompared) {
  int tables = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(33, seed);
    const TestTable training = drawn_table(random, 1 + random.below(60)), later = drawn_table(random, random.below(60));
    TableMap map;
    try {
      map = fit(training, drawn_spec(random));
    } catch (const Error&) {
      continue;  // a cross of too many values
    }
    ++tables;
    auto prepared = std::make_shared<const PreparedTable>(std::make_shared<const TableMap>(map));
    EXPECT_EQ(prepared->columns(), asked_columns(map));
    EXPECT_EQ(prepared->features(), encoder_starts(map).back());
    TableEncoder encoder(prepared);
    for (const TestTable* table : {&training, &later}) {
      EncodedRows rows;
      for (std::size_t at = 0; at < table->rows;) {
        const std::size_t end = std::min(table->rows, at + 1 + random.below(30));
        encoder.encode(TestBatch(*table, asked_names(map), at, end).batch, rows, nullptr);
        at = end;
      }
      expect_sparse(rows, prepared->features());
      EXPECT_EQ(rows, Oracle(map, *table).rows()) << seed;
    }
  }
  EXPECT_GT(tables, 80);
}

/// The encoded rows, each as "feature:value ...".
std::vector<std::string> encoded(const TableMap& map, const TestTable& table, TableCounts* counts = nullptr) {
  TableEncoder encoder(std::make_shared<const PreparedTable>(std::make_shared<const TableMap>(map)));
  EncodedRows rows;
  encoder.encode(TestBatch(table, asked_names(map), 0, table.rows).batch, rows, counts);
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::string& line = lines.emplace_back();
    for (std::size_t i = rows.start[row]; i < rows.start[row + 1]; ++i) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%u:%g", line.empty() ? "" : " ", rows.column[i], rows.value[i]);
      line += text;
    }
  }
  return lines;
}

Encoder encoder_of(const std::string& column, Kind kind) {
  Encoder encoder;
  encoder.column = column;
  encoder.kind = kind;
  return encoder;
}

TEST(TableEncoder, ANumberIsShiftedScaledAndFilled) {
  Encoder x = encoder_of("x", Kind::kNumber);
  x.shift = 2;
  x.factor = 0.5;
  x.fill = 3;
  x.missing = true;
  TableMap map;
  map.encoders = {x};
  const double nan = std::nan("");
  const TestTable table = table_of({number_column("x", {2, 5, 100, nan}, {0, 0, 1, 0})}, 4);
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"", "0:1.5", "0:0.5 1:1", "0:0.5 1:1"}));
  map.encoders[0].missing = false;
  EXPECT_EQ(encoded(map, table)[2], "0:0.5");
}

TEST(TableEncoder, AValueThatIsntKnownIsRareOrNothing) {
  Encoder c = encoder_of("c", Kind::kCategory);
  c.terms = {"b", "(rare)"};
  c.missing = true;
  TableMap map;
  map.encoders = {c};
  const TestTable table = table_of({text_column("c", Kind::kCategory, {"b", "(rare)", "z", ""}, {0, 0, 0, 1})}, 4);
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"0:1", "1:1", "", "2:1"}));
  map.encoders[0].rare = true;
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"0:1", "1:1", "2:1", "3:1"}));
  map.encoders[0].missing = false;
  EXPECT_EQ(encoded(map, table)[3], "");
}

TEST(TableEncoder, CountsWhatWasntSeenInTraining) {
  Encoder c = encoder_of("c", Kind::kCategory), t = encoder_of("t", Kind::kText), x = encoder_of("x", Kind::kNumber);
  c.terms = {"b"};
  t.terms = {"free"};
  t.words = {1, 1};
  TableMap map;
  map.encoders = {c, t, x};
  const TestTable table = table_of({text_column("c", Kind::kCategory, {"b", "z", "z", ""}, {0, 0, 0, 1}),
                                    text_column("t", Kind::kText, {"free now", "now", "", ""}, {0, 0, 1, 1}),
                                    number_column("x", {1, 0, 7, 0}, {0, 0, 0, 1})},
                                   4);
  TableCounts counts(3);
  encoded(map, table, &counts);
  encoded(map, table, &counts);
  EXPECT_EQ(counts.rows, 8);
  EXPECT_EQ(counts.nothing, 4);
  EXPECT_EQ(counts.unseen[0], 4);
  EXPECT_EQ(counts.unseen[1], 2);
  EXPECT_EQ(counts.unseen[2], 0);
  EXPECT_EQ(counts.holes[0], 2);
  EXPECT_EQ(counts.holes[1], 4);
  EXPECT_EQ(counts.holes[2], 2);
}

TEST(TableEncoder, ColumnsAreAskedForOnce) {
  Encoder cross = encoder_of("a", Kind::kCross), when = encoder_of("when", Kind::kDate);
  cross.second = "b";
  when.format = "%d.%m.%Y";
  TableMap map;
  map.encoders = {encoder_of("b", Kind::kCategory), when, cross};
  const std::vector<AskedColumn> expected = {
      {"b", Kind::kCategory, "", 0}, {"when", Kind::kDate, "%d.%m.%Y", 0}, {"a", Kind::kCategory, "", 0}};
  EXPECT_EQ(asked_columns(map), expected);
}

TEST(TableEncoder, WrittenNumbersAreThoseWithoutShiftAndFactor) {
  Encoder x = encoder_of("x", Kind::kNumber), y = encoder_of("y", Kind::kNumber), c = encoder_of("c", Kind::kCategory);
  x.missing = true;
  y.factor = 2;
  c.terms = {"p"};
  TableMap map;
  map.encoders = {c, x, y};
  const PreparedTable prepared(std::make_shared<const TableMap>(map));
  std::vector<int> written;
  for (std::uint32_t feature = 0; feature < prepared.features(); ++feature)
    written.push_back(prepared.written_column(feature));
  EXPECT_EQ(written, (std::vector<int>{-1, 1, -1, -1}));
  EXPECT_FALSE(prepared.dense());
  map.encoders = {x, y};
  EXPECT_TRUE(PreparedTable(std::make_shared<const TableMap>(map)).dense());
}

}  // namespace
}  // namespace linsep
