#include "linsep/tools/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/exact_sum.h"
#include "core/slice.h"
#include "format/pages/pages.h"
#include "linsep/error.h"
#include "map/feature_map.h"
#include "train/explain/probe.h"

namespace linsep {
namespace {

using Field = ColumnParts::Field;

/// Adds a·b without rounding.
void add_product(ExactSum& sum, double a, double b) {
  const double product = a * b;
  sum.add(product);
  sum.add(std::fma(a, b, -product));
}

struct Entries {
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  SparseRow<double> row(std::size_t begin, std::size_t end) const {
    return {column.data() + begin, value.data() + begin, end - begin};
  }
  void add(std::uint32_t at, double x) {
    column.push_back(at);
    value.push_back(x);
  }
};

Entries entries_of(const Batch& row) {
  Entries entries;
  for_each_row(row, [&](const auto& x, std::int64_t) {
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value != 0) entries.add(column, value);
    });
  });
  return entries;
}

/// What stays the same from row to row.
class Explainer {
 public:
  /// `probed` means that rows were encoded by with_probes(model.table).
  Explainer(const Model& model, bool probed) : model_(model), tabled_(!model.table.empty()), probed_(probed) {
    if (model.map.kind != FeatureMap::Kind::kNone || !tabled_) return;
    starts_ = encoder_starts(model.table);
    if (probed_) probes_.emplace(model.table);
    std::map<std::string, std::size_t> known;
    for (std::size_t e = 0; e < model.table.encoders.size(); ++e) {
      const Encoder& encoder = model.table.encoders[e];
      const std::string name = encoder_column(encoder);
      const auto [found, is_new] = known.try_emplace(name, names_.size());
      if (is_new) names_.push_back(name);
      group_.push_back(found->second);
      if (has_base(encoder)) base_.add(starts_[e], rounded(encoder.scaling()->encoded(encoder.scaling()->mean)));
    }
  }

  Explanation explain(const Batch& row, std::optional<std::size_t> part) const {
    Explanation result;
    result.row = row.number_of(0);
    Entries entries = entries_of(row);
    result.scores = scores(row, entries);
    result.part = part.value_or(predicted_class(result.scores));
    const auto known =
        static_cast<std::size_t>(std::ranges::lower_bound(entries.column, model_.features) - entries.column.begin());
    if (starts_.empty()) {
      by_feature(entries, known, result);
    } else {
      by_column(entries, known, result);
    }
    std::ranges::stable_sort(result.columns, std::ranges::greater{},
                             [](const ColumnParts& column) { return std::fabs(column.total); });
    return result;
  }

 private:
  static bool has_base(const Encoder& e) {
    const auto* date = e.get<DateEncoder>();
    return e.is<NumberEncoder>() || (date != nullptr && date->has_days());
  }

  double rounded(double x) const { return model_.table.single ? static_cast<float>(x) : x; }

  /// The scores as `predict` gives them, from only what the encoders make of the row.
  std::vector<double> scores(const Batch& row, Entries& entries) const {
    std::vector<double> z(scores_per_row(model_));
    if (!probed_ || !model_.table.single) {
      score(model_, row, z);
      return z;
    }
    std::vector<float> values;
    for (std::size_t k = 0; k < entries.value.size() && entries.column[k] < model_.features; ++k) {
      values.push_back(static_cast<float>(entries.value[k]));
      entries.value[k] = values.back();
    }
    const std::vector<std::uint64_t> start{0, values.size()};
    Batch own;
    own.rows = 1;
    own.features = model_.features;
    own.start = start;
    own.column = std::span(entries.column).first(values.size());
    own.value32 = values;
    score(model_, own, z);
    return z;
  }

  double offset(std::size_t part) const { return model_.offsets.empty() ? model_.offset : model_.offsets[part]; }

  void by_feature(const Entries& entries, std::size_t known, Explanation& result) const {
    const std::span<const double> theta = weights_of(model_, result.part);
    Entries mapped;
    if (model_.map.kind != FeatureMap::Kind::kNone) {
      apply_map(model_.map, model_.features, entries.row(0, known), mapped.column, mapped.value);
    }
    const bool plain = model_.map.kind == FeatureMap::Kind::kNone;
    const Entries& all = plain ? entries : mapped;
    for (std::size_t k = 0; k < (plain ? known : all.column.size()); ++k) {
      const std::uint32_t j = all.column[k];
      const double value = all.value[k], part = theta[j] * value;
      result.columns.push_back({feature_name(model_, j), Field::kKnown, part, {{j, theta[j], value, 0, part, {}}}});
    }
    result.offset = offset(result.part);
  }

