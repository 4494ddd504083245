#include "format/csv/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "bytes/number.h"
#include "core/deadline.h"
#include "core/words.h"
#include "format/csv/misfits.h"
#include "format/csv/plain.h"
#include "linsep/tools/shown_text.h"
#include "table/date.h"
#include "table/kinds.h"

namespace linsep {
namespace {

/// Owns what a page's spans point into, besides labels and weights.
template <class V>
struct Entries {
  std::shared_ptr<void> labels;
  std::unique_ptr<std::uint64_t[]> start;
  std::unique_ptr<std::uint32_t[]> column;
  std::unique_ptr<V[]> value;
};

void set_values(Batch& batch, const float* value, std::size_t size) { batch.value32 = {value, size}; }
void set_values(Batch& batch, const double* value, std::size_t size) { batch.value64 = {value, size}; }

template <class V>
class PageFiller {
 public:
  PageFiller(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
             ParsedPage& parsed)
      : rows_(rows), table_(table), exact_(exact), refuse_(refuse), parsed_(parsed), size_(rows.start.size() - 1) {}

  void fill() {
    Batch& batch = parsed_.page.batch;
    batch.features = table_.features();
    batch.is_float = sizeof(V) == sizeof(float);
    if (table_.dense()) {
      fill_dense(batch);
    } else {
      fill_sparse(batch);
    }
    entries_->labels = std::exchange(parsed_.page.storage, nullptr);
    parsed_.page.storage = std::move(entries_);
  }

 private:
  V rounded(std::size_t row, std::uint64_t k) {
    const auto out = static_cast<V>(rows_.value[k]);
    if (!std::isfinite(out) || (out == 0 && exact_)) [[unlikely]]
      refuse_(row, rows_.column[k], rows_.value[k]);
    if (out == 0) [[unlikely]]
      parsed_.tiny.add(static_cast<std::int64_t>(row), rows_.column[k]);
    return out;
  }

  void fill_sparse(Batch& batch) {
    entries_->start.reset(new std::uint64_t[size_ + 1]);
    entries_->column.reset(new std::uint32_t[rows_.column.size()]);
    entries_->value.reset(new V[rows_.value.size()]);
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      entries_->start[i] = out;
      for (std::uint64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        const V value = rounded(i, k);
        if (value == 0) continue;
        entries_->column[out] = rows_.column[k];
        entries_->value[out++] = value;
      }
    }
    entries_->start[size_] = out;
    batch.dense = false;
    batch.start = {entries_->start.get(), size_ + 1};
    batch.column = {entries_->column.get(), out};
    set_values(batch, entries_->value.get(), out);
  }

  void fill_dense(Batch& batch) {
    const std::size_t features = table_.features();
    entries_->value.reset(new V[size_ * features]());
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::uint64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        entries_->value[i * features + rows_.column[k]] = rounded(i, k);
      }
    }
    batch.dense = true;
    batch.stride = features;
    set_values(batch, entries_->value.get(), size_ * features);
  }

  const EncodedRows& rows_;
  const PreparedTable& table_;
  bool exact_;
  const RefuseValue& refuse_;
  ParsedPage& parsed_;
  std::size_t size_;
  std::shared_ptr<Entries<V>> entries_ = std::make_shared<Entries<V>>();
};

}  // namespace

void fill_page(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
               ParsedPage& parsed) {
  if (table.map().single) {
    PageFiller<float>(rows, table, exact, refuse, parsed).fill();
  } else {
    PageFiller<double>(rows, table, exact, refuse, parsed).fill();
  }
}
}  // namespace linsep

