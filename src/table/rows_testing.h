// Tables for tests, kept whole and handed out as batches of any rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "table/encode.h"
#include "table/fitter.h"
#include "table/table_batch.h"

namespace linsep {

struct TestColumn {
  PlannedColumn plan;
  std::vector<double> number;
  std::vector<std::string> text;
  std::vector<std::int64_t> seconds;
  std::vector<std::uint8_t> missing;
};

struct TestTable {
  std::size_t rows = 0;
  std::vector<TestColumn> columns;

  std::vector<PlannedColumn> plans() const {
    std::vector<PlannedColumn> all;
    for (const TestColumn& column : columns) all.push_back(column.plan);
    return all;
  }
  const TestColumn& column(const std::string& name) const {
    return *std::find_if(columns.begin(), columns.end(), [&](const TestColumn& c) { return c.plan.name == name; });
  }
};

/// Rows begin … end − 1 of the columns with the given names.
class TestBatch {
 public:
  TestBatch(const TestTable& table, const std::vector<std::string>& names, std::size_t begin, std::size_t end) {
    batch.rows = static_cast<std::int64_t>(end - begin);
    texts_.reserve(names.size());
    for (const std::string& name : names) {
      const TestColumn& from = table.column(name);
      TableColumn& to = batch.columns.emplace_back();
      const std::size_t width = from.plan.kind == ColumnKind::kVector ? from.plan.size : 1;
      if (!from.number.empty()) to.number = std::span(from.number).subspan(begin * width, (end - begin) * width);
      if (!from.seconds.empty()) to.seconds = std::span(from.seconds).subspan(begin, end - begin);
      if (!from.missing.empty()) to.missing = std::span(from.missing).subspan(begin, end - begin);
      std::vector<std::string_view>& text = texts_.emplace_back();
      if (!from.text.empty())
        text.assign(from.text.begin() + static_cast<std::ptrdiff_t>(begin),
                    from.text.begin() + static_cast<std::ptrdiff_t>(end));
      to.text = text;
    }
  }

  TableBatch batch;

 private:
  std::vector<std::vector<std::string_view>> texts_;
};

inline std::vector<std::string> plan_names(const TestTable& table) {
  std::vector<std::string> names;
  for (const TestColumn& column : table.columns) names.push_back(column.plan.name);
  return names;
}

inline TestColumn number_column(const std::string& name, std::vector<double> numbers,
                                std::vector<std::uint8_t> missing = {}) {
  TestColumn column;
  column.plan.name = name;
  column.plan.centre = numbers.empty() ? 0 : numbers[0];
  column.number = std::move(numbers);
  column.missing = std::move(missing);
  return column;
}

inline TestColumn text_column(const std::string& name, ColumnKind kind, std::vector<std::string> texts,
                              std::vector<std::uint8_t> missing = {}) {
  TestColumn column;
  column.plan.name = name;
  column.plan.kind = kind;
  column.text = std::move(texts);
  column.missing = std::move(missing);
  return column;
}

inline TestColumn date_column(const std::string& name, std::vector<std::int64_t> seconds,
                              std::vector<std::uint8_t> missing = {}) {
  TestColumn column;
  column.plan.name = name;
  column.plan.kind = ColumnKind::kDate;
  column.seconds = std::move(seconds);
  column.missing = std::move(missing);
  return column;
}

inline TestTable table_of(std::vector<TestColumn> columns, std::size_t rows) { return {rows, std::move(columns)}; }

/// A small table with columns of every kind: two numbers, two categories, a text, a date, a vector.
inline TestTable drawn_table(Random& random, std::size_t rows) {
  const auto holes = [&] {
    std::vector<std::uint8_t> missing;
    if (random.below(3) == 0) return missing;
    for (std::size_t i = 0; i < rows; ++i) missing.push_back(random.below(5) == 0 ? 1 : 0);
    return missing;
  };
  const auto word = [&](std::uint64_t most) {
    // Frequent ones are drawn more often.
    const std::uint64_t at = random.below(1 + random.below(most));
    return std::string(1, static_cast<char>('a' + at % 26)) + (at >= 26 ? std::to_string(at / 26) : "");
  };
  std::vector<double> x, y, vector;
  std::vector<std::string> first, second, body;
  std::vector<std::int64_t> seconds;
  const bool times = random.below(2) == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(static_cast<double>(random.below(7)) / 4);
    y.push_back(1000 + random.normal());
    for (int k = 0; k < 3; ++k) vector.push_back(static_cast<double>(random.below(3)));
    first.push_back(word(12));
    second.push_back(word(5));
    std::string text;
    for (std::uint64_t words = random.below(8); words > 0; --words)
      text += (random.below(4) == 0 ? ", " : " ") + word(40);
    body.push_back(text);
    seconds.push_back(static_cast<std::int64_t>(random.below(2'000'000'000)) - 500'000'000);
    if (!times) seconds.back() -= (seconds.back() % 86400 + 86400) % 86400;
  }
  TestTable table =
      table_of({number_column("x", x, holes()), number_column("y", y, holes()),
                text_column("first", ColumnKind::kCategory, first, holes()),
                text_column("second", ColumnKind::kCategory, second, holes()),
                text_column("body", ColumnKind::kText, body, holes()), date_column("when", seconds, holes())},
               rows);
  TestColumn embedded = number_column("v", vector, holes());
  embedded.plan.kind = ColumnKind::kVector;
  embedded.plan.size = 3;
  table.columns.push_back(embedded);
  return table;
}

inline TableSpec drawn_spec(Random& random) {
  TableSpec spec;
  spec.scale = static_cast<Scale>(1 + random.below(4));
  spec.missing = random.below(3) == 0 ? TableSpec::Missing::kMean : TableSpec::Missing::kIndicator;
  spec.min_count = 1 + static_cast<std::int64_t>(random.below(3));
  spec.weighting = static_cast<TableSpec::Weighting>(random.below(4));
  spec.norm = random.below(2) == 0;
  spec.as_written = random.below(4) == 0;
  if (random.below(3) == 0) spec.bits = 10;
  spec.has_signs = random.below(2) == 0;
  if (random.below(2) == 0) spec.most_terms = 5 + static_cast<std::int64_t>(random.below(60));
  spec.most_names = static_cast<std::int64_t>(random.below(20));
  if (random.below(2) == 0) spec.chars = {2, 3};
  if (random.below(4) == 0) spec.words = {};
  if (random.below(2) == 0) spec.cross = {"first*second", "x*first", "second*y", "x*y"};
  return spec;
}

}  // namespace linsep
