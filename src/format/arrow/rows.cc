#include "format/arrow/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <span>
#include <utility>

#include "core/deadline.h"
#include "core/parallel.h"
#include "core/words.h"
#include "format/csv/misfits.h"
#include "format/csv/parse.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "table/date.h"
#include "table/kinds.h"

namespace linsep::arrow {

using Kind = ColumnKind;

namespace {

/// Dates are local times, and those of a named zone can only be found with a database of time zones.
std::string zone_message(const std::string& column, const std::string& zone) {
  const std::string name = shown_text(column);
  return fmt::format(
      "column '{0}' holds times in the time zone {1}, and dates are read as local times without a zone: convert them "
      "to "
      "local times first, for example by frame['{0}'].dt.tz_localize(None) in pandas, "
      "pl.col('{0}').dt.replace_time_zone(None) in polars, or \"{0}\" AT TIME ZONE '{1}' in SQL",
      name, shown_text(zone));
}

}  // namespace

struct RowReader::Storage {
  std::unique_ptr<double[]> label, weight;
};

RowReader::RowReader(const ArrowTable::Batches& batches, const csv::Layout& layout)
    : batches_(batches), layout_(layout), table_(*layout.table), cells_(layout.table->asked.size()) {
  for (const AskedColumn& asked : table_.asked) {
    const bool number = asked.kind == Kind::kNumber;
    styles_.push_back(number ? csv::style_of_column(asked, table_.decimal) : NumberStyle{});
  }
}

Cell RowReader::cell(std::size_t column, std::int64_t row) const {
  return cell_at(batches_.columns[column], *slice_.array->children[column], slice_.child_row(row));
}

const TableBatch& RowReader::read(const Slice& slice, bool keep_written) {
  slice_ = slice;
  keep_ = keep_written;
  made_.clear();
  faults_.clear();
  read_labels();
  if (keep_) keep_label_texts();
  batch_.rows = static_cast<std::int64_t>(kept_.size());
  batch_.columns.resize(cells_.size());
  for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
    if (layout_.columns.role[c] == csv::Role::kFeature) read_feature(c);
  }
  if (!faults_.empty()) throw refusal();
  return batch_;
}

/// Labels and weights are written one below another, so that the line of a TextError identifies the row.
void RowReader::read_labels() {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
    const csv::Role role = layout_.columns.role[c];
    if ((role == csv::Role::kLabel && layout_.labelled) || role == csv::Role::kWeight) columns.push_back(c);
  }
  std::string text;
  std::vector<std::size_t> end;
  for (std::int64_t row = 0; row < slice_.rows; ++row) {
    for (const std::size_t c : columns) {
      const Cell at = cell(c, row);
      if (!at.null) text += at.column->is_string() ? std::string(string_of(at)) : written_of(at);
      end.push_back(text.size());
      text += '\n';
    }
  }
  storage_ = std::make_shared<Storage>();
  storage_->label.reset(new double[static_cast<std::size_t>(slice_.rows)]);
  const bool weights = csv::has_weights(layout_.columns);
  if (weights) storage_->weight.reset(new double[static_cast<std::size_t>(slice_.rows)]);
  csv::RowLabels labels(layout_, text, storage_->label.get(), storage_->weight.get());
  kept_.clear();
  std::size_t begin = 0, field = 0;
  for (std::int64_t row = 0; row < slice_.rows; ++row) {
    for (const std::size_t c : columns) {
      const csv::Field one{std::string_view(text).substr(begin, end[field] - begin), false, false, nullptr};
      begin = end[field++] + 1;
      try {
        labels.take(one, c);
      } catch (const TextError& error) {
        throw error_at(row, error.options, error.message);
      }
    }
    if (labels.end_row()) kept_.push_back(row);
  }
  dropped_ = labels.dropped();
  words_ = std::move(labels.words());
}

void RowReader::keep_label_texts() {
  ids_.assign(kept_.size(), "");
  labels_.assign(kept_.size(), "");
  weights_.assign(kept_.size(), "");
  for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
    const csv::Role role = layout_.columns.role[c];
    if (role == csv::Role::kFeature || role == csv::Role::kIgnored) continue;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const Cell at = cell(c, kept_[k]);
      std::string& out = role == csv::Role::kId ? ids_[k] : role == csv::Role::kWeight ? weights_[k] : labels_[k];
      if (!out.empty()) out += ',';
      if (!at.null) out += written_of(at);
    }
  }
}

