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

using Of = CrossEncoder::Of;
using Part = DateEncoder::Part;

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

/// Values by feature of one encoder, from 0.
using Block = std::map<std::uint32_t, double>;

bool is_hole(const TestColumn& column, std::size_t row) { return !column.missing.empty() && column.missing[row] != 0; }

/// Encodes a table with a map, encoder by encoder, by comparing strings and without look-up tables.
class Oracle {
 public:
  Oracle(const TableMap& map, const TestTable& table) : map_(map), table_(table) {}

  Block block(const Encoder& encoder, std::size_t row) const {
    return std::visit([&](const auto& kind) { return block(encoder.column, kind, row); }, encoder.kind);
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
  static std::uint32_t size_of(const ValueSet& encoder) {
    return encoder.bits > 0 ? 1U << encoder.bits
                            : static_cast<std::uint32_t>(encoder.terms.size()) + (encoder.rare ? 1 : 0);
  }

  Block block(const std::string& name, const NumberEncoder& encoder, std::size_t row) const {
    const TestColumn& column = table_.column(name);
    const bool hole = is_hole(column, row);
    Block block = {{0, ((hole ? encoder.fill : column.number[row]) - encoder.shift) * encoder.factor}};
    if (hole && encoder.missing) block[1] = 1;
    return block;
  }

  /// The bucket of a key and its sign. Empty if the bucket isn't in use.
  static Block bucket(const TermSet& encoder, std::uint64_t key) {
    const auto at = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << encoder.bits) - 1));
    const bool used =
        encoder.every_bucket || std::find(encoder.buckets.begin(), encoder.buckets.end(), at) != encoder.buckets.end();
    return used ? Block{{at, encoder.has_signs && key >> 63 != 0 ? -1 : 1}} : Block{};
  }

  static Block value(const TermSet& encoder, bool rare, const std::string& term, std::uint64_t key) {
    if (encoder.bits > 0) return bucket(encoder, key);
    const auto at = std::find(encoder.terms.begin(), encoder.terms.end(), term);
    if (at == encoder.terms.end() && !rare) return {};
    return {{static_cast<std::uint32_t>(at - encoder.terms.begin()), 1}};
  }

  Block block(const std::string& name, const CategoryEncoder& encoder, std::size_t row) const {
    const TestColumn& column = table_.column(name);
    if (!is_hole(column, row)) return value(encoder, encoder.rare, column.text[row], value_key(column.text[row]));
    return encoder.missing ? Block{{size_of(encoder), 1}} : Block{};
  }

  static double idf(const TextEncoder& encoder, std::uint32_t feature) {
    if (encoder.idf.empty()) return 1;
    if (encoder.bits == 0) return encoder.idf[feature];
    const auto at = std::find(encoder.buckets.begin(), encoder.buckets.end(), feature);
    return encoder.idf[static_cast<std::size_t>(at - encoder.buckets.begin())];
  }

  Block block(const std::string& name, const TextEncoder& encoder, std::size_t row) const {
    Block block;
    if (is_hole(table_.column(name), row)) return block;
    TermReader reader(encoder.words, encoder.chars);
    const std::span<const std::uint64_t> keys = reader.read(table_.column(name).text[row]);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (const auto& [feature, sign] : value(encoder, false, reader.term(i), keys[i])) block[feature] += sign;
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

  Block block(const std::string& name, const DateEncoder& encoder, std::size_t row) const {
    const TestColumn& column = table_.column(name);
    const bool hole = is_hole(column, row);
    const DateParts parts = parts_of(column.seconds[row]);
    Block block;
    std::uint32_t at = 0;
    const auto one_hot = [&](int part, std::uint32_t size) {
      if (!hole) block[at + static_cast<std::uint32_t>(part)] = 1;
      at += size;
    };
    for (const Part part : encoder.parts) {
      if (part == Part::kDays) {
        block[at++] = ((hole ? encoder.fill : parts.days) - encoder.shift) * encoder.factor;
      } else if (part == Part::kWeekday) {
        one_hot(parts.weekday, 7);
      } else if (part == Part::kMonth) {
        one_hot(parts.month, 12);
      } else {
        one_hot(parts.hour, 24);
      }
    }
    if (hole && encoder.missing) block[at] = 1;
    return block;
  }

  Block block(const std::string& name, const VectorEncoder& encoder, std::size_t row) const {
    const TestColumn& column = table_.column(name);
    Block block;
    for (std::uint32_t k = 0; k < encoder.size && !is_hole(column, row); ++k) {
      block[k] = column.number[row * encoder.size + k];
    }
    return block;
  }

  Block block(const std::string& column, const CrossEncoder& encoder, std::size_t row) const {
    if (encoder.of == Of::kCategories) {
      const TestColumn& a = table_.column(column);
      const TestColumn& b = table_.column(encoder.second);
      if (is_hole(a, row) || is_hole(b, row)) return {};
      return value(encoder, encoder.rare, a.text[row] + "\x1f" + b.text[row],
                   pair_key(value_key(a.text[row]), value_key(b.text[row])));
    }
    const auto own = [&](const std::string& name) {
      return block(*std::find_if(map_.encoders.begin(), map_.encoders.end(),
                                 [&](const Encoder& e) { return !e.is<CrossEncoder>() && e.column == name; }),
                   row);
    };
    const double first = own(column)[0];
    if (encoder.of == Of::kNumbers) return {{0, first * own(encoder.second)[0]}};
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

TEST(TableEncoder, ANumberIsShiftedScaledAndFilled) {
  NumberEncoder x;
  x.shift = 2;
  x.factor = 0.5;
  x.fill = 3;
  x.missing = true;
  TableMap map;
  map.encoders = {{"x", x}};
  const double nan = std::nan("");
  const TestTable table = table_of({number_column("x", {2, 5, 100, nan}, {0, 0, 1, 0})}, 4);
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"", "0:1.5", "0:0.5 1:1", "0:0.5 1:1"}));
  std::get<NumberEncoder>(map.encoders[0].kind).missing = false;
  EXPECT_EQ(encoded(map, table)[2], "0:0.5");
}

