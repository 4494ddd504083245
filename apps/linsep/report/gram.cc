#include "report/gram.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/error.h"
#include "report/words.h"

namespace linsep::app {
namespace {

constexpr std::size_t kMostRows = 1000, kShownRows = 12;

std::string cell(const std::string& text) {
  constexpr std::size_t kWidth = 11;
  return std::string(kWidth - std::min(kWidth, text_width(text)), ' ') + text;
}

}  // namespace

std::vector<double> gram_matrix(const Model& model) {
  if (model.form != Model::Form::kDual) throw usage_error("--gram is of a model in dual form (--learner dual)");
  const std::size_t kept = model.kept.size();
  if (kept > kMostRows) {
    throw usage_error(fmt::format("--gram: the model keeps {} rows, and at most {} are shown", kept, kMostRows));
  }
  Batch rows;
  rows.rows = static_cast<std::int64_t>(kept);
  rows.features = model.features;
  rows.is_float = false;
  rows.start = model.kept.start;
  rows.column = model.kept.column;
  rows.value64 = model.kept.value;
  for (const std::uint32_t column : model.kept.column) rows.features = std::max(rows.features, column + 1);

  // The score of a model that keeps one row with coefficient 1 is the kernel with that row.
  Model one = model;
  one.map = {};
  one.features = rows.features;
  one.offset = 0;
  one.coefficient = {1};
  std::vector<double> matrix(kept * kept);
  for (std::size_t i = 0; i < kept; ++i) {
    const SparseRow<double> row = model.kept.row(i);
    one.kept.start = {0, row.size};
    one.kept.column.assign(row.column, row.column + row.size);
    one.kept.value.assign(row.value, row.value + row.size);
    score(one, rows, std::span(matrix).subspan(i * kept, kept));
  }
  return matrix;
}

Json gram_json(const Model& model) {
  const std::vector<double> matrix = gram_matrix(model);
  const std::size_t kept = model.kept.size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < kept; ++i) {
    const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(i * kept);
    rows.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(kept)));
  }
  return rows;
}

std::string gram_words(const Model& model) {
  const std::vector<double> matrix = gram_matrix(model);
  const std::size_t kept = model.kept.size(), shown = std::min(kept, kShownRows);
  std::string text = "Gram matrix of the kept rows, K between every two, and α·y of each:\n  kept  ";
  for (std::size_t j = 0; j < shown; ++j) text += cell(std::to_string(j + 1));
  text += fmt::format("{}{}\n", shown < kept ? "  …" : "", cell("α·y"));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {:<6}", i + 1);
    for (std::size_t j = 0; j < shown; ++j) text += cell(figure(matrix[i * kept + j]));
    text += fmt::format("{}{}\n", shown < kept ? "  …" : "", cell(figure(model.coefficient[i])));
  }
  if (shown < kept)
    text += fmt::format("  … {} more: --json has all.\n", counted(static_cast<std::int64_t>(kept - shown), "row"));
  return text;
}

}  // namespace linsep::app