void RowReader::read_feature(std::size_t column) {
  const std::size_t place = layout_.columns.feature[column];
  const AskedColumn& asked = table_.asked[place];
  if (const Column& read = batches_.columns[column].values(); !read.zone.empty()) {
    throw Error(Place{batches_.name, 0, 0}, zone_message(batches_.names[column], read.zone));
  }
  const bool empty = !table_.empty.empty() && table_.empty[place];
  Cells& cells = cells_[place];
  cells.number.clear();
  cells.text.clear();
  cells.seconds.clear();
  cells.missing.clear();
  cells.holes = false;
  bool fine = true;
  for (const std::int64_t row : kept_) {
    const Cell at = cell(column, row);
    bool fits = take(at, place);
    const bool hole = cells.missing.back() != 0;
    cells.holes = cells.holes || hole;
    if (empty && !hole) fits = false;
    if (table_.refuse_holes && hole && asked.kind != Kind::kText) fits = false;
    if (fits || !fine) continue;
    fine = false;
    if (!faults_.empty() && row < faults_.front().row) faults_.clear();
    if (faults_.empty() || row == faults_.front().row) {
      faults_.push_back({row, column, at.null ? "" : at.column->is_list() ? "another list" : written_of(at)});
    }
  }
  batch_.columns[place] = {cells.number, cells.text, cells.seconds, {}};
  if (cells.holes) batch_.columns[place].missing = cells.missing;
}

bool RowReader::take(const Cell& at, std::size_t place) {
  const AskedColumn& asked = table_.asked[place];
  Cells& cells = cells_[place];
  switch (asked.kind) {
    case Kind::kNumber:
      return take_number(at, styles_[place], cells);
    case Kind::kDate:
      return take_date(at, asked.format, cells);
    case Kind::kVector:
      return take_vector(at, asked.size, cells);
    case Kind::kCategory:
    case Kind::kText:
      break;
  }
  return take_text(at, cells);
}

bool RowReader::take_number(const Cell& at, const NumberStyle& style, Cells& cells) {
  double value = 0;
  bool missing = at.null, fits = true;
  std::string_view decimal;
  if (!missing && at.column->is_string()) {
    const std::string_view written = csv::trimmed(string_of(at));
    const bool number = csv::read_decimal(written, style, value).fault == NumberFault::kNone;
    missing = is_hole(written, table_.missing_words);
    fits = number || missing;
    decimal = written;
    if (keep_ && number && !style.is_plain()) decimal = made_.emplace_back(plain_decimal(written, style).value_or(""));
  } else if (!missing) {
    fits = !at.column->is_date() && !at.column->is_list();
    if (fits) value = number_of(at);
    missing = std::isnan(value);
    fits = fits && !std::isinf(value);
    const bool exact = at.column->type != Column::Type::kFloat && at.column->type != Column::Type::kBool;
    if (keep_ && fits && exact) decimal = made_.emplace_back(written_of(at));
  }
  cells.number.push_back(missing || !fits ? 0 : value);
  cells.missing.push_back(missing ? 1 : 0);
  if (keep_) cells.text.push_back(decimal);
  return fits;
}

bool RowReader::take_date(const Cell& at, const std::string& format, Cells& cells) {
  std::optional<std::int64_t> seconds;
  bool missing = at.null;
  if (!missing && at.column->is_date()) seconds = seconds_of(at);
  if (!missing && at.column->is_string()) {
    const std::string_view written = csv::trimmed(string_of(at));
    seconds = parse_date(written, format);
    missing = !seconds && is_hole(written, table_.missing_words);
  }
  cells.seconds.push_back(seconds.value_or(0));
  cells.missing.push_back(missing ? 1 : 0);
  return seconds || missing;
}

