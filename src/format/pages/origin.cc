#include "format/pages/pages.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "core/bytes.h"
#include "format/labels/labels.h"
#include "format/shards/pieces.h"
#include "linsep/error.h"
#include "linsep/table/map.h"
#include "os/file.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

void put_flag(ByteWriter& writer, bool flag) { writer.number(static_cast<std::uint8_t>(flag)); }

void put_reading(ByteWriter& writer, const ReadOptions& reading) {
  writer.number(static_cast<std::int32_t>(reading.format));
  put_flag(writer, reading.double_values);
  put_flag(writer, reading.labelled);
  writer.number(static_cast<std::int8_t>(reading.header ? (*reading.header ? 1 : 0) : -1));
  writer.number(static_cast<std::int8_t>(reading.delimiter));
  for (const std::string* text : {&reading.label, &reading.id, &reading.weight}) writer.text(*text);
  for (const auto* words : {&reading.labels, &reading.ignore, &reading.feature_names}) write_words(writer, *words);
}

ReadOptions take_reading(ByteReader& reader) {
  ReadOptions reading;
  reading.format = reader.choice(last_format());
  reading.double_values = reader.flag();
  reading.labelled = reader.flag();
  const auto header = reader.number<std::int8_t>();
  require_state(header >= -1 && header <= 1);
  if (header >= 0) reading.header = header != 0;
  reading.delimiter = static_cast<char>(reader.number<std::int8_t>());
  for (std::string* text : {&reading.label, &reading.id, &reading.weight}) *text = reader.text();
  for (auto* words : {&reading.labels, &reading.ignore, &reading.feature_names}) *words = read_words(reader);
  return reading;
}

void put_text(ByteWriter& writer, const PageText& text) {
  writer.text(text.path);
  writer.number(text.stamp.bytes);
  writer.number(text.stamp.written_seconds);
  writer.number(text.stamp.written_nanoseconds);
  put_flag(writer, text.compressed);
  writer.number(text.range.first_byte);
  writer.number(text.range.end_byte);
  writer.number(text.first_row);
}

PageText take_text(ByteReader& reader) {
  PageText text;
  text.path = reader.text();
  text.stamp.bytes = reader.number<std::uint64_t>();
  text.stamp.written_seconds = reader.number<std::int64_t>();
  text.stamp.written_nanoseconds = reader.number<std::int64_t>();
  text.compressed = reader.flag();
  text.range.first_byte = reader.number<std::uint64_t>();
  text.range.end_byte = reader.number<std::uint64_t>();
  text.first_row = reader.count();
  require_state(!text.compressed || text.range.whole() || text.range.empty());
  return text;
}

void put_state(ByteWriter& writer, const PageText& text) {
  writer.number(text.stamp.inode);
  writer.number(text.stamp.changed_seconds);
  writer.number(text.stamp.changed_nanoseconds);
  writer.number(text.digest);
}

void take_state(ByteReader& reader, PageText& text) {
  text.stamp.inode = reader.number<std::uint64_t>();
  text.stamp.changed_seconds = reader.number<std::int64_t>();
  text.stamp.changed_nanoseconds = reader.number<std::int64_t>();
  text.digest = reader.number<std::uint64_t>();
}

std::string reading_bytes(const ReadOptions& reading) {
  ByteWriter writer;
  put_reading(writer, reading);
  return writer.bytes();
}

}  // namespace

std::size_t LabelTable::place_of(const std::string& name, std::int64_t row) {
  const auto [place, is_new] = place_.try_emplace(name, labels.size());
  if (is_new) labels.push_back({name, row});
  return place->second;
}

void LabelTable::take(ParsedPage& parsed, std::int64_t first_row) {
  const std::span<double> label = parsed.page.label;
  if (parsed.label_words.empty()) {
    for (std::size_t i = 0; i < label.size() && !more_numbers; ++i) {
      if (i > 0 && label[i] == label[i - 1]) continue;
      if (!known_.try_emplace(label[i], true).second) continue;
      place_of(number_name(label[i]), first_row + static_cast<std::int64_t>(i));
      more_numbers = known_.size() > kMostClasses;
    }
    return;
  }
  has_words = true;
  std::vector<double> place(parsed.label_words.size(), -1);
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto word = static_cast<std::size_t>(label[i]);
    if (place[word] < 0) {
      const std::int64_t row = first_row + static_cast<std::int64_t>(i);
      place[word] = static_cast<double>(place_of(parsed.label_words[word], row));
    }
    label[i] = place[word];
  }
}

