// For tests: small data sets as plain values, and as pages of any size, layout and value type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/memory_source.h"

namespace linsep {

/// A row as a test would write it down: nonzero entries, label, weight and number.
struct PlainRow {
  std::int64_t number = 0;
  std::vector<std::pair<std::uint32_t, double>> entries;
  double label = 0;
  double weight = 1;

  bool operator==(const PlainRow&) const = default;
};

inline std::vector<PlainRow> drawn_rows(std::int64_t rows, std::uint32_t features, std::uint64_t seed) {
  std::vector<PlainRow> all;
  for (std::int64_t i = 0; i < rows; ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    PlainRow row{i, {}, random.below(2) == 0 ? -1.0 : 1.0, 1.0 + static_cast<double>(random.below(3))};
    for (std::uint32_t c = 0; c < features; ++c) {
      // A quarter of an integer: the same number as a float.
      if (random.below(2) == 0) row.entries.emplace_back(c, 0.25 * static_cast<double>(random.below(16) + 1));
    }
    all.push_back(row);
  }
  return all;
}

struct PageStorage {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<float> value32;
  std::vector<double> value64;
  std::vector<double> label;
  std::vector<double> weight;
};

inline Page plain_page(std::span<const PlainRow> rows, std::uint32_t features, bool dense, bool is_float) {
  auto s = std::make_shared<PageStorage>();
  const std::uint64_t stride = features + 1;  // a gap between dense rows that nobody may read as a value
  for (const PlainRow& row : rows) {
    std::vector<double> values(stride, 0.0);
    if (dense) {
      for (const auto& [c, v] : row.entries) values[c] = v;
      values.back() = 1e30;
    } else {
      values.clear();
      for (const auto& [c, v] : row.entries) {
        s->column.push_back(c);
        values.push_back(v);
      }
    }
    for (const double v : values) {
      if (is_float) {
        s->value32.push_back(static_cast<float>(v));
      } else {
        s->value64.push_back(v);
      }
    }
    s->start.push_back(s->column.size());
    s->label.push_back(row.label);
    s->weight.push_back(row.weight);
  }
  Page page;
  page.batch.first_row = rows.empty() ? 0 : rows.front().number;
  page.batch.rows = static_cast<std::int64_t>(rows.size());
  page.batch.features = features;
  page.batch.dense = dense;
  page.batch.is_float = is_float;
  if (dense) {
    page.batch.stride = stride;
  } else {
    page.batch.start = s->start;
    page.batch.column = s->column;
  }
  page.batch.value32 = s->value32;
  page.batch.value64 = s->value64;
  page.batch.label = s->label;
  page.batch.weight = s->weight;
  page.label = s->label;
  page.storage = s;
  return page;
}

/// The rows as pages of `page_rows` rows (the last may be shorter).
inline std::vector<Page> plain_pages(const std::vector<PlainRow>& rows, std::uint32_t features, std::size_t page_rows,
                                     bool dense = false, bool is_float = true) {
  std::vector<Page> pages;
  for (std::size_t i = 0; i < rows.size(); i += page_rows) {
    const std::size_t count = std::min(page_rows, rows.size() - i);
    pages.push_back(plain_page(std::span(rows).subspan(i, count), features, dense, is_float));
  }
  return pages;
}

/// The rest of a pass as plain rows.
inline std::vector<PlainRow> rest_of_pass(Source& source) {
  std::vector<PlainRow> all;
  while (const std::optional<Batch> batch = source.next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t i) {
      PlainRow plain{batch->number_of(i), {}, batch->label[static_cast<std::size_t>(i)], batch->weight_of(i)};
      for_each_entry(row, [&](std::uint32_t c, double v) {
        if (v != 0) plain.entries.emplace_back(c, v);
      });
      all.push_back(plain);
    });
  }
  return all;
}

inline std::vector<PlainRow> rows_of_pass(Source& source, std::uint64_t pass) {
  source.rewind(pass);
  return rest_of_pass(source);
}

}  // namespace linsep
