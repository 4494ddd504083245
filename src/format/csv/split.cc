#include "format/csv/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/with_commas.h"
#include "format/csv/misfits.h"
#include "format/csv/plain.h"
#include "format/text/number.h"
#include "format/text/shown.h"
#include "table/date.h"
#include "table/kinds.h"

namespace linsep::csv {

/// What a page's spans point into.
struct TableSplitter::Storage {
  std::unique_ptr<double[]> label, weight;
};

TableSplitter::TableSplitter(const Layout& layout)
    : layout_(layout), table_(*layout.table), cells_(layout.table->asked.size()) {
  for (const std::string& word : table_.missing_words) {
    double value = 0;
    numeric_words_ = numeric_words_ || read_decimal(word, table_.decimal, value).fault == NumberFault::kNone;
  }
}

const TableBatch& TableSplitter::split(const Chunk& chunk, bool keep_decimals) {
  keep_ = keep_decimals;
  fast_ = table_.decimal == '.' && !numeric_words_ && !keep_;
  begin(chunk);
  split_rows();
  borrow();
  return batch_;
}

const TableBatch& TableSplitter::split_strictly(const Chunk& chunk) {
  keep_ = fast_ = false;
  begin(chunk);
  split_rows();
  borrow();
  return batch_;
}

void TableSplitter::begin(const Chunk& chunk) {
  chunk_ = chunk;
  end_ = chunk.text.data() + chunk.text.size();
  lines_ = static_cast<std::uint64_t>(std::count(chunk.text.begin(), chunk.text.end(), '\n'));
  rows_ = 0;
  tiny_ = {};
  unquoted_.clear();
  faults_.clear();
  begin_.clear();
  ids_.clear();
  label_.clear();
  for (Cells& cells : cells_) {
    cells.number.clear();
    cells.text.clear();
    cells.seconds.clear();
    cells.missing.clear();
    cells.holes = false;
  }
  // A row ends its line and has a delimiter between each two fields.
  const std::size_t columns = std::max<std::size_t>(layout_.columns.size(), 1);
  const std::size_t most = std::min<std::size_t>(lines_ + 1, chunk.text.size() / columns + 1);
  storage_ = std::make_shared<Storage>();
  storage_->label.reset(new double[most]);
  if (has_weights(layout_.columns)) storage_->weight.reset(new double[most]);
  labels_ = std::make_unique<RowLabels>(layout_, chunk.text, storage_->label.get(), storage_->weight.get());
}

void TableSplitter::split_rows() {
  const char* begin = chunk_.text.data();
  if (const void* nul = chunk_.text.empty() ? nullptr : std::memchr(begin, 0, chunk_.text.size())) {
    throw error_at(chunk_.text, static_cast<const char*>(nul), "a NUL byte: this isn't text, or it is UTF-16");
  }
  for (const char* at = begin;;) {
    if (at == end_ || *at == '\n' || *at == '\r' || layout_.syntax.is_blank(*at)) {
      at = skip_empty_lines(layout_.syntax, chunk_.text, at);
      if (at == end_) return;
    }
    if (layout_.columns.size() == 0) {
      throw error_at(chunk_.text, at, "expected the first row nearer to the beginning of the input");
    }
    begin_.push_back(at);
    at = read_row(at);
  }
}

const char* TableSplitter::read_row(const char* at) {
  const Columns& columns = layout_.columns;
  const std::size_t last = columns.size() - 1;
  for (std::size_t c = 0;; ++c) {
    if (fast_ && columns.role[c] == Role::kFeature) {
      if (const char* behind = read_plain_number(at, cells_[columns.feature[c]], c == last)) {
        at = behind;
        if (c == last) break;
        continue;
      }
    }
    const Field field = read_field(layout_.syntax, chunk_.text, at);
    const bool ends = field.end == end_ || *field.end == '\n';
    if (ends != (c == last)) throw wrong_count(layout_, chunk_.text, field, c);
    if (keep_) keep_written(field, c);
    if (columns.role[c] == Role::kFeature) {
      take(field, c);
    } else {
      labels_->take(field, c);
    }
    at = field.end == end_ ? end_ : field.end + 1;
    if (c == last) break;
  }
  end_row();
  return at;
}

/// A plain decimal that is all its field has: the beginning of the next field or row; else nullptr.
const char* TableSplitter::read_plain_number(const char* at, Cells& cells, bool last) const {
  const auto place = static_cast<std::size_t>(&cells - cells_.data());
  if (table_.asked[place].kind != Encoder::Kind::kNumber || (!table_.empty.empty() && table_.empty[place])) {
    return nullptr;
  }
  double value = 0;
  const char* end = read_plain(at, value);
  if (end == nullptr) return nullptr;
  if (last && *end == '\r') ++end;
  if (end >= end_ || *end != (last ? '\n' : layout_.syntax.delimiter)) return nullptr;
  cells.number.push_back(value);
  cells.missing.push_back(0);
  return end + 1;
}

void TableSplitter::take(const Field& field, std::size_t column) {
  const std::size_t place = layout_.columns.feature[column];
  Cells& cells = cells_[place];
  bool fits = true;
  switch (table_.asked[place].kind) {
    case Encoder::Kind::kNumber:
      fits = take_number(field, column, cells);
      break;
    case Encoder::Kind::kDate:
      fits = take_date(field, column, cells);
      break;
    case Encoder::Kind::kCategory:
    case Encoder::Kind::kText:
      take_text(field, cells);
      break;
    case Encoder::Kind::kVector:
    case Encoder::Kind::kCross:
      break;
  }
  const bool hole = cells.missing.back() != 0;
  cells.holes = cells.holes || hole;
  if (!table_.empty.empty() && table_.empty[place] && !hole) fits = false;
  if (table_.refuse_holes && hole && table_.asked[place].kind != Encoder::Kind::kText) fits = false;
  if (!fits) faults_.push_back({field, column});
}

bool TableSplitter::is_missing(std::string_view field) const { return is_hole(field, table_.missing_words); }

bool TableSplitter::take_number(const Field& field, std::size_t column, Cells& cells) {
  const std::string_view written = trimmed(field.text);
  double value = 0;
  bool fits = true;
  bool missing = written.empty() || (numeric_words_ && is_missing(written));
  if (!missing) {
    const NumberEnd got = read_decimal(written, table_.decimal, value);
    if (got.fault != NumberFault::kNone) {
      value = 0;
      missing = is_missing(written);
      fits = missing;
    }
    if (got.tiny && fits && !missing) {
      if (layout_.exact) throw error_at(chunk_.text, field.text.data(), tiny_message(shown_field(field.text)));
      if (tiny_.row < 0) tiny_ = {static_cast<std::int64_t>(rows_), layout_.columns.feature[column]};
    }
  }
  cells.number.push_back(value);
  cells.missing.push_back(missing ? 1 : 0);
  if (keep_) cells.text.push_back(written);
  return fits;
}

bool TableSplitter::take_date(const Field& field, std::size_t column, Cells& cells) {
  const std::string_view written = trimmed(field.text);
  const auto seconds = parse_date(written, table_.asked[layout_.columns.feature[column]].format);
  const bool missing = !seconds && is_missing(written);
  cells.seconds.push_back(seconds.value_or(0));
  cells.missing.push_back(missing ? 1 : 0);
  return seconds || missing;
}

void TableSplitter::take_text(const Field& field, Cells& cells) {
  const std::string_view text =
      field.doubled ? std::string_view(unquoted_.emplace_back(field_text(field))) : field.text;
  cells.text.push_back(text);
  cells.missing.push_back(text.empty() ? 1 : 0);
}

void TableSplitter::keep_written(const Field& field, std::size_t column) {
  if (label_.size() == rows_) {
    label_.emplace_back();
    ids_.emplace_back();
  }
  if (layout_.columns.role[column] == Role::kId) ids_.back() = field_text(field);
  if (layout_.columns.role[column] != Role::kLabel) return;
  if (!label_.back().empty()) label_.back() += ',';
  label_.back() += label_text(field);
}

void TableSplitter::end_row() {
  if (labels_->end_row()) {
    if (!faults_.empty()) throw refusal();
    ++rows_;
    return;
  }
  faults_.clear();
  begin_.pop_back();
  if (tiny_.row == static_cast<std::int64_t>(rows_)) tiny_ = {};
  label_.resize(std::min(label_.size(), rows_));
  ids_.resize(label_.size());
  for (Cells& cells : cells_) {
    cells.missing.pop_back();
    if (cells.number.size() > rows_) cells.number.pop_back();
    if (cells.text.size() > rows_) cells.text.pop_back();
    if (cells.seconds.size() > rows_) cells.seconds.pop_back();
  }
}

TextError TableSplitter::refusal() const {
  TextError error;
  for (const Fault& fault : faults_) {
    const Misfit said = misfit_in_table(layout_, fault.field, fault.column);
    if (error.message.empty()) {
      error = error_at(chunk_.text, fault.field.text.data(), "");
    } else {
      error.message += "; also ";
    }
    error.message += said.message;
    error.options.insert(error.options.end(), said.options.begin(), said.options.end());
  }
  return error;
}

void TableSplitter::borrow() {
  batch_.rows = static_cast<std::int64_t>(rows_);
  batch_.columns.resize(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Cells& cells = cells_[c];
    batch_.columns[c] = {cells.number, cells.text, cells.seconds, {}};
    if (cells.holes) batch_.columns[c].missing = cells.missing;
  }
}

ParsedPage TableSplitter::page() {
  ParsedPage parsed;
  Page& page = parsed.page;
  page.batch.rows = static_cast<std::int64_t>(rows_);
  page.batch.dense = true;
  page.label = {storage_->label.get(), rows_};
  page.batch.label = page.label;
  if (storage_->weight) page.batch.weight = {storage_->weight.get(), rows_};
  page.first_byte = chunk_.first_byte;
  page.bytes = chunk_.text.size();
  page.lines = lines_;
  page.storage = storage_;
  parsed.label_words = std::move(labels_->words());
  parsed.dropped = labels_->dropped();
  return parsed;
}

}  // namespace linsep::csv
