// Writes drawn models in every language that can say them, rows for them, and what linsep makes of the rows, into a
// folder: test_engines.py runs the languages' own engines on them. Usage: export_cases FOLDER SEED ROWS
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "draw.h"
#include "linsep/tools/export.h"
#include "table/encode.h"

namespace linsep::export_test {
namespace {

using Json = nlohmann::json;

/// Encoded rows as reading hands them to `score`: dense where all features are numbers, else what isn't 0.
class Scorer {
 public:
  explicit Scorer(const Model& model) : model_(model) {
    if (!model.table.empty()) table_ = std::make_shared<PreparedTable>(std::make_shared<TableMap>(model.table));
  }

  /// The scores of a row, and behind them Σ|θφ| + |θ0| of each.
  std::vector<double> operator()(const Row& row) {
    EncodedRows rows;
    if (table_) {
      encode(row, rows);
    } else {
      for (const Field& field : row) {
        for (const double value : field.vector.size() > 1 ? field.vector : std::vector<double>{field.number}) {
          rows.column.push_back(static_cast<std::uint32_t>(rows.column.size()));
          rows.value.push_back(value);
        }
      }
    }
    return scores(rows);
  }

 private:
  void encode(const Row& row, EncodedRows& rows) {
    const std::size_t count = row.size();
    std::vector<std::uint8_t> missing(count);
    std::vector<std::string_view> text(count);
    TableBatch batch;
    batch.rows = 1;
    for (std::size_t k = 0; k < count; ++k) {
      missing[k] = row[k].missing ? 1 : 0;
      text[k] = row[k].text;
      TableColumn column;
      column.number = row[k].vector.size() > 1 ? std::span(row[k].vector) : std::span(&row[k].number, 1);
      column.text = std::span(&text[k], 1);
      column.seconds = std::span(&row[k].seconds, 1);
      column.missing = std::span(&missing[k], 1);
      batch.columns.push_back(column);
    }
    TableEncoder(table_).encode(batch, rows, nullptr);
  }

  std::vector<double> scores(const EncodedRows& rows) {
    const bool single = model_.table.empty() || model_.table.single;
    const bool dense = table_ ? table_->dense() : !model_.schema.feature_names.empty();
    std::vector<std::uint32_t> column;
    std::vector<double> value(dense ? model_.features : 0);
    for (std::size_t k = 0; k < rows.column.size(); ++k) {
      const double one = single ? static_cast<double>(static_cast<float>(rows.value[k])) : rows.value[k];
      if (dense) {
        value[rows.column[k]] = one;
      } else if (rows.value[k] != 0) {
        column.push_back(rows.column[k]);
        value.push_back(one);
      }
    }
    const std::vector<std::uint64_t> start{0, column.size()};
    Batch batch;
    batch.rows = 1;
    batch.features = model_.features;
    batch.dense = dense;
    batch.is_float = false;
    batch.stride = model_.features;
    if (!dense) {
      batch.start = start;
      batch.column = column;
    }
    batch.value64 = value;
    std::vector<double> z(scores_per_row(model_));
    score(model_, batch, z);
    const std::size_t parts = z.size();
    for (std::size_t part = 0; part < parts; ++part) {
      double size = std::fabs(model_.offsets.empty() ? model_.offset : model_.offsets[part]);
      for (std::size_t k = 0; k < value.size(); ++k) {
        size += std::fabs(weights_of(model_, part)[dense ? k : column[k]] * value[k]);
      }
      z.push_back(size);
    }
    return z;
  }

