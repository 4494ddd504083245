#include "format/pages/pages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "data/paged/paged_source.h"
#include "format/labels/columns.h"
#include "format/labels/page_labels.h"
#include "format/pages/convert.h"
#include "format/pages/reread.h"
#include "format/text/bytes.h"
#include "format/text/shown.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

constexpr std::string_view kEnding = ".lsp";
/// Rows in memory and all that a learner adds to them take at most this many times the text; a compressed one's more.
constexpr std::uint64_t kTimesText = 24, kTimesCompressed = 500;

/// Device and inode don't count: a page file may move with its text.
bool same_state(const FileStamp& a, const FileStamp& b) {
  return a.bytes == b.bytes && a.changed_seconds == b.changed_seconds && a.changed_nanoseconds == b.changed_nanoseconds;
}

/// Whether pages made of a text are still those that these options ask for.
bool serves(const PageOrigin& origin, const std::string& pages, const std::string& text, const ReadOptions& options) {
  const ByteInput now = open_bytes(text);
  // What a model asks for is there already where labels aren't wanted, or where its features are all that there are.
  ReadOptions want = options;
  if (origin.reading.labelled && origin.format == ReadOptions::Format::kSvmlight) want.labelled = true;
  if (origin.feature_names == want.feature_names) want.feature_names = origin.reading.feature_names;
  return origin.text == recorded_path(text, pages) && same_state(origin.stamp, now.stamp) &&
         same_rows(origin.reading, want);
}

/// Where the pages lie in the text that they were made of.
PagePlaces places_in_text(const PageFile& file, const PageOrigin& origin, const std::string& text) {
  const auto fail = [&](std::string_view what) {
    throw input_error(fmt::format("{}: values as written are asked for, and the text it was made from, {}, {}",
                                  file.name(), text, what));
  };
  if (::access(text.c_str(), R_OK) != 0) fail("isn't there any more");
  ReadOptions reading = origin.reading;
  reading.format = origin.format;
  reading.threads = 1;
  const PieceReader reader({Piece{text, {}}}, reading, {});
  if (!same_state(reader.inputs()[0].stamp, origin.stamp)) fail("has changed since; convert it again");
  PagePlaces places;
  for (const PageEntry& entry : file.entries()) {
    Page page;
    page.batch.first_row = static_cast<std::int64_t>(entry.first_row);
    page.batch.rows = static_cast<std::int64_t>(entry.rows);
    page.first_byte = entry.first_byte;
    page.bytes = entry.text_bytes;
    page.first_line = entry.first_line;
    places.add(page, 0);
  }
  places.complete(reader, 0);
  return places;
}

/// Rows as written, from the text that a page file was made of.
WrittenReader written_reader(const std::shared_ptr<const PageFile>& file, const PageOrigin& origin,
                             const std::string& pages) {
  const std::string name = file->name();
  if (origin.text.empty()) {
    return [name](std::span<const std::int64_t>) -> std::vector<WrittenRow> {
      throw usage_error(fmt::format(
          "{} was made from standard input: rows as they were written can't be read again; give a file", name));
    };
  }
  // The text is opened when it is needed: most work needs the pages alone.
  auto places = std::make_shared<std::optional<PagePlaces>>();
  return [places, file, name, origin, text = resolved_path(origin.text, pages)](std::span<const std::int64_t> rows) {
    if (!*places) *places = places_in_text(*file, origin, text);
    return (*places)->written(rows);
  };
}

/// Proofs are about values as written, and rows are looked at as the pages have them.
void require_exact(const PageFile& file, const PageOrigin& origin) {
  if (origin.tiny.row < 0) return;
  const bool is_float = file.header().layout.is_float;
  const std::string number = fmt::format("row {}: the value of feature {}", origin.tiny.row + 1,
                                         static_cast<std::uint64_t>(origin.tiny.column) + 1);
  if (!is_float) throw Error(Place{file.name(), 0, 0}, tiny_message(number));
  throw Error(Error::Kind::kInput, Place{file.name(), 0, 0}, {"double"},
              number +
                  " isn't 0 as written, but 0 as a 32-bit number: a proof needs pages of 64-bit values; convert "
                  "the text again with {}");
}