TEST(TableEncoder, AValueThatIsntKnownIsRareOrNothing) {
  CategoryEncoder c;
  c.terms = {"b", "(rare)"};
  c.missing = true;
  TableMap map;
  map.encoders = {{"c", c}};
  const TestTable table =
      table_of({text_column("c", ColumnKind::kCategory, {"b", "(rare)", "z", ""}, {0, 0, 0, 1})}, 4);
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"0:1", "1:1", "", "2:1"}));
  auto& category = std::get<CategoryEncoder>(map.encoders[0].kind);
  category.rare = true;
  EXPECT_EQ(encoded(map, table), (std::vector<std::string>{"0:1", "1:1", "2:1", "3:1"}));
  category.missing = false;
  EXPECT_EQ(encoded(map, table)[3], "");
}

TEST(TableEncoder, CountsWhatWasntSeenInTraining) {
  CategoryEncoder c;
  TextEncoder t;
  c.terms = {"b"};
  t.terms = {"free"};
  t.words = {1, 1};
  TableMap map;
  map.encoders = {{"c", c}, {"t", t}, {"x", NumberEncoder()}};
  const TestTable table = table_of({text_column("c", ColumnKind::kCategory, {"b", "z", "z", ""}, {0, 0, 0, 1}),
                                    text_column("t", ColumnKind::kText, {"free now", "now", "", ""}, {0, 0, 1, 1}),
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
  CrossEncoder cross;
  DateEncoder when;
  cross.second = "b";
  when.format = "%d.%m.%Y";
  TableMap map;
  map.encoders = {{"b", CategoryEncoder()}, {"when", when}, {"a", cross}};
  const std::vector<AskedColumn> expected = {{"b", ColumnKind::kCategory, "", 0},
                                             {"when", ColumnKind::kDate, "%d.%m.%Y", 0},
                                             {"a", ColumnKind::kCategory, "", 0}};
  EXPECT_EQ(asked_columns(map), expected);
}

TEST(TableEncoder, WrittenNumbersAreThoseWithoutShiftAndFactor) {
  NumberEncoder x, y;
  CategoryEncoder c;
  x.missing = true;
  y.factor = 2;
  c.terms = {"p"};
  TableMap map;
  map.encoders = {{"c", c}, {"x", x}, {"y", y}};
  const PreparedTable prepared(std::make_shared<const TableMap>(map));
  std::vector<int> written;
  for (std::uint32_t feature = 0; feature < prepared.features(); ++feature)
    written.push_back(prepared.written_column(feature));
  EXPECT_EQ(written, (std::vector<int>{-1, 1, -1, -1}));
  EXPECT_FALSE(prepared.dense());
  map.encoders = {{"x", x}, {"y", y}};
  EXPECT_TRUE(PreparedTable(std::make_shared<const TableMap>(map)).dense());
}

}  // namespace
}  // namespace linsep
