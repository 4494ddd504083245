#include "format/shards/file_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/bytes.h"
#include "format/text/reading_bytes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::string_view kind_name(ReadOptions::Format kind) {
  if (kind == ReadOptions::Format::kCsv) return "CSV";
  return kind == ReadOptions::Format::kTsv ? "TSV" : "svmlight";
}

}  // namespace

FileLayout layout_of(const TextInput& input) {
  const TextFormat& format = input.format;
  const bool known = input.kind == ReadOptions::Format::kSvmlight ? !input.empty : format.columns > 0;
  return {input.name,         known,          input.kind,  format.columns, format.feature_names,
          format.label_names, format.reading, format.table};
}

void require_same_layout(const FileLayout& first, const FileLayout& other) {
  if (!first.known || !other.known) return;
  const auto refuse = [&](const std::string& message) { throw Error(Place{other.name, 0, 0}, message); };
  if (first.kind != other.kind) {
    refuse(fmt::format("is {}, but {} is {}: the files of a data set have one format", kind_name(other.kind),
                       first.name, kind_name(first.kind)));
  }
  if (first.feature_names.empty() != other.feature_names.empty()) {
    const bool has = !other.feature_names.empty();
    refuse(fmt::format("has {} header, but {} has {}: every file has its own, or none has", has ? "a" : "no",
                       first.name, has ? "none" : "one"));
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

}  // namespace linsep
