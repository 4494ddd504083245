#include "format/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "core/bytes.h"
#include "data/memory_source.h"
#include "format/arrow/files.h"
#include "format/labels/columns.h"
#include "format/labels/missing.h"
#include "format/pages/pages.h"
#include "format/pages/reread.h"
#include "format/reading_room.h"
#include "format/shards/share_files.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/table/map.h"

namespace linsep {
namespace {

/// The rows of one worker while they are read.
struct Shard {
  PieceReader reader;
  LabelColumns labels;
  std::vector<Page> pages;
  PagePlaces places;
  std::uint32_t features = 0;
  std::int64_t rows = 0;

  Shard(std::vector<Piece> pieces, const ReadOptions& options, const Stations& stations, LabelScope scope)
      : reader(std::move(pieces), options, stations),
        labels(options, reader.layout().label_names, scope),
        features(std::max(options.features, reader.layout().named_features())) {}

  void read(ReadingRoom room, const std::atomic<bool>* interrupt, const Observer& observe) {
    Progress progress;
    progress.phase = Phase::kReading;
    while (auto read = reader.next()) {
      if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
      try {
        labels.take(read->parsed);
      } catch (const LabelError& error) {
        throw reader.error_at_row(*read, error.row, error.message);
      }
      Page& page = pages.emplace_back(std::move(read->parsed.page));
      places.add(page, reader.piece());
      room.take(page);
      features = std::max(features, page.batch.features);
      rows += page.batch.rows;
      progress.rows = rows;
      if (observe) observe(progress);
    }
  }
};

/// What the shards are together.
struct Together {
  std::int64_t rows = 0;
  std::int64_t rows_before = 0;  ///< of the workers before this one
};

/// The workers tell each other what they have read: rows, the widest row, labels.
Together agree(Shard& shard, Comm& comm) {
  if (comm.size() == 1) return {shard.rows, 0};
  ByteWriter writer;
  writer.number(shard.rows);
  writer.number(shard.features);
  writer.text(shard_labels_to_bytes(shard.labels.met()));
  Together all;
  std::vector<ShardLabels> labels;
  const auto rank = static_cast<std::size_t>(comm.rank());
  for (const std::string& bytes : gather_text(comm, writer.bytes())) {
    ByteReader reader(bytes);
    const auto rows = reader.number<std::int64_t>();
    if (labels.size() < rank) all.rows_before += rows;
    all.rows += rows;
    shard.features = std::max(shard.features, reader.number<std::uint32_t>());
    labels.push_back(shard_labels_from_bytes(reader.text()));
  }
  std::optional<ShardLabelError> refused;
  try {
    shard.labels.adopt(labels, rank, shard.pages);
  } catch (const ShardLabelError& error) {
    refused = error;
  }
  rethrow_on_all(comm, [&] {
    if (refused && refused->shard == rank) {
      throw shard.places.error_at_row(shard.reader, refused->row, refused->message);
    }
  });
  return all;
}

std::unique_ptr<Source> load_shard(const std::vector<Piece>& pieces, std::span<const std::string> paths,
                                   const ReadOptions& options, const Stations& stations, Comm& comm,
                                   const Observer& observe) {
  std::optional<Shard> opened;
  rethrow_on_all(comm, [&] {
    try {
      opened.emplace(pieces, options, stations, comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
      opened->read({text_bytes(opened->reader.pieces()), files_name(paths)}, options.interrupt, observe);
    } catch (const std::bad_alloc&) {
      throw system_error(fmt::format("{}: memory doesn't suffice to hold it", paths[0]));
    }
  });
  Shard& shard = *opened;
  const Together all = agree(shard, comm);
  const std::string name = files_name(paths);
  if (all.rows == 0 && options.labelled) throw no_rows_error(name, options);
  shard.labels.finish(shard.pages, all.rows, name);
  for (Page& page : shard.pages) page.batch.first_row += all.rows_before;
  shard.places.complete(shard.reader, all.rows_before);
  Schema schema{{}, shard.reader.layout().feature_names};
  schema.reading = shard.reader.layout().reading;
  schema.table = shard.reader.layout().table;
  schema.reading.drop_missing_labels = options.labelled && options.drop_missing_labels;
  schema.dropped = shard.reader.dropped();
  shard.labels.describe(schema);
  auto places = std::make_shared<const PagePlaces>(std::move(shard.places));
  return std::make_unique<MemorySource>(
      std::move(shard.pages), std::move(schema), shard.features,
      [places](std::span<const std::int64_t> rows) { return places->written(rows); },
      [places](std::int64_t row) { return places->place_of(row); });
}

}  // namespace

ReadOptions with_values_of_table(ReadOptions options) {
  if (options.table && !options.table->empty()) options.double_values = !options.table->single;
  return options;
}

std::unique_ptr<Source> load_with(std::span<const std::string> paths, const ReadOptions& asked,
                                  const Stations& stations, Comm& comm, const Observer& observe) {
  const ReadOptions options = with_values_of_table(asked);
  if (are_page_files(paths)) return open_pages(paths, options, comm);
  if (are_arrow_files(paths)) return load(open_arrow_files(paths, comm), options, observe);
  const std::vector<Piece> pieces = share_files(paths, options, stations, comm);
  if (want_pages(pieces, options, comm)) return load_by_pages(pieces, options, files_name(paths), comm, observe);
  return load_shard(pieces, paths, options, stations, comm, observe);
}

std::unique_ptr<Source> load_with(const std::string& path, const ReadOptions& options, const Stations& stations,
                                  const Observer& observe) {
  return load_with(std::span(&path, 1), options, stations, *solo(), observe);
}

std::unique_ptr<Source> load(const std::string& path, const ReadOptions& options, const Observer& observe) {
  return load_with(path, options, Stations{}, observe);
}

std::unique_ptr<Source> load(std::span<const std::string> paths, const ReadOptions& options, Comm& comm,
                             const Observer& observe) {
  return load_with(paths, options, Stations{}, comm, observe);
}

}  // namespace linsep
