#include "format/pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "bytes/bytes.h"
#include "core/deadline.h"
#include "data/paged/page_file.h"
#include "format/labels/columns.h"
#include "format/labels/labels.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/table/map.h"
#include "os/file.h"

namespace linsep {
namespace {

constexpr std::size_t kSmallBlock = std::size_t{1} << 20;

PageLayout layout_of(const Batch& batch, const ReadOptions& options) {
  PageLayout layout;
  layout.dense = batch.dense;
  layout.is_float = batch.is_float;
  layout.labelled = options.labelled;
  layout.weighted = !batch.weight.empty();
  if (batch.dense) layout.stride = batch.features;
  return layout;
}

/// The texts of a page file once they are all read. `first_row` has the first row of each text, or −1 if it has none.
std::vector<PageText> texts_of(const PieceReader& reader, std::vector<std::int64_t> first_row, std::int64_t rows,
                               const std::string& pages, bool cache) {
  std::vector<PageText> texts(first_row.size());
  for (std::size_t k = texts.size(); k-- > 0;) {
    const TextInput& input = reader.inputs()[k];
    PageText& text = texts[k];
    if (first_row[k] >= 0) rows = first_row[k];
    text.first_row = rows;
    text.range = reader.pieces()[k].range;
    if (!input.regular) continue;
    text.path = recorded_path(reader.pieces()[k].path, pages);
    text.stamp = input.stamp;
    text.compressed = input.compressed;
    if (cache) text.digest = text_digest(reader.pieces()[k].path);
  }
  texts.front().first_row = 0;
  return texts;
}

/// Pages on their way into a file, with what must be recorded about their origin.
class PagesMade {
 public:
  PagesMade(StreamedFile file, const ReadOptions& options, std::shared_ptr<const TableMap> table)
      : file_(std::move(file)), options_(options) {
    origin.reading = options;
    origin.reading.interrupt = nullptr;
    origin.reading.table = std::move(table);
    origin.reading.counts = nullptr;
    progress_.phase = Phase::kPaging;
  }

  void end_text() {
    if (writer_) writer_->end_text();
  }
  void take(ParsedPage& parsed, const Observer& observe) {
    poll_now();
    const Batch& batch = parsed.page.batch;
    if (!writer_) writer_.emplace(std::move(file_), layout_of(batch, options_));
    if (options_.labelled) origin.labels.take(parsed, batch.first_row);
    origin.tiny.join(parsed.tiny, batch.first_row);
    writer_->add(parsed.page, !parsed.label_words.empty());
    progress_.rows += batch.rows;
    if (observe) observe(progress_);
  }
  std::int64_t rows() const { return progress_.rows; }
  StreamedFile finish(std::uint32_t features) {
    PageLayout nothing;
    nothing.is_float = !options_.double_values;
    nothing.labelled = false;
    if (!writer_) writer_.emplace(std::move(file_), nothing);
    return writer_->finish(features, origin_bytes(origin), version_of(origin));
  }

  PageOrigin origin;