LabelMeaning known_labels(const LabelTable& table) {
  LabelMeaning meaning;
  if (!table.more_numbers) meaning.kind = LabelMeaning::Kind::kKnown;
  meaning.word.resize(table.labels.size());
  std::iota(meaning.word.begin(), meaning.word.end(), 0.0);
  for (const LabelTable::Label& label : table.labels) {
    double number = 0;
    if (label_number(label.name, number)) meaning.number.emplace(number, number);
  }
  return meaning;
}

std::string origin_bytes(const PageOrigin& origin) {
  ByteWriter writer;
  writer.text(origin.reading.table ? "table" : "text");
  if (origin.reading.table) writer.text(table_to_json(*origin.reading.table));
  writer.number<std::uint64_t>(origin.texts.size());
  for (const PageText& text : origin.texts) put_text(writer, text);
  put_reading(writer, origin.reading);
  writer.number(static_cast<std::int32_t>(origin.format));
  write_words(writer, origin.feature_names);
  write_words(writer, origin.label_names);
  put_flag(writer, origin.labels.has_words);
  put_flag(writer, origin.labels.more_numbers);
  writer.number<std::uint64_t>(origin.labels.labels.size());
  for (const LabelTable::Label& label : origin.labels.labels) {
    writer.text(label.name);
    writer.number(label.first_row);
  }
  writer.number(origin.tiny.row);
  writer.number(origin.tiny.column);
  write_reading(writer, origin.read);
  if (origin.cache) {
    for (const PageText& text : origin.texts) put_state(writer, text);
  }
  if (const MissingLabels missing(origin.reading); missing.drop()) {
    writer.number(origin.dropped);
    write_words(writer, missing.named());
  }
  return writer.bytes();
}

std::uint32_t version_of(const PageOrigin& origin) { return origin.cache ? kCacheVersion : kPageVersion; }

PageOrigin parse_origin(const std::string& bytes, const std::string& name, std::uint32_t version) {
  try {
    ByteReader reader(bytes);
    PageOrigin origin;
    origin.cache = version == kCacheVersion;
    const std::string kind = reader.text();
    require_state(kind == "text" || kind == "table");
    std::shared_ptr<const TableMap> table;
    if (kind == "table") table = std::make_shared<const TableMap>(table_from_json(reader.text(), name));
    for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
      origin.texts.push_back(take_text(reader));
      const std::int64_t before = origin.texts.size() == 1 ? 0 : origin.texts[origin.texts.size() - 2].first_row;
      const std::int64_t row = origin.texts.back().first_row;
      if (row < before || (origin.texts.size() == 1 && row != 0)) throw input_error("texts out of order");
    }
    if (origin.texts.empty()) throw input_error("no text");
    origin.reading = take_reading(reader);
    origin.reading.table = table;
    origin.format = reader.choice(last_format());
    origin.feature_names = read_words(reader);
    origin.label_names = read_words(reader);
    origin.labels.has_words = reader.flag();
    origin.labels.more_numbers = reader.flag();
    for (auto left = reader.number<std::uint64_t>(); left > 0; --left) {
      LabelTable::Label label;
      label.name = reader.text();
      label.first_row = reader.count();
      origin.labels.labels.push_back(std::move(label));
    }
    origin.tiny.row = reader.number<std::int64_t>();
    require_state(origin.tiny.row >= -1);
    origin.tiny.column = reader.number<std::uint32_t>();
    origin.read = read_reading(reader);
    if (origin.cache) {
      for (PageText& text : origin.texts) take_state(reader, text);
    }
    if (!reader.at_end()) {
      origin.reading.drop_missing_labels = origin.read.drop_missing_labels = true;
      origin.dropped = reader.count();
      origin.reading.classes = read_words(reader);
    }
    reader.end();
    return origin;
  } catch (const Error&) {
    throw Error(Place{name, 0, 0}, "its header is inconsistent; convert the text again");
  }
}