namespace linsep::csv {

/// Owns what a page's spans point into.
struct TableSplitter::Storage {
  std::unique_ptr<double[]> label, weight;
};

TableSplitter::TableSplitter(const Layout& layout)
    : layout_(layout), table_(*layout.table), cells_(layout.table->asked.size()) {
  const NumberStyle plain{table_.decimal, 0, "", false};
  for (const AskedColumn& asked : table_.asked) {
    styles_.push_back(asked.kind == ColumnKind::kNumber ? style_of_column(asked, table_.decimal) : plain);
    numeric_words_ = numeric_words_ || (styles_.back() != plain && !table_.missing_words.empty());
  }
  for (const std::string& word : table_.missing_words) {
    double value = 0;
    numeric_words_ = numeric_words_ || read_decimal(word, plain, value).fault == NumberFault::kNone;
  }
}

const TableBatch& TableSplitter::split(const Chunk& chunk, bool keep_decimals) {
  keep_ = keep_decimals;
  fast_ = !numeric_words_ && !keep_;
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
  tiny_ = tiny_of_row_ = {};
  unquoted_.clear();
  faults_.clear();
  begin_.clear();
  ids_.clear();
  weight_.clear();
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
  if (const char* nul = find_byte(begin, end_, '\0'); nul != end_) {
    throw error_at(chunk_.text, nul, "a NUL byte: this isn't text, or it is UTF-16");
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
    poll(50);
    at = read_row(at);
  }
}

const char* TableSplitter::read_row(const char* at) {
  const Columns& columns = layout_.columns;
  const std::size_t last = columns.size() - 1;
  constexpr std::size_t kPollEvery = 256;
  for (std::size_t c = 0;; ++c) {
    if (c % kPollEvery == kPollEvery - 1) [[unlikely]]
      poll(50 * kPollEvery);
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

/// Reads a plain decimal that fills its field. Returns the beginning of the next field or row, or nullptr.
const char* TableSplitter::read_plain_number(const char* at, Cells& cells, bool last) const {
  const auto place = static_cast<std::size_t>(&cells - cells_.data());
  if (table_.asked[place].kind != ColumnKind::kNumber || !styles_[place].is_plain() ||
      (!table_.empty.empty() && table_.empty[place])) {
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
    case ColumnKind::kNumber:
      fits = take_number(field, column, cells);
      break;
    case ColumnKind::kDate:
      fits = take_date(field, column, cells);
      break;
    case ColumnKind::kCategory:
    case ColumnKind::kText:
      take_text(field, cells);
      break;
    case ColumnKind::kVector:
      break;
  }
  const bool hole = cells.missing.back() != 0;
  cells.holes = cells.holes || hole;
  if (!table_.empty.empty() && table_.empty[place] && !hole) fits = false;
  if (table_.refuse_holes && hole && table_.asked[place].kind != ColumnKind::kText) fits = false;
  if (!fits) faults_.push_back({field, column});
}

bool TableSplitter::is_missing(std::string_view field) const { return is_hole(field, table_.missing_words); }

bool TableSplitter::take_number(const Field& field, std::size_t column, Cells& cells) {
  const std::string_view written = trimmed(field.text);
  double value = 0;
  bool fits = true;
  bool missing = written.empty() || (numeric_words_ && is_missing(written));
  if (!missing) {
    const NumberEnd got = read_decimal(written, styles_[layout_.columns.feature[column]], value);
    if (got.fault != NumberFault::kNone) {
      value = 0;
      missing = is_missing(written);
      fits = missing;
    }
    if (got.tiny && fits && !missing) {
      if (layout_.exact) throw error_at(chunk_.text, field.text.data(), tiny_message(shown_field(field.text)));
      tiny_of_row_.add(static_cast<std::int64_t>(rows_), layout_.columns.feature[column]);
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
    weight_.emplace_back();
  }
  if (layout_.columns.role[column] == Role::kId) ids_.back() = field_text(field);
  if (layout_.columns.role[column] == Role::kWeight) weight_.back() = trimmed(field.text);
  if (layout_.columns.role[column] != Role::kLabel) return;
  if (!label_.back().empty()) label_.back() += ',';
  label_.back() += label_text(field);
}

void TableSplitter::end_row() {
  const TinyValues tiny = std::exchange(tiny_of_row_, {});
  if (labels_->end_row()) {
    if (!faults_.empty()) throw refusal();
    tiny_.join(tiny, 0);
    ++rows_;
    return;
  }
  faults_.clear();
  begin_.pop_back();
  label_.resize(std::min(label_.size(), rows_));
  ids_.resize(label_.size());
  weight_.resize(label_.size());
  for (Cells& cells : cells_) {
    cells.missing.pop_back();
    if (cells.number.size() > rows_) cells.number.pop_back();
    if (cells.text.size() > rows_) cells.text.pop_back();
    if (cells.seconds.size() > rows_) cells.seconds.pop_back();
  }
}

TextError TableSplitter::refusal() const {
  TextError error;
  for (const Fault& fault : std::span(faults_).first(std::min(faults_.size(), kMostMisfits))) {
    const Misfit said = misfit_in_table(layout_, fault.field, fault.column);
    if (error.message.empty()) {
      error = error_at(chunk_.text, fault.field.text.data(), "");
    } else {
      error.message += "; also ";
    }
    error.message += said.message;
    error.options.insert(error.options.end(), said.options.begin(), said.options.end());
  }
  error.message += more_misfits(faults_.size());
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

namespace {

/// Prepares a map once for all files and passes that use it at the same time.
std::shared_ptr<const PreparedTable> prepared_table(const std::shared_ptr<const TableMap>& map) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<const PreparedTable>> known;
  const std::scoped_lock lock(mutex);
  std::erase_if(known, [](const auto& one) { return one.expired(); });
  for (const auto& one : known) {
    if (auto table = one.lock(); table && table->shared_map() == map) return table;
  }
  auto table = std::make_shared<const PreparedTable>(map);
  known.push_back(table);
  return table;
}

/// The origin of a value in an encoded row, for messages.
struct Origin {
  const Layout& layout;
  const PreparedTable& table;
  const TableSplitter& splitter;
  std::string_view text;
};

std::string column_of(const PreparedTable& table, std::uint32_t feature) {
  const std::vector<std::uint32_t> starts = encoder_starts(table.map());
  const auto after = std::ranges::upper_bound(starts, feature);
  return encoder_column(table.map().encoders[static_cast<std::size_t>(after - starts.begin()) - 1]);
}

/// The first feature of a column.
std::uint32_t first_feature(const PreparedTable& table, const std::string& column) {
  const auto& encoders = table.map().encoders;
  const auto found = std::ranges::find(encoders, column, &Encoder::column);
  return encoder_starts(table.map())[static_cast<std::size_t>(found - encoders.begin())];
}

/// Throws the error about a value that the page's type can't hold.
[[noreturn]] void refuse_value(const Origin& origin, std::size_t row, std::uint32_t feature, double value) {
  const bool single = origin.table.map().single && std::isfinite(value);
  throw error_at(origin.text, origin.splitter.rows()[row],
                 fmt::format("column '{}': the encoded value {} isn't {}", shown_text(column_of(origin.table, feature)),
                             value, single ? "within the range of a float (ask for double values)" : "finite"));
}

/// The requested rows (ascending) of a batch, as a batch of their own.
struct PickedRows {
  struct Column {
    std::vector<double> number;
    std::vector<std::string_view> text;
    std::vector<std::int64_t> seconds;
    std::vector<std::uint8_t> missing;
  };
  std::vector<Column> columns;
  TableBatch batch;
};

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const std::int64_t> rows) {
  std::vector<T> out;
  for (const std::int64_t row : rows) {
    if (!all.empty()) out.push_back(all[static_cast<std::size_t>(row)]);
  }
  return out;
}

PickedRows pick(const TableBatch& all, std::span<const std::int64_t> rows) {
  PickedRows few;
  few.batch.rows = static_cast<std::int64_t>(rows.size());
  for (const TableColumn& column : all.columns) {
    few.columns.push_back({picked(column.number, rows), picked(column.text, rows), picked(column.seconds, rows),
                           picked(column.missing, rows)});
  }
  for (const PickedRows::Column& column : few.columns) {
    few.batch.columns.push_back({column.number, column.text, column.seconds, column.missing});
  }
  return few;
}

}  // namespace

TableColumns table_columns(const TableMap& map) {
  TableColumns columns;
  columns.asked = asked_columns(map);
  columns.missing_words = map.missing_words;
  columns.decimal = map.decimal;
  columns.header = map.header;
  return columns;
}

/// The scratch memory of a thread.
struct TableReader::Scratch {
  Scratch(const Layout& layout, std::shared_ptr<const PreparedTable> table)
      : splitter(layout), encoder(std::move(table)) {}

  TableSplitter splitter;
  TableEncoder encoder;
  EncodedRows rows;
};

TableReader::TableReader(std::shared_ptr<const Layout> layout, std::shared_ptr<const TableMap> map,
                         std::shared_ptr<TableCounts> counts)
    : layout_(std::move(layout)), map_(std::move(map)), counts_(std::move(counts)) {}

TableReader::~TableReader() = default;

std::shared_ptr<const PreparedTable> TableReader::prepared() {
  std::call_once(once_, [&] { prepared_ = prepared_table(map_); });
  return prepared_;
}

std::unique_ptr<TableReader::Scratch> TableReader::scratch() {
  auto table = prepared();
  if (auto free = scratch_.take()) return free;
  return std::make_unique<Scratch>(*layout_, std::move(table));
}

ParsedPage TableReader::parse(const Chunk& chunk) {
  std::unique_ptr<Scratch> own = scratch();
  const TableBatch& batch = own->splitter.split(chunk);
  own->rows.clear();
  own->encoder.encode(batch, own->rows, counts_.get());
  ParsedPage parsed = own->splitter.page();
  const PreparedTable& table = own->encoder.table();
  if (TinyValues tiny = own->splitter.tiny(); tiny.row >= 0) {
    tiny.column = first_feature(table, table.columns()[tiny.column].name);
    parsed.tiny = tiny;
  }
  const Origin origin{*layout_, table, own->splitter, chunk.text};
  fill_page(
      own->rows, table, layout_->exact,
      [&origin](std::size_t row, std::uint32_t feature, double value) { refuse_value(origin, row, feature, value); },
      parsed);
  scratch_.give(std::move(own));
  return parsed;
}

std::vector<WrittenRow> TableReader::written(const Chunk& chunk, const std::vector<std::int64_t>& rows) {
  std::unique_ptr<Scratch> own = scratch();
  const TableBatch& all = own->splitter.split(chunk, true);
  const auto there = std::ranges::lower_bound(rows, all.rows);
  const std::span<const std::int64_t> asked(rows.begin(), there);
  const PickedRows few = pick(all, asked);
  own->rows.clear();
  own->encoder.encode(few.batch, own->rows, nullptr);
  const PreparedTable& table = own->encoder.table();
  std::vector<WrittenRow> answer(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto local = static_cast<std::size_t>(asked[i]);
    WrittenRow& row = answer[i];
    row.row = asked[i];
    row.label = own->splitter.labels()[local];
    row.id = own->splitter.ids()[local];
    row.weight.decimal = own->splitter.weights()[local];
    for (std::uint64_t k = own->rows.start[i]; k < own->rows.start[i + 1]; ++k) {
      WrittenValue& value = row.values.emplace_back();
      value.column = own->rows.column[k];
      value.binary = own->rows.value[k];
      const int column = table.written_column(value.column);
      if (column < 0) continue;
      const TableColumn& cells = few.batch.columns[static_cast<std::size_t>(column)];
      if (!cells.missing.empty() && cells.missing[i] != 0) continue;
      const NumberStyle style = style_of_column(table.columns()[static_cast<std::size_t>(column)], map_->decimal);
      value.decimal = style.is_plain() ? std::string(cells.text[i]) : plain_decimal(cells.text[i], style).value_or("");
      value.binary = 0;
    }
  }
  scratch_.give(std::move(own));
  return answer;
}

}  // namespace linsep::csv