std::unique_ptr<Source> source_of(const std::shared_ptr<PageFile>& file, const std::string& path,
                                  const PageOrigin& origin, const ReadOptions& options, int rank = 0, int workers = 1) {
  Schema schema = resolve_pages(*file, origin, options);
  if (options.exact_values) require_exact(*file, origin);
  WrittenReader written = written_reader(file, origin, path);
  const PageRange range = share_of_pages(*file, rank, workers);
  if (options.memory == 0) return map_pages(file, std::move(schema), options.features, range, std::move(written));
  return std::make_unique<PagedSource>(file, std::move(schema), options.features, range, std::move(written));
}

/// Whether a page file is of the version that this program writes; a cache of another is made anew.
bool is_of_this_version(const std::string& path) {
  constexpr std::size_t kPlace = kPageMagic.size() + sizeof(std::uint32_t);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::uint32_t version = kPageVersion;  // what can't be read is for PageFile to refuse
  if (file >= 0 && ::pread(file, &version, sizeof version, kPlace) != sizeof version) version = kPageVersion;
  if (file >= 0) ::close(file);
  return version == kPageVersion;
}

/// Whether text should be read by way of a page file.
bool wants_pages(const std::string& path, const ReadOptions& options) {
  if (options.cache && !is_standard_input(path)) return true;
  if (options.memory == 0) return false;
  if (is_standard_input(path)) return true;
  const ByteInput input = open_bytes(path);
  if (!input.regular) return true;
  return input.stamp.bytes * (input.compressed ? kTimesCompressed : kTimesText) > options.memory;
}

/// Which option, if any, asks for something that was resolved when the text was read.
std::string_view settled_option(const ReadOptions& options) {
  if (options.format != ReadOptions::Format::kAuto) return "format";
  if (options.header) return *options.header ? "header" : "no-header";
  if (options.delimiter != 0) return "delimiter";
  if (!options.label.empty()) return "label";
  if (!options.id.empty()) return "id";
  if (!options.weight.empty()) return "weight";
  return options.ignore.empty() ? "" : "ignore";
}

}  // namespace

bool is_page_file_at(const std::string& path) {
  if (is_standard_input(path)) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat status{};
  char bytes[kPageMagic.size()];
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const ssize_t got = regular ? ::pread(file, bytes, sizeof bytes, 0) : -1;
  ::close(file);
  if (got < 0) return false;
  return is_page_file({bytes, static_cast<std::size_t>(got)}) || path.ends_with(kEnding);
}

Schema resolve_pages(PageFile& file, const PageOrigin& origin, const ReadOptions& options) {
  const std::string& name = file.name();
  Schema schema{{}, origin.feature_names};
  schema.reading = origin.read;
  LabelMeaning meaning;
  if (!options.labelled) {
    meaning.kind = LabelMeaning::Kind::kZero;
    file.set_labels(std::move(meaning));
    return schema;
  }
  if (!file.header().layout.labelled) throw Error(Place{name, 0, 0}, "was made without labels; convert the text again");
  if (options.regression && origin.labels.has_words) {
    throw Error(Place{name, 0, 0}, "expected numbers as labels, but some of its labels are words");
  }
  // Every label once, in the order in which they were met, resolved as the rows themselves would be.
  std::vector<double> own(origin.labels.labels.size());
  ParsedPage each;
  for (std::size_t k = 0; k < own.size(); ++k) {
    own[k] = static_cast<double>(k);
    each.label_words.push_back(origin.labels.labels[k].name);
  }
  each.page.label = own;
  LabelColumns labels(options, origin.label_names, LabelScope::kAll);
  if (!options.regression) {
    try {
      labels.take(each);
    } catch (const LabelError& error) {
      const std::int64_t row = origin.labels.labels[static_cast<std::size_t>(error.row)].first_row;
      throw Error(Place{name, 0, 0}, fmt::format("row {}: {}", row + 1, shown_text(error.message)));
    }
    labels.finish(std::span(&each.page, 1), file.header().shape.rows, name);
    meaning.word = own;
    bool same = !origin.labels.has_words;
    for (std::size_t k = 0; k < own.size(); ++k) {
      double number = 0;
      const std::string& text = origin.labels.labels[k].name;
      if (!label_number(text, number)) continue;
      meaning.number.emplace(number, own[k]);
      same = same && number == own[k];
    }
    if (!same) meaning.kind = LabelMeaning::Kind::kMapped;
  }
  labels.describe(schema);
  file.set_labels(std::move(meaning));
  return schema;
}

