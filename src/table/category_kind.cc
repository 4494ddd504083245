// Categories have a feature for each value, one for rare values and one for a missing value, or else buckets of a hash.

#include "core/elementary.h"
#include "table/fitting.h"
#include "table/kind.h"
#include "table/terms.h"

namespace linsep {

std::uint64_t kind_features(const TableMap& /*map*/, const CategoryEncoder& category) {
  return term_features(category, category.rare) + (category.missing ? 1 : 0);
}

std::string kind_name(const TableMap& /*map*/, const std::string& column, const CategoryEncoder& category,
                      std::uint32_t place) {
  if (place >= term_features(category, category.rare)) return column + " is missing";
  return column + "=" + term_text(category, place);
}

std::string kind_problem(const TableMap& /*map*/, const std::string& /*column*/, const CategoryEncoder& category) {
  return values_problem(category, [&](std::size_t i, std::vector<std::uint64_t>& keys) {
    keys.push_back(value_key(category.terms[i]));
    return "";
  });
}

std::vector<AskedColumn> asked_of(const std::string& column, const CategoryEncoder& /*category*/) {
  return {{column, ColumnKind::kCategory, "", 0}};
}

void write_kind(EncoderWriter& to, const CategoryEncoder& category) {
  write_values(to, category);
  append_json_flag(to.fields["missing"], category.missing);
}

void read_kind(EncoderReader& from, CategoryEncoder& category) {
  read_values(from, category);
  category.missing = json_flag(from.object, "missing");
}

void take_fields(const PreparedEncoder& prepared, const CategoryEncoder& category, const TableBatch& batch,
                 EncodedFields& fields) {
  const TableColumn& column = batch.columns[prepared.column];
  const auto rows = static_cast<std::size_t>(batch.rows);
  fields.place.resize(rows);
  fields.negative.assign(category.has_signs ? rows : 0, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_missing(column, row)) {
      fields.place[row] = prepared.hole;
      ++fields.holes;
    } else {
      take_key(prepared, value_key(column.text[row]), row, fields);
    }
  }
}

void emit_row(const PreparedEncoder& prepared, const CategoryEncoder& /*category*/, const EncodedRow& to) {
  const std::uint32_t place = to.mine().place[to.row];
  if (place != KeyTable::kNone) to.emit(prepared.start + place, to.mine().sign(to.row));
}

void count_categories(const TableColumn& column, std::size_t rows, std::uint64_t place, ColumnCounts& counts) {
  constexpr std::size_t kAhead = 16;  // rows ahead whose slots are prefetched
  Vocabulary& vocabulary = counts.categories.front();
  vocabulary.begin_batch(place);
  counts.keys.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    counts.keys[row] = is_missing(column, row) ? 0 : value_key(column.text[row]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (row + kAhead < rows) vocabulary.prefetch(counts.keys[row + kAhead]);
    if (is_missing(column, row)) {
      ++counts.missing;
      continue;
    }
    counts.one.take(column.text[row]);
    vocabulary.take_one(counts.keys[row], [&] { return column.text[row]; });
  }
}

FittedColumn fit_category(Fitting& fitting, std::size_t k) {
  const ColumnCounts& column = fitting.counts.columns[k];
  CountedTerms counted = fitting.terms_of(fitting.counts.columns[k].categories.front());
  fitting.values[k] = counted.bits > 0 ? elementary::pow(2, counted.bits) : static_cast<double>(counted.distinct);
  CategoryEncoder category;
  category.missing = fitting.has_indicator(k);
  take_values(fitting.spec, counted, false, category);
  const std::string detail = values_detail(fitting.spec, category, counted.distinct) + missing_detail(column.missing) +
                             (category.missing ? " → (missing)" : "");
  fitting.add(fitting.plans[k].name, std::move(category));
  return {"", detail};
}

}  // namespace linsep