  void by_column(const Entries& entries, std::size_t known, Explanation& result) const {
    for (const std::string& name : names_) result.columns.push_back({name, Field::kKnown, 0, {}});
    const std::span<const double> theta = weights_of(model_, result.part);
    ExactSum moved;
    moved.add(offset(result.part));
    std::size_t at = 0, based = 0;
    while (at < known || based < base_.column.size()) {
      // The next feature that isn't 0 or counts from another number.
      const std::uint32_t next = at < known ? entries.column[at] : model_.features;
      const std::uint32_t next_base = based < base_.column.size() ? base_.column[based] : model_.features;
      ScorePart part{std::min(next, next_base), 0, 0, 0, 0, {}};
      if (next == part.feature) part.value = entries.value[at++];
      if (next_base == part.feature) part.base = base_.value[based++];
      part.weight = theta[part.feature];
      part.part = part.weight * (part.value - part.base);
      add_product(moved, part.weight, part.base);
      take(part, entries, known, result);
    }
    result.offset = moved.value();
    for (ColumnParts& column : result.columns) finish(column);
    if (probes_) tell_fields(entries, known, result);
    std::erase_if(result.columns,
                  [](const ColumnParts& column) { return column.parts.empty() && column.field == Field::kKnown; });
  }

  void take(ScorePart part, const Entries& entries, std::size_t known, Explanation& result) const {
    const auto e = static_cast<std::size_t>(std::ranges::upper_bound(starts_, part.feature) - starts_.begin() - 1);
    if (probes_) {
      const auto probe = probes_->written(e, part.feature - starts_[e]);
      const bool missing = probes_->missing(e) && at(entries, known, *probes_->missing(e)) != 0;
      if (probe && !missing) part.written = at(entries, known, *probe);
    }
    result.columns[group_[e]].parts.push_back(part);
  }

  static void finish(ColumnParts& column) {
    ExactSum total;
    for (const ScorePart& part : column.parts) total.add(part.part);
    column.total = total.value();
    std::ranges::stable_sort(column.parts, std::ranges::greater{},
                             [](const ScorePart& part) { return std::fabs(part.part); });
  }

  void tell_fields(const Entries& entries, std::size_t known, Explanation& result) const {
    std::vector<bool> seen(names_.size(), false);
    for (std::size_t e = 0; e < model_.table.encoders.size(); ++e) {
      const Encoder& encoder = model_.table.encoders[e];
      Field& field = result.columns[group_[e]].field;
      const bool missing = probes_->missing(e) && at(entries, known, *probes_->missing(e)) != 0;
      const auto begin = std::lower_bound(entries.column.begin() + static_cast<std::ptrdiff_t>(known),
                                          entries.column.end(), probes_->begin(e));
      const bool any = begin != entries.column.end() && *begin < probes_->end(e);
      const bool words = encoder.is<CategoryEncoder>() || encoder.is<TextEncoder>();
      if (missing) field = Field::kHole;
      if (!words || any) seen[group_[e]] = true;
    }
    for (std::size_t g = 0; g < names_.size(); ++g) {
      if (!seen[g] && result.columns[g].field == Field::kKnown) result.columns[g].field = Field::kUnseen;
    }
  }

  /// The value at a feature of the probes.
  static double at(const Entries& entries, std::size_t known, std::uint32_t column) {
    const auto first = entries.column.begin() + static_cast<std::ptrdiff_t>(known);
    const auto found = std::lower_bound(first, entries.column.end(), column);
    return found != entries.column.end() && *found == column
               ? entries.value[static_cast<std::size_t>(found - entries.column.begin())]
               : 0;
  }

  const Model& model_;
  bool tabled_, probed_;
  std::vector<std::uint32_t> starts_;  ///< of the table's encoders. Empty if parts are by feature
  std::optional<ProbeIndex> probes_;
  std::vector<std::string> names_;  ///< of columns
  std::vector<std::size_t> group_;  ///< for each encoder, its index in `names_`
  Entries base_;                    ///< features that count from another number than 0
};

}  // namespace

ReadOptions explain_options_for(const Model& model, std::span<const std::string> paths, ReadOptions base) {
  ReadOptions options = read_options_for(model, std::move(base));
  if (model.table.empty() || std::ranges::any_of(paths, is_page_file_at)) return options;
  const auto both = std::make_shared<const TableMap>(with_probes(model.table));
  options.features = encoder_starts(*both).back();
  options.table = both;
  return options;
}

void explain(Source& source, const Model& model, std::span<const std::int64_t> rows, std::optional<std::size_t> part,
             const std::function<void(const Explanation&)>& take) {
  if (model.form == Model::Form::kDual || model.form == Model::Form::kVoted) {
    throw usage_error("explaining a score needs a model with a weight per feature: this one is in dual or voted form");
  }
  const std::shared_ptr<const TableMap>& table = source.schema().table;
  const bool probed = table && table->encoders.size() > model.table.encoders.size();
  const Explainer explainer(model, probed);
  std::size_t next = 0;
  std::int64_t seen = 0;
  source.rewind(0);
  while (next < rows.size()) {
    const std::optional<Batch> batch = source.next();
    if (!batch) {
      throw input_error(fmt::format("there is no row {}: the data have {} rows", rows[next] + 1, seen));
    }
    for (; next < rows.size() && rows[next] < seen + batch->rows; ++next) {
      take(explainer.explain(slice(*batch, rows[next] - seen, 1), part));
    }
    seen += batch->rows;
  }
}

}  // namespace linsep