 private:
  StreamedFile file_;
  const ReadOptions& options_;
  Progress progress_;
  std::optional<PageWriter> writer_;  ///< set once the first page has come, which determines the layout of pages
};

constexpr std::string_view kEnding = ".lsp";
/// Rows in memory and everything that a learner adds to them take at most this many times the size of the text, or of
/// the compressed text.
constexpr std::uint64_t kTimesText = 24, kTimesCompressed = 500;

/// Whether pages made of a text are still those that these options ask for.
bool serves(const PageOrigin& origin, const std::string& pages, const Piece& piece, const ReadOptions& options) {
  const ByteInput now = open_bytes(piece.path);
  // The columns that a model asks for are already there if labels aren't needed, or if its features are all that exist.
  ReadOptions want = options;
  const bool has_columns = facts_of(origin.format).has_columns;
  if (origin.reading.labelled && !has_columns) {
    want.drop_missing_labels = want.drop_missing_labels && want.labelled;
    want.labelled = true;
  }
  if (!has_columns) want.table = nullptr;  // its rows are already encoded
  if (origin.feature_names == want.feature_names) want.feature_names = origin.reading.feature_names;
  const PageText& text = origin.texts.front();
  return origin.cache && origin.texts.size() == 1 && text.range == piece.range &&
         text.path == recorded_path(piece.path, pages) && untouched(text.stamp, now.stamp) &&
         same_rows(origin.reading, want) && text.digest == text_digest(piece.path);
}

/// The option, if any, that asks for something that was settled when the text was read.
std::string_view settled_option(const ReadOptions& options) {
  if (options.format != ReadOptions::Format::kAuto) return "format";
  if (options.header) return *options.header ? "header" : "no-header";
  if (options.delimiter != 0) return "delimiter";
  if (!options.label.empty()) return "label";
  if (!options.id.empty()) return "id";
  if (!options.weight.empty()) return "weight";
  if (options.labelled && options.drop_missing_labels) return kMissingLabelOption;
  return options.ignore.empty() ? "" : "ignore";
}

/// How much memory the rows of a piece take, approximately, with everything that a learner adds to them. Nothing if
/// that isn't known.
std::optional<std::uint64_t> bytes_in_memory(const Piece& piece) {
  if (is_standard_input(piece.path)) return std::nullopt;
  const ByteInput input = open_bytes(piece.path);
  if (!input.regular) return std::nullopt;
  return piece.range.bytes_of(input.stamp.bytes) * (input.compressed ? kTimesCompressed : kTimesText);
}

/// Whether this worker's rows might take more than `memory`.
bool might_not_fit(const std::vector<Piece>& pieces, std::uint64_t memory) {
  std::uint64_t all = 0;
  for (const Piece& piece : pieces) {
    const auto bytes = bytes_in_memory(piece);
    if (!bytes) return true;
    all += *bytes;
  }
  return all > memory;
}

PagePart nameless_part(const std::vector<Piece>& pieces, const ReadOptions& options, const std::string& name,
                       const Observer& observe) {
  const StreamedFile file = write_pages(pieces, options, StreamedFile::nameless(), "", observe);
  return part_of(std::make_shared<PageFile>(OpenFile::again(file, name)), "");
}

/// Permissions under which a cache can be read only by those who may read its text, and written by its owner alone.
int mode_of(const std::string& path) {
  const auto status = file_status(path);
  return status ? status->mode & 0755 : 0600;
}

/// Whether only this user or the text's owner can have made or changed a cache.
bool is_trusted(const FileStatus& cache, const std::string& text) {
  const auto owner = file_status(text);
  const bool ours = cache.user == process_user() || (owner && cache.user == owner->user);
  return ours && !cache.others_may_write;
}

/// The page file next to a text, if it serves and no page of it is damaged.
std::optional<PagePart> found_cache(const std::string& beside, const Piece& piece, const ReadOptions& options) {
  constexpr int kFewThreads = 2;  // if memory is short, since each thread holds a page
  if (!file_status(beside)) return std::nullopt;
  try {
    const std::shared_ptr<PageFile> pages = PageFile::open(beside);
    if (!is_trusted(pages->status(), piece.path)) return std::nullopt;
    PagePart part = part_of(pages, beside);
    // Values that pages can't hold must be refused with their line, so they are read from the text.
    const bool exact = !options.exact_values || part.origin.tiny.row < 0;
    if (!exact || !serves(part.origin, beside, piece, options)) return std::nullopt;
    part.file->set_labels(known_labels(part.origin.labels));
    part.file->check_pages(options.memory == 0 ? options.threads : kFewThreads);
    return part;
  } catch (const Error&) {
    return std::nullopt;  // it is only a cache, so it is rebuilt if anything is wrong with it
  }
}

/// Never replaces anything but a file. Throws a system Error for anything else. Removes a stranger's file, because its
/// replacement would keep that owner.
void make_room_for_cache(const std::string& path, const std::string& text) {
  const auto status = file_status(path);
  if (!status) return;
  if (status->regular()) {
    std::error_code ignored;
    if (!is_trusted(*status, text)) std::filesystem::remove(path, ignored);
    return;
  }
  throw system_error(fmt::format("{}: pages can't be written there: it isn't a regular file", path));
}

/// Reads a piece by way of the page file next to its text, which is made if none serves.
PagePart cached_part(const Piece& piece, const ReadOptions& options, const std::string& share,
                     const Observer& observe) {
  const std::string beside = cache_path(piece.path, options, piece.range.whole() ? "" : share);
  if (auto found = found_cache(beside, piece, options)) return *std::move(found);
  make_room_for_cache(beside, piece.path);
  const FileOptions as_its_text{.most_mode = mode_of(piece.path)};
  StreamedFile file = write_pages({piece}, options, StreamedFile::beside(beside, as_its_text), beside, observe, true);
  auto made = std::make_shared<PageFile>(OpenFile::again(file, beside));
  try {
    if (made->header().shape.rows > 0) file.commit();
  } catch (const Error&) {  // Windows keeps a file that is open, so another worker may have made this cache meanwhile
    if (auto found = found_cache(beside, piece, options)) return *std::move(found);
    throw;
  }
  return part_of(std::move(made), beside);
}

std::vector<PagePart> parts_of_text(const std::vector<Piece>& pieces, const ReadOptions& options,
                                    const std::string& name, const Comm& comm, const Observer& observe) {
  const auto once = [](const Piece& piece) { return piece.range.empty() || !can_be_opened_again(piece.path); };
  std::vector<PagePart> parts;
  if (!options.cache || std::ranges::any_of(pieces, once)) {
    parts.push_back(nameless_part(pieces, options, name, observe));
    return parts;
  }
  std::int64_t before = 0;
  const Observer add_up = [&](const Progress& progress) {
    Progress all = progress;
    all.rows += before;
    observe(all);
  };
  const std::string share = fmt::format("{}-of-{}", comm.rank() + 1, comm.size());
  std::set<std::string> partly;
  for (const Piece& piece : pieces) {
    const Observer seen = observe ? add_up : Observer{};
    // If a file is named twice, two parts of it would replace each other's cache.
    const bool own_cache = piece.range.whole() || partly.insert(piece.path).second;
    parts.push_back(own_cache ? cached_part(piece, options, share, seen)
                              : nameless_part({piece}, options, piece.path, seen));
    before += parts.back().file->header().shape.rows;
  }
  return parts;
}

PagePart opened_part(const std::string& path, const ReadOptions& options) {
  PagePart part = part_of(PageFile::open(path), path);
  ReadOptions want = options;
  if (part.origin.reading.drop_missing_labels) want.drop_missing_labels = false;  // as it was read
  if (const std::string_view option = settled_option(want); !option.empty()) {
    throw option_error(std::string(option),
                       fmt::format("{{}} says how to read text, but {} is a page file: leave it out", path));
  }
  if (options.labelled && !options.labels.empty() && options.labels != part.origin.label_names) {
    throw usage_error(fmt::format("the label columns of {} were chosen when it was written", path));
  }
  // Pages from svmlight are already encoded.
  const bool other = options.table && !options.table->empty() && !same_table(options.table, part.origin.reading.table);
  if (other && (part.origin.reading.table || facts_of(part.origin.format).has_columns)) {
    throw Error(Place{path, 0, 0}, part.origin.reading.table
                                       ? "its rows were encoded differently from those that the model was trained on"
                                       : "its rows are numbers, not the columns that the model encodes");
  }
  return part;
}

}  // namespace

bool is_page_file_at(const std::string& path) {
  if (is_standard_input(path)) return false;
  const auto status = file_status(path);
  if (!status || !status->regular() || reading_error(path) != 0) return false;
  char bytes[kPageMagic.size()];
  const std::size_t got = OpenFile::at(path).read_at(0, bytes);
  return is_page_file({bytes, got}) || path.ends_with(kEnding);
}

std::unique_ptr<Source> open_pages(std::span<const std::string> paths, const ReadOptions& options, Comm& comm) {
  std::unique_ptr<Source> source;
  rethrow_on_all(comm, [&] {
    std::vector<PagePart> parts;
    for (const std::string& path : paths) parts.push_back(opened_part(path, options));
    const std::string name = files_name(paths);
    // Every worker sees all parts, so none needs to ask another.
    PageSet set = resolve_parts(std::move(parts), options, name, *solo());
    source = source_of(std::move(set), options, name, {comm.rank(), comm.size()});
  });
  return source;
}

std::string cache_path(const std::string& text, const ReadOptions& options, const std::string& share) {
  return text + (share.empty() ? "" : "." + share) + (options.double_values ? ".double" : "") + std::string(kEnding);
}

bool are_page_files(std::span<const std::string> paths) {
  const auto pages = std::ranges::count_if(paths, is_page_file_at);
  if (pages > 0 && pages < std::ssize(paths)) {
    throw usage_error("page files and text files can't be mixed: convert the text files with `linsep convert`");
  }
  return pages > 0;
}

bool want_pages(const std::vector<Piece>& pieces, const ReadOptions& options, Comm& comm) {
  if (options.cache && !is_standard_input(pieces.front().path)) return true;
  if (options.memory == 0) return false;
  std::int64_t wanted = 0;
  rethrow_on_all(comm, [&] { wanted = might_not_fit(pieces, options.memory) ? 1 : 0; });
  comm.all_reduce(std::span(&wanted, 1), Comm::Op::kMax);
  return wanted > 0;
}

std::unique_ptr<Source> load_by_pages(const std::vector<Piece>& pieces, const ReadOptions& options,
                                      const std::string& name, Comm& comm, const Observer& observe) {
  std::vector<PagePart> parts;
  rethrow_on_all(comm, [&] { parts = parts_of_text(pieces, options, name, comm, observe); });
  return source_of(resolve_parts(std::move(parts), options, name, comm), options, name, {});
}

StreamedFile write_pages(PageStream& stream, const ReadOptions& options, StreamedFile file, const TextsOfPages& texts,
                         const Observer& observe, bool cache) {
  const FileLayout& layout = stream.layout();
  // Reports options that make no sense before hours of reading, not after them.
  const LabelColumns sense(options, layout.label_names, LabelScope::kAll);
  PagesMade made(std::move(file), options, layout.table);
  std::vector<std::int64_t> first_row;  // of each file that has rows, else −1
  while (auto read = stream.next()) {
    first_row.resize(std::max(first_row.size(), stream.piece() + 1), -1);
    if (first_row[stream.piece()] < 0) {
      made.end_text();
      first_row[stream.piece()] = read->parsed.page.batch.first_row;
    }
    made.take(read->parsed, observe);
  }
  made.origin.cache = cache;
  made.origin.texts = texts ? texts(std::move(first_row), made.rows()) : std::vector<PageText>(1);
  made.origin.format = layout.kind;
  made.origin.feature_names = layout.feature_names;
  made.origin.label_names = layout.label_names;
  made.origin.read = layout.reading;
  made.origin.dropped = stream.dropped();
  return made.finish(layout.named_features());
}

StreamedFile write_pages(const std::vector<Piece>& pieces, const ReadOptions& options, StreamedFile file,
                         const std::string& pages, const Observer& observe, bool cache) {
  Stations stations;
  stations.largest_block = kSmallBlock;
  PieceReader reader(pieces, options, stations);
  const auto texts = [&](std::vector<std::int64_t> first_row, std::int64_t rows) {
    first_row.resize(pieces.size(), -1);
    return texts_of(reader, std::move(first_row), rows, pages, cache);
  };
  return write_pages(reader, options, std::move(file), texts, observe, cache);
}

}  // namespace linsep
