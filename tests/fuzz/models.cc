// Models: a file is refused with an input Error, or the model can be scored, described, and written and read again as
// the same model.
#include <cmath>
#include <cstring>
#include <memory>

#include "linsep/error.h"
#include "linsep/model.h"
#include "map/feature_map.h"
#include "model/examples_test.h"
#include "model/model.h"
#include "table/encode.h"
#include "target.h"

namespace linsep::fuzz {
namespace {

constexpr std::string_view kMagic = "\x89LINSEP\n";
constexpr std::uint32_t kColumns = 4;
constexpr std::uint32_t kMostEncoded = 1 << 16;
constexpr std::uint32_t kMostMapped = 5000;  // columns of a mapped row: more only cost time

/// The checksum of the binary form is made right: what lies behind it is to be reached.
std::string repaired(std::string_view bytes) {
  std::string file(bytes);
  if (!bytes.starts_with(kMagic) || file.size() < kMagic.size() + 8) return file;
  const std::uint64_t sum = XXH3_64bits(file.data(), file.size() - 8);
  std::memcpy(file.data() + file.size() - 8, &sum, 8);
  return file;
}

bool is_quick(const Model& model) {
  try {
    return mapped_features(model.map, kColumns) <= kMostMapped;
  } catch (const Error&) {
    return false;
  }
}

/// Fields of every kind, and holes, through the table's encoders.
void encode_rows(const TableMap& map) {
  constexpr std::int64_t kRows = 4;
  static const std::vector<std::string_view> text{"", "free prize", "bob", "\xff\x01 Zoë FREE free win cash"};
  static const std::vector<std::int64_t> seconds{0, 1, -1, 4102444800};
  static const std::vector<std::uint8_t> missing{1, 0, 0, 0};
  const auto table = std::make_shared<const PreparedTable>(std::make_shared<const TableMap>(map));
  std::vector<double> number{0, 1e308, -1e308, 0.1};
  TableBatch batch;
  batch.rows = kRows;
  for (const AskedColumn& column : table->columns())
    number.resize(std::max<std::size_t>(number.size(), kRows * column.size), 1);
  for (const AskedColumn& column : table->columns()) {
    const std::size_t numbers = column.kind == ColumnKind::kVector ? kRows * column.size : kRows;
    batch.columns.push_back({std::span(number).first(numbers), text, seconds, missing});
  }
  TableEncoder encoder(table);
  TableCounts counts(map.encoders.size());
  EncodedRows rows;
  encoder.encode(batch, rows, &counts);
  must(rows.start.size() == kRows + 1 && rows.start.back() == rows.column.size(), "rows are lost in encoding");
  for (const std::uint32_t column : rows.column) must(column < table->features(), "a feature is beyond the table's");
}

void use(const Model& model) {
  if (!model.table.empty() && model.features <= kMostEncoded) encode_rows(model.table);
  static const OwnedBatch sparse({{1, 2, 3, 4}, {0, 0, 0, 0}, {-1e3, 0, 0.25, 0}}, false, true);
  static const OwnedBatch dense({{1, 2, 3, 4}, {0, 0, 0, 0}, {-1e300, 0, 0.25, 0}}, true, false);
  for (const Batch* batch : {&sparse.batch, &dense.batch}) {
    std::vector<double> z(static_cast<std::size_t>(batch->rows) * scores_per_row(model)), p(z.size());
    try {
      score(model, *batch, z);
    } catch (const Error& error) {
      must(error.kind() == Error::Kind::kInput, "scores are refused otherwise than for the rows");
      continue;  // a product of the map is too large
    }
    predicted_class(std::span(z).first(scores_per_row(model)));
    if (!has_probabilities(model)) continue;
    probabilities(model, z, p);
    for (std::size_t i = 0; i < z.size(); ++i) {
      must(!std::isfinite(z[i]) || (p[i] >= 0 && p[i] <= 1) || !model.offsets.empty(), "a probability is none");
    }
  }
  const std::size_t mapped = weights_of(model, 0).size();
  if (mapped > 0) must(!feature_name(model, static_cast<std::uint32_t>(mapped - 1)).empty(), "a feature has no name");
}

void run(std::string_view bytes) {
  Model model;
  try {
    model = model_from_bytes(repaired(bytes), "m");
  } catch (const Error& error) {
    return must(error.kind() == Error::Kind::kInput, "a model file is refused otherwise than as input");
  }
  must(problem_of(model).empty(), "a model with a problem was read");
  if (is_thorough(bytes)) {
    const std::string json = model_to_json(model), binary = model_to_binary(model);
    must(model_from_bytes(json, "m") == model && model_from_bytes(binary, "m") == model,
         "a model changes when written");
    must(model_to_json(model_from_bytes(binary, "m")) == json, "one model is two files");
  }
  if (is_quick(model)) use(model);
}

/// The table's encoders one by one, where they need no other: a model of all is longer than most inputs.
std::vector<Model> one_encoder_each(const Model& whole) {
  std::vector<Model> models;
  for (const Encoder& encoder : whole.table.encoders) {
    TableMap map = whole.table;
    map.encoders = {encoder};
    if (problem_of(map).empty()) models.push_back(of_table(map));
  }
  return models;
}

std::vector<std::string> seeds() {
  std::vector<Model> models = examples();
  for (const Model& model : one_encoder_each(table_example_model())) models.push_back(model);
  std::vector<std::string> all;
  for (const Model& model : models) {
    all.push_back(in_one_line(model_to_json(model)));
    all.push_back(model_to_binary(model));
  }
  return all;
}

}  // namespace

const Target& models_target() {
  static const Target target{"models", run, seeds, true};
  return target;
}

}  // namespace linsep::fuzz