  const Model& model_;
  std::shared_ptr<const PreparedTable> table_;
};

/// Moves one number of every other row so that the first score is as near to the threshold as floats let it be.
void push_to_boundary(const Case& one, std::vector<Row>& rows, Scorer& scores) {
  const std::vector<DrawnColumn> columns = columns_of(one.model);
  std::size_t at = 0;
  while (at < columns.size() && columns[at].kind != ColumnKind::kNumber) ++at;
  if (at == columns.size()) return;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    double& x = rows[i][at].number;
    if (rows[i][at].missing) continue;
    for (int turn = 0; turn < 3; ++turn) {
      const double z = scores(rows[i])[0] - one.model.threshold, before = x;
      x += 1;
      const double slope = scores(rows[i])[0] - one.model.threshold - z;
      x = slope == 0 ? before : static_cast<double>(static_cast<float>(before - z / slope));
    }
    const auto steps = static_cast<int>(i / 2 % 5) - 2;
    for (int k = 0; k < std::abs(steps); ++k) {
      x = static_cast<double>(std::nextafter(static_cast<float>(x), steps < 0 ? -1e30F : 1e30F));
    }
  }
}

Json row_json(const Row& row, const std::vector<DrawnColumn>& columns) {
  Json fields = Json::array();
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k].missing) {
      fields.push_back(nullptr);
    } else if (columns[k].kind == ColumnKind::kNumber) {
      fields.push_back(row[k].number);
    } else if (columns[k].kind == ColumnKind::kDate) {
      fields.push_back(row[k].seconds);
    } else if (columns[k].kind == ColumnKind::kVector) {
      fields.push_back(row[k].vector);
    } else {
      // Bytes that aren't UTF-8 are C's alone: other engines take texts.
      fields.push_back(Json::binary(std::vector<std::uint8_t>(row[k].text.begin(), row[k].text.end())));
    }
  }
  return fields;
}

std::string kind_name(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kCategory:
      return "category";
    case ColumnKind::kText:
      return "text";
    case ColumnKind::kDate:
      return "date";
    case ColumnKind::kVector:
      return "vector";
    default:
      return "number";
  }
}

Json answers_json(const Model& model, const std::vector<double>& scores) {
  const std::size_t parts = scores_per_row(model);
  const std::vector<double> z(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(parts));
  Json labels = Json::array(), shares = Json::array();
  if (model.form == Model::Form::kClasses) labels.push_back(model.schema.classes[predicted_class(z)]);
  for (std::size_t part = 0; part < parts && model.form != Model::Form::kClasses && !model.regression; ++part) {
    const double threshold = parts == 1 ? model.threshold : 0;
    labels.push_back(model.schema.classes[2 * part + (z[part] >= threshold ? 1 : 0)]);
  }
  if (has_probabilities(model)) {
    std::vector<double> p(parts);
    probabilities(model, z, p);
    shares = p;
  }
  return {{"score", z},
          {"label", labels},
          {"probability", shares},
          {"size", std::vector<double>(scores.begin() + static_cast<std::ptrdiff_t>(parts), scores.end())}};
}

void write_case(const Case& one, const std::filesystem::path& folder, std::size_t count, Dice& dice) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  };
  const auto can = [&](const char* language) {
    return std::ranges::find(one.languages, language) != one.languages.end();
  };
  if (can("c")) write("model.c", export_c(one.model, "m"));
  if (can("onnx")) write("model.onnx", export_onnx(one.model));
  if (can("duckdb")) write("duckdb.sql", export_sql(one.model, SqlDialect::kDuckDb));
  if (can("postgresql")) write("postgresql.sql", export_sql(one.model, SqlDialect::kPostgreSql));
  const std::vector<DrawnColumn> columns = columns_of(one.model);
  std::vector<Row> rows = draw_rows(one.model, count, dice);
  Scorer scores(one.model);
  push_to_boundary(one, rows, scores);
  Json file{{"name", one.name},
            {"languages", one.languages},
            {"threshold", one.model.threshold},
            {"form", one.model.form == Model::Form::kClasses  ? "classes"
                     : one.model.form == Model::Form::kLabels ? "labels"
                                                              : "linear"}};
  for (const DrawnColumn& column : columns) {
    file["columns"].push_back({{"name", column.name}, {"kind", kind_name(column.kind)}, {"size", column.size}});
  }
  for (const Row& row : rows) {
    file["rows"].push_back(row_json(row, columns));
    file["answers"].push_back(answers_json(one.model, scores(row)));
  }
  write("case.json", file.dump(-1, ' ', true));
}

}  // namespace
}  // namespace linsep::export_test

int main(int count, char** arguments) {
  using namespace linsep::export_test;
  if (count != 4) return 2;
  const std::uint64_t seed = std::stoull(arguments[2]);
  Dice dice(seed + 1);
  int number = 0;
  for (const Case& one : draw_cases(seed)) {
    write_case(one, std::filesystem::path(arguments[1]) / std::to_string(number++), std::stoul(arguments[3]), dice);
  }
  return 0;
}
