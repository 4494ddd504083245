#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/with_commas.h"
#include "linsep/error.h"
#include "table/fit/fitted_encoders.h"

namespace linsep {
namespace {

using Kind = Encoder::Kind;

/// What is made of the columns, one after another.
struct Finishing {
  const TableSpec& spec;
  const std::vector<PlannedColumn>& plans;
  TableFitter::Counts& counts;
  Comm& comm;
  TableMap& map;
  std::vector<double> values;  ///< of each column: how many different ones, of categories

  bool is_crossed(std::size_t k) const {
    return std::any_of(counts.crosses.begin(), counts.crosses.end(),
                       [&](const PlannedCross& cross) { return cross.first == k || cross.second == k; });
  }

  /// Why a column is left out; "": it isn't.
  std::string left_out(std::size_t k) const {
    const PlannedColumn& plan = plans[k];
    const ColumnCounts& column = counts.columns[k];
    if (plan.asked || is_crossed(k)) return "";
    if (column.missing == counts.rows) return "no value in any row";
    const bool numeric = plan.kind == Kind::kNumber || plan.kind == Kind::kDate;
    const bool one = numeric ? column.least == column.greatest : plan.kind != Kind::kVector && !column.one.varies;
    return one && column.missing == 0 ? "the same value in every row" : "";
  }

  void refuse_holes(std::size_t k) const {
    if (spec.missing != TableSpec::Missing::kRefuse || counts.columns[k].missing == 0) return;
    throw Error(Error::Kind::kInput, {}, {"missing"},
                fmt::format("column '{}' has no value in {} rows, and {{}} is refuse", plans[k].name,
                            with_commas(static_cast<std::uint64_t>(counts.columns[k].missing))));
  }

  CountedTerms terms_of(Vocabulary& vocabulary) const {
    return count_terms(vocabulary, comm, spec.min_count, counts.rows);
  }

  /// The encoder of a number, category, date or vector column.
  FittedColumn finish_column(std::size_t k) {
    const PlannedColumn& plan = plans[k];
    ColumnCounts& column = counts.columns[k];
    switch (plan.kind) {
      case Kind::kNumber: {
        const NumberFacts facts = number_facts(counts, column, plan.centre);
        map.encoders.push_back(number_encoder(spec, plan, facts, column.missing));
        return {"", number_detail(map.encoders.back(), facts, column.missing)};
      }
      case Kind::kDate: {
        const NumberFacts facts = number_facts(counts, column, plan.centre);
        map.encoders.push_back(date_encoder(spec, plan, facts, column));
        return {"", date_detail(map.encoders.back(), facts, column.missing)};
      }
      case Kind::kCategory: {
        CountedTerms counted = terms_of(column.categories.front());
        values[k] = counted.bits > 0 ? std::exp2(counted.bits) : static_cast<double>(counted.distinct);
        map.encoders.push_back(category_encoder(spec, plan, counted, column.missing));
        return {"", category_detail(spec, map.encoders.back(), counted.distinct, column.missing)};
      }
      case Kind::kText:
        return finish_text(k);
      default:
        break;
    }
    Encoder& encoder = map.encoders.emplace_back();
    encoder.column = plan.name;
    encoder.kind = Kind::kVector;
    encoder.size = plan.size;
    return {"", fmt::format("{} numbers", with_commas(plan.size))};
  }

  FittedColumn finish_text(std::size_t k) {
    std::string detail;
    std::vector<Encoder> encoders;
    std::uint64_t features = 0;
    for (TextCounts& text : counts.columns[k].texts) {
      CountedTerms counted = terms_of(text.vocabulary);
      encoders.push_back(text_encoder(spec, plans[k], text, counted, counts.rows, comm));
      detail += terms_detail(spec, encoders.back(), counted.distinct) + "; ";
      features += counted.bits > 0 ? 1 : encoders.back().terms.size();
    }
    if (features == 0 && !plans[k].asked) return {fmt::format("no term is in {} rows or more", spec.min_count), ""};
    detail += encoders.empty() ? "neither words nor characters" : weighting_detail(encoders.front());
    for (Encoder& encoder : encoders) map.encoders.push_back(std::move(encoder));
    return {"", detail};
  }

  FittedCross finish_cross(std::size_t k) {
    const PlannedCross& cross = counts.crosses[k];
    const std::string& first = plans[cross.first].name;
    const std::string& second = plans[cross.second].name;
    if (cross.cross == Encoder::Cross::kCategories) {
      CountedTerms counted = terms_of(counts.pairs[k]);
      if (counted.bits > 0 && spec.bits == 0) {
        throw options_error({"cross", "bits"}, fmt::format("{{}} {} would have up to {} values; add {{}}", cross.name,
                                                           about(values[cross.first] * values[cross.second])));
      }
      map.encoders.push_back(pair_encoder(spec, first, second, counted));
      return {cross.name, category_detail(spec, map.encoders.back(), counted.distinct, 0)};
    }
    Encoder& encoder = map.encoders.emplace_back();
    encoder.column = first;
    encoder.second = second;
    encoder.kind = Kind::kCross;
    encoder.cross = cross.cross;
    const bool product = cross.cross == Encoder::Cross::kNumbers;
    return {cross.name, product ? "the product" : fmt::format("{} for each value of {}", first, second)};
  }
};

}  // namespace

void TableFitter::finish(Comm& comm, TableMap& map, std::vector<FittedColumn>& fitted) {
  add_workers(*counts_, comm);
  map.encoders.clear();
  map.rows = counts_->rows;
  fitted.clear();
  crosses_.clear();
  Finishing finishing{spec_, columns_, *counts_, comm, map, std::vector<double>(columns_.size())};
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string why = finishing.left_out(k);
    if (why.empty()) finishing.refuse_holes(k);
    fitted.push_back(why.empty() ? finishing.finish_column(k) : FittedColumn{why, ""});
  }
  for (std::size_t k = 0; k < counts_->crosses.size(); ++k) crosses_.push_back(finishing.finish_cross(k));
}

}  // namespace linsep