namespace {

std::unique_ptr<Source> open_share(const std::string& path, const ReadOptions& options, int rank, int workers) {
  const std::shared_ptr<PageFile> file = PageFile::open(path);
  if (file->header().layout.numbered) throw Error(Place{path, 0, 0}, "holds rows of another order, for one run only");
  const PageOrigin origin = parse_origin(file->header().origin, path);
  if (const std::string_view option = settled_option(options); !option.empty()) {
    throw option_error(std::string(option),
                       fmt::format("{{}} says how to read text, and {} was read before: leave it out", path));
  }
  if (options.labelled && !options.labels.empty() && options.labels != origin.label_names) {
    throw usage_error(fmt::format("the label columns of {} were settled when it was made", path));
  }
  return source_of(file, path, origin, options, rank, workers);
}

}  // namespace

std::unique_ptr<Source> open_pages(const std::string& path, const ReadOptions& options, Comm& comm) {
  std::unique_ptr<Source> source;
  rethrow_on_all(comm, [&] { source = open_share(path, options, comm.rank(), comm.size()); });
  return source;
}

std::string cache_path(const std::string& text, const ReadOptions& options) {
  return text + (options.double_values ? ".double" : "") + std::string(kEnding);
}

bool comes_in_pages(std::span<const std::string> paths, const ReadOptions& options, const Comm& comm) {
  if (paths.size() == 1) {
    if (is_page_file_at(paths[0])) return true;
    if (comm.size() == 1) return wants_pages(paths[0], options);
  } else if (std::ranges::any_of(paths, is_page_file_at)) {
    throw usage_error("a page file goes alone: leave out the other files");
  }
  if (options.cache || options.memory > 0) {
    throw options_error(
        {"cache", "memory"},
        "text is read by way of pages ({}, {}) from one file by one worker: `linsep convert` makes a page "
        "file, which workers share");
  }
  return false;
}

std::unique_ptr<Source> load_by_pages(const std::string& path, const ReadOptions& options, const Observer& observe) {
  if (!options.cache || is_standard_input(path)) {
    StreamedFile file = write_pages(path, options, StreamedFile::nameless(), "", observe);
    const auto made = std::make_shared<PageFile>(file.duplicate(), path);
    return source_of(made, "", parse_origin(made->header().origin, path), options);
  }
  const std::string beside = cache_path(path, options);
  if (::access(beside.c_str(), F_OK) == 0 && is_of_this_version(beside)) {
    const std::shared_ptr<PageFile> file = PageFile::open(beside);
    const PageOrigin origin = parse_origin(file->header().origin, beside);
    // What pages can't hold is refused with its line, from the text.
    const bool exact = !options.exact_values || origin.tiny.row < 0;
    if (exact && serves(origin, beside, path, options)) return source_of(file, beside, origin, options);
  }
  write_pages(path, options, StreamedFile::beside(beside), beside, observe).commit();
  const std::shared_ptr<PageFile> file = PageFile::open(beside);
  return source_of(file, beside, parse_origin(file->header().origin, beside), options);
}

}  // namespace linsep
