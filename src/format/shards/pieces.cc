#include "format/shards/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bytes/bytes.h"
#include "core/bytes.h"
#include "linsep/error.h"

namespace linsep {
FileLayout layout_of(const TextInput& input) {
  const TextFormat& format = input.format;
  const bool known = facts_of(input.kind).has_columns ? format.columns > 0 : !input.empty;
  return {input.name,         known,          input.kind,  format.columns, format.feature_names,
          format.label_names, format.reading, format.table};
}

void require_same_layout(const FileLayout& first, const FileLayout& other) {
  if (!first.known || !other.known) return;
  const auto refuse = [&](const std::string& message) { throw Error(Place{other.name, 0, 0}, message); };
  if (first.kind != other.kind) {
    refuse(fmt::format("is {}, but {} is {}: the files of a data set have one format", facts_of(other.kind).name,
                       first.name, facts_of(first.kind).name));
  }
  if (first.feature_names.empty() != other.feature_names.empty()) {
    const bool has = !other.feature_names.empty();
    refuse(fmt::format("has {} header, but {} has {}: give every file a header, or none", has ? "a" : "no", first.name,
                       has ? "none" : "one"));
  }
  if (first.columns != other.columns) {
    refuse(fmt::format("has {} columns for features, but {} has {}", other.columns, first.name, first.columns));
  }
  for (std::size_t j = 0; j < first.feature_names.size(); ++j) {
    if (first.feature_names[j] == other.feature_names[j]) continue;
    refuse(fmt::format("calls feature {} '{}', but {} calls it '{}'", j + 1, other.feature_names[j], first.name,
                       first.feature_names[j]));
  }
  if (first.label_names != other.label_names) {
    refuse(fmt::format("has the label columns {}, but {} has {}", fmt::join(other.label_names, ", "), first.name,
                       fmt::join(first.label_names, ", ")));
  }
}

void write_layout(ByteWriter& writer, const FileLayout& layout) {
  writer.text(layout.name);
  writer.number<std::uint8_t>(layout.known ? 1 : 0);
  writer.number<std::uint8_t>(static_cast<std::uint8_t>(layout.kind));
  writer.number(layout.columns);
  write_words(writer, layout.feature_names);
  write_words(writer, layout.label_names);
  write_reading(writer, layout.reading);
}

FileLayout read_layout(ByteReader& reader) {
  FileLayout layout;
  layout.name = reader.text();
  layout.known = reader.number<std::uint8_t>() != 0;
  layout.kind = static_cast<ReadOptions::Format>(reader.number<std::uint8_t>());
  layout.columns = reader.number<std::uint32_t>();
  layout.feature_names = read_words(reader);
  layout.label_names = read_words(reader);
  layout.reading = read_reading(reader);
  return layout;
}

PieceReader::PieceReader(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations)
    : pieces_(std::move(pieces)), options_(options), stations_(stations) {
  for (std::size_t k = 0; k < pieces_.size() && !layout_.known; ++k) open(k);
}

void PieceReader::open(std::size_t piece) {
  if (piece < inputs_.size()) return;
  inputs_.push_back(open_text(pieces_[piece].path, options_, stations_, pieces_[piece].range));
  FileLayout layout = layout_of(inputs_.back());
  require_same_layout(layout_, layout);
  if (layout_.known) return;
  layout_ = std::move(layout);
  layout_.reading.drop_missing_labels = options_.labelled && options_.drop_missing_labels;
}

void PieceReader::open_all() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    open(k);
    inputs_[k].pages.reset();
  }
}

std::optional<ReadPage> PieceReader::next() {
  while (at_ < pieces_.size()) {
    open(at_);
    if (auto read = inputs_[at_].pages->next()) {
      read->parsed.page.batch.first_row += rows_before_;
      rows_ += read->parsed.page.batch.rows;
      last_ = read->chunk;
      return read;
    }
    if (at_ + 1 == pieces_.size()) break;
    dropped_before_ += inputs_[at_].pages->dropped();
    inputs_[at_].pages.reset();
    rows_before_ = rows_;
    ++at_;
  }
  return std::nullopt;
}

std::int64_t PieceReader::dropped() const {
  return dropped_before_ + (at_ < inputs_.size() && inputs_[at_].pages ? inputs_[at_].pages->dropped() : 0);
}

Error PieceReader::error_at_row(const ReadPage& page, std::int64_t row, const std::string& message) const {
  return inputs_[at_].pages->error_at_row(page, row, message);
}

Place PieceReader::place_of(const ReadPage& page, std::int64_t row) const {
  return error_at_row(page, row, "").place();
}

void PieceReader::require_again() const {
  for (const TextInput& input : inputs_) {
    if (!input.regular) throw read_once_error(input.name);
  }
}

const TextFormat& PieceReader::format_with_columns() const {
  const TextFormat& format = inputs_[std::min(at_, inputs_.size() - 1)].format;
  if (!format.fields) throw usage_error("svmlight rows have no columns to keep");
  return format;
}

std::vector<std::string> PieceReader::names(std::span<const std::string> columns) const {
  std::vector<std::string> all;
  for (const std::string& column : columns) all.push_back(format_with_columns().column_named(column).second);
  return all;
}

std::vector<FieldType> PieceReader::types(std::span<const std::string> columns) const {
  return std::vector<FieldType>(columns.size(), FieldType::kText);
}

std::vector<std::string> PieceReader::fields(std::span<const std::string> columns) const {
  std::vector<std::size_t> places;
  for (const std::string& column : columns) places.push_back(format_with_columns().column_named(column).first);
  return format_with_columns().fields(last_, places);
}

void take_labels(const PageStream& stream, ReadPage& page, LabelColumns& labels) {
  try {
    labels.take(page.parsed);
  } catch (const LabelError& error) {
    throw stream.error_at_row(page, error.row, error.message);
  }
}

Schema schema_of(const FileLayout& layout) {
  Schema schema{{}, layout.feature_names};
  schema.reading = layout.reading;
  schema.table = layout.table;
  return schema;
}

Error read_once_error(const std::string& name) {
  return usage_error(fmt::format("{} can be read only once: give a file", name));
}

std::string files_name(std::span<const std::string> paths) {
  const std::string first = is_standard_input(paths[0]) ? "standard input" : paths[0];
  const std::size_t more = paths.size() - 1;
  return more == 0 ? first : fmt::format("{} and {} more file{}", first, more, more == 1 ? "" : "s");
}

}  // namespace linsep
