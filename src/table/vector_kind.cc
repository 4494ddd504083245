// Vectors are lists of numbers, taken as they are. A missing list has no values.
#include <fmt/format.h>

#include "core/words.h"
#include "table/fitting.h"
#include "table/kind.h"

namespace linsep {

std::uint64_t kind_features(const TableMap& /*map*/, const VectorEncoder& vector) { return vector.size; }

std::string kind_name(const TableMap& /*map*/, const std::string& column, const VectorEncoder& /*vector*/,
                      std::uint32_t place) {
  return fmt::format("{}[{}]", column, place);
}

std::string kind_problem(const TableMap& /*map*/, const std::string& /*column*/, const VectorEncoder& vector) {
  return vector.size == 0 ? "it has no numbers" : "";
}

std::vector<AskedColumn> asked_of(const std::string& column, const VectorEncoder& vector) {
  return {{column, ColumnKind::kVector, "", vector.size}};
}

void write_kind(EncoderWriter& to, const VectorEncoder& vector) { append_json_number(to.fields["size"], vector.size); }

void read_kind(EncoderReader& from, VectorEncoder& vector) {
  vector.size = json_integer<std::uint32_t>(from.object, "size");
}

void take_fields(const PreparedEncoder& /*prepared*/, const VectorEncoder& /*vector*/, const TableBatch& /*batch*/,
                 EncodedFields& /*fields*/) {}

void emit_row(const PreparedEncoder& prepared, const VectorEncoder& vector, const EncodedRow& to) {
  const TableColumn& column = to.batch.columns[prepared.column];
  if (is_missing(column, to.row)) {
    ++to.mine().holes;
    return;
  }
  for (std::uint32_t k = 0; k < vector.size; ++k) to.emit(prepared.start + k, column.number[to.row * vector.size + k]);
}

FittedColumn fit_vector(Fitting& fitting, std::size_t k) {
  const PlannedColumn& plan = fitting.plans[k];
  fitting.add(plan.name, VectorEncoder{plan.size});
  return {"", fmt::format("{} numbers", with_commas(plan.size))};
}

}  // namespace linsep