bool fits_pages(const PageOrigin& origin, const PageFile& file) {
  const Shape& shape = file.header().shape;
  const PageLayout& layout = file.header().layout;
  const ReadOptions& reading = origin.reading;
  const std::size_t told = reading.table ? encoder_starts(*reading.table).back() : origin.feature_names.size();
  if (reading.table && (!origin.feature_names.empty() || reading.table->empty())) return false;
  std::uint64_t widest = told;
  for (const PageEntry& entry : file.entries()) {
    widest = std::max<std::uint64_t>(widest, entry.features);
    if (entry.words != 0 && !origin.labels.has_words) return false;
  }
  const auto has_row = [&](const LabelTable::Label& label) { return label.first_row < shape.rows; };
  if (shape.features != widest || (told != 0 && told != widest)) return false;
  if (origin.texts.back().first_row > shape.rows || origin.tiny.row >= shape.rows) return false;
  if (!std::ranges::all_of(origin.labels.labels, has_row)) return false;
  if (shape.rows == 0) return true;
  return layout.labelled == reading.labelled && layout.is_float != reading.double_values &&
         (!layout.dense || layout.stride == shape.features);
}

bool same_state(const FileStamp& a, const FileStamp& b) {
  return a.bytes == b.bytes && a.written_seconds == b.written_seconds && a.written_nanoseconds == b.written_nanoseconds;
}

bool untouched(const FileStamp& a, const FileStamp& b) {
  return same_state(a, b) && a.inode == b.inode && a.changed_seconds == b.changed_seconds &&
         a.changed_nanoseconds == b.changed_nanoseconds;
}

std::uint64_t text_digest(const std::string& path) {
  constexpr std::uint64_t kWhole = std::uint64_t{1} << 20, kEnd = std::uint64_t{1} << 16, kSample = 4096;
  constexpr std::uint64_t kSamples = 64;
  const OpenFile file = OpenFile::at(path);
  const std::uint64_t size = file.status().size;
  std::string bytes;
  const auto take = [&](std::uint64_t place, std::uint64_t count) {
    const std::size_t before = bytes.size();
    bytes.resize(before + count);
    bytes.resize(before + file.read_at(place, std::span(bytes).subspan(before)));
  };
  if (size <= kWhole) {
    take(0, size);
    return page_checksum(bytes);
  }
  take(0, kEnd);
  const std::uint64_t step = (size - 2 * kEnd) / kSamples;
  for (std::uint64_t k = 0; k < kSamples; ++k) take(kEnd + k * step, kSample);
  take(size - kEnd, kEnd);
  return page_checksum(bytes);
}

bool same_table(const std::shared_ptr<const TableMap>& a, const std::shared_ptr<const TableMap>& b) {
  const bool none = !a || a->empty(), neither = !b || b->empty();
  return none || neither ? none == neither : a == b || *a == *b;
}

bool same_rows(const ReadOptions& have, const ReadOptions& want) {
  const MissingLabels ours(have), theirs(want);
  return same_table(have.table, want.table) && reading_bytes(have) == reading_bytes(want) &&
         ours.drop() == theirs.drop() && (!ours.drop() || ours.named() == theirs.named());
}

std::string recorded_path(const std::string& text, const std::string& pages) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(text, error), error);
  if (error || pages.empty()) return error ? text : whole.generic_string();
  const fs::path folder = fs::weakly_canonical(fs::absolute(pages, error), error).parent_path();
  const fs::path near = whole.lexically_relative(folder);
  return error || near.empty() ? whole.generic_string() : near.generic_string();
}

std::string resolved_path(const std::string& recorded, const std::string& pages) {
  const fs::path path(recorded);
  if (path.is_absolute()) return recorded;
  const fs::path folder = fs::path(pages).parent_path();
  return (folder / path).string();
}

}  // namespace linsep
