// Drawn models with tables, and rows for them: quotes, emoji, empty texts, holes and values that no table has seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/model.h"

namespace linsep::export_test {

/// Numbers from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next();
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }
  bool once_in(std::size_t times) { return below(times) == 0; }
  double between(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// A field of a row: by the kind of its column.
struct Field {
  bool missing = false;
  double number = 0;
  std::string text;
  std::int64_t seconds = 0;
  std::vector<double> vector;
};
using Row = std::vector<Field>;

struct Case {
  std::string name;
  Model model;
  std::vector<std::string> languages;  ///< that can say it
};

/// All of them.
std::vector<Case> draw_cases(std::uint64_t seed);

/// The columns that a model asks for, without a table those of its features, and rows of such columns.
struct DrawnColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::uint32_t size = 1;
};
std::vector<DrawnColumn> columns_of(const Model& model);
std::vector<Row> draw_rows(const Model& model, std::size_t count, Dice& dice);

}  // namespace linsep::export_test