bool RowReader::take_text(const Cell& at, Cells& cells) {
  std::string_view text;
  if (!at.null) text = at.column->is_string() ? string_of(at) : std::string_view(made_.emplace_back(written_of(at)));
  cells.text.push_back(text);
  cells.missing.push_back(text.empty() ? 1 : 0);
  return at.null || !at.column->is_list();
}

bool RowReader::take_vector(const Cell& at, std::uint32_t size, Cells& cells) {
  const std::size_t begin = cells.number.size();
  cells.number.resize(begin + size, 0);
  cells.missing.push_back(at.null ? 1 : 0);
  if (at.null) return true;
  if (!at.column->is_list()) return false;
  const Items items = items_of(at);
  if (items.size != std::int64_t{size}) return false;
  for (std::uint32_t k = 0; k < size; ++k) {
    const Cell item = cell_at(*at.column->items, *at.array->children[0], items.begin + k);
    const double value = item.null ? std::nan("") : number_of(item);
    if (!std::isfinite(value)) return false;
    cells.number[begin + k] = value;
  }
  return true;
}

Error RowReader::error_at(std::int64_t row, std::vector<std::string> options, const std::string& message) const {
  return {Error::Kind::kInput, Place{batches_.name, 0, 0}, std::move(options),
          fmt::format("row {}: {}", with_commas(static_cast<std::uint64_t>(slice_.first_row + row + 1)), message)};
}

Error RowReader::refusal() const {
  std::string message;
  std::vector<std::string> options;
  for (const Fault& fault : std::span(faults_).first(std::min(faults_.size(), csv::kMostMisfits))) {
    const AskedColumn& asked = table_.asked[layout_.columns.feature[fault.column]];
    const csv::Field field{fault.text, false, false, nullptr};
    csv::Misfit said;
    if (asked.kind == Kind::kVector) {
      said.message = fmt::format("expected {} finite numbers in {}", asked.size, layout_.columns.shown(fault.column));
    } else {
      said = csv::misfit_in_table(layout_, field, fault.column);
    }
    message += (message.empty() ? "" : "; also ") + said.message;
    options.insert(options.end(), said.options.begin(), said.options.end());
  }
  return error_at(faults_.front().row, std::move(options), message + csv::more_misfits(faults_.size()));
}

ParsedPage RowReader::page() {
  ParsedPage parsed;
  Page& page = parsed.page;
  const std::size_t rows = kept_.size();
  page.batch.rows = static_cast<std::int64_t>(rows);
  page.label = {storage_->label.get(), rows};
  page.batch.label = page.label;
  if (storage_->weight) page.batch.weight = {storage_->weight.get(), rows};
  page.storage = storage_;
  parsed.label_words = std::move(words_);
  parsed.dropped = dropped_;
  return parsed;
}

csv::Layout layout_of(const ArrowTable::Batches& batches, const ReadOptions& options,
                      std::shared_ptr<const csv::TableColumns> table) {
  csv::Layout layout;
  layout.double_values = options.double_values;
  layout.exact = options.exact_values;
  layout.labelled = options.labelled;
  layout.regression = options.regression;
  layout.missing = MissingLabels(options);
  layout.table = std::move(table);
  layout.columns = csv::find_asked_columns(batches.names, options, true, !layout.table->header, layout.table->names());
  return layout;
}

void for_each_slice(std::size_t slices, const ReadOptions& options,
                    const std::function<void(std::size_t slice, std::size_t worker)>& f) {
  constexpr double kSliceNanoseconds = 1e6;  // at least, for a whole slice
  std::atomic<std::size_t> failed = slices;
  std::vector<std::exception_ptr> failure(slices);
  const double work = static_cast<double>(slices) * kSliceNanoseconds;
  const auto take = [&](std::size_t slice, std::size_t worker) {
    if (slice > failed.load()) return;
    poll_now();
    try {
      f(slice, worker);
    } catch (...) {
      failure[slice] = std::current_exception();
      std::size_t first = failed.load();
      while (slice < first && !failed.compare_exchange_weak(first, slice)) {
      }
    }
  };
  interruptible(options.interrupt, [&] { parallel_for(slices, thread_count(options.threads), work, take); });
  if (failed.load() < slices) std::rethrow_exception(failure[failed.load()]);
}

}  // namespace linsep::arrow
