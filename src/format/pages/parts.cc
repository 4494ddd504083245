#include "format/pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "bytes/bytes.h"
#include "bytes/number.h"
#include "core/bytes.h"
#include "data/paged/paged_source.h"
#include "format/labels/columns.h"
#include "format/labels/labels.h"
#include "format/pages/reread.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"
#include "os/file.h"

namespace linsep {
namespace {

bool has_rows(const PagePart& part) { return part.file->header().shape.rows > 0; }

/// The part that is representative of all.
const PagePart& telling_part(const std::vector<PagePart>& parts) {
  const auto with_rows = std::ranges::find_if(parts, has_rows);
  if (with_rows != parts.end()) return *with_rows;
  const auto named = std::ranges::find_if(parts, [](const PagePart& p) { return !p.origin.feature_names.empty(); });
  return named != parts.end() ? *named : parts.front();
}

void require_alike(const std::vector<PagePart>& parts) {
  const PagePart& first = telling_part(parts);
  for (const PagePart& part : parts) {
    if (!has_rows(part)) continue;
    if (part.file->header().layout == first.file->header().layout &&
        part.origin.feature_names == first.origin.feature_names &&
        same_table(part.origin.reading.table, first.origin.reading.table) &&
        part.origin.label_names == first.origin.label_names)
      continue;
    throw Error(Place{part.file->name(), 0, 0}, fmt::format("its columns, their names or its type of values differ "
                                                            "from those of {}; convert the texts again in the same way",
                                                            first.file->name()));
  }
}

/// The labels of all parts, each once per part, in the order in which they were met.
class MetLabels {
 public:
  explicit MetLabels(const std::vector<PagePart>& parts) {
    std::int64_t before = 0;
    for (const PagePart& part : parts) {
      std::vector<double>& own = own_.emplace_back(part.origin.labels.labels.size());
      std::iota(own.begin(), own.end(), 0.0);
      ParsedPage& each = parsed_.emplace_back();
      for (const LabelTable::Label& label : part.origin.labels.labels) {
        each.label_words.push_back(label.name);
        first_row_.push_back(before + label.first_row);
      }
      each.page.label = own;
      pages_.push_back(each.page);
      before += part.file->header().shape.rows;
    }
  }

  /// Throws LabelError for one of this worker's rows.
  void let_take(LabelColumns& labels) {
    std::int64_t before = 0;
    for (ParsedPage& each : parsed_) {
      try {
        if (!each.page.label.empty()) labels.take(each);
      } catch (const LabelError& error) {
        throw LabelError{row_of(before + error.row), error.message};
      }
      before += static_cast<std::int64_t>(each.page.label.size());
    }
  }

  /// The row of this worker in which the label at `place`, counted over all parts, was first met.
  std::int64_t row_of(std::int64_t place) const { return first_row_[static_cast<std::size_t>(place)]; }
  std::span<Page> pages() { return pages_; }

  LabelMeaning meaning_in(std::size_t part, const LabelTable& table) const {
    LabelMeaning meaning;
    meaning.word = own_[part];
    bool same = !table.has_words;
    for (std::size_t k = 0; k < meaning.word.size(); ++k) {
      double number = 0;
      if (!label_number(table.labels[k].name, number)) continue;
      meaning.number.emplace(number, meaning.word[k]);
      same = same && number == meaning.word[k];
    }
    meaning.kind = same ? LabelMeaning::Kind::kKnown : LabelMeaning::Kind::kMapped;
    return meaning;
  }

 private:
  std::vector<std::vector<double>> own_;  ///< what each label of each part becomes
  std::vector<ParsedPage> parsed_;
  std::vector<Page> pages_;
  std::vector<std::int64_t> first_row_;
};

ShardTotals agree(const std::vector<PagePart>& parts, std::uint32_t features, Comm& comm) {
  std::int64_t rows = 0;
  for (const PagePart& part : parts) {
    rows += part.file->header().shape.rows;
    features = std::max(
        {features, part.file->header().shape.features, static_cast<std::uint32_t>(part.origin.feature_names.size())});
  }
  return count_together(rows, features, comm);
}

Error row_error(const std::string& name, std::int64_t row, const std::string& message) {
  return {Place{name, 0, 0}, fmt::format("row {}: {}", row + 1, shown_text(message))};
}

void require_labels(const std::vector<PagePart>& parts, const ReadOptions& options) {
  const MissingLabels missing(options);
  for (const PagePart& part : parts) {
    if (!has_rows(part)) continue;
    const Place place{part.file->name(), 0, 0};
    if (!part.file->header().layout.labelled) throw Error(place, "was made without labels; convert the text again");
    if (options.regression && part.origin.labels.has_words) {
      throw Error(place, "expected numbers as labels, but some of its labels are words");
    }
    if (!part.origin.label_names.empty()) continue;
    // A page file made with other classes, or by an earlier version, may have kept rows without a label.
    for (const LabelTable::Label& label : part.origin.labels.labels) {
      if (!missing.is_missing(label.name)) continue;
      throw Error(place,
                  fmt::format("row {} has no label ('{}'); convert the text again", label.first_row + 1, label.name));
    }
  }
}

/// The positions of the pages in the texts that they were made of.
PagePlaces places_in_texts(const PageFile& file, const PageOrigin& origin, const std::string& pages) {
  ReadOptions reading = origin.reading;
  reading.format = origin.format;
  reading.threads = 1;
  const auto fail = [&](const std::string& text, std::string_view what) {
    throw input_error(fmt::format("{}: this needs the values as written, but the text it was made from, {}, {}",
                                  file.name(), text, what));
  };
  std::vector<Piece> pieces;
  for (const PageText& text : origin.texts) {
    pieces.push_back({resolved_path(text.path, pages), text.range});
    const std::string& path = pieces.back().path;
    if (reading_error(path) != 0) fail(path, "no longer exists");
    if (!can_be_opened_again(path)) fail(path, "is no longer a file");
    const bool part = !text.range.whole() && !text.range.empty();
    if (part && open_bytes(path).compressed) fail(path, "has changed since; convert it again");
  }
  PieceReader reader(pieces, reading, {});
  reader.open_all();
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (!same_state(reader.inputs()[k].stamp, origin.texts[k].stamp)) {
      fail(pieces[k].path, "has changed since; convert it again");
    }
  }
  PagePlaces places;
  std::size_t piece = 0;
  for (const PageEntry& entry : file.entries()) {
    Page page;
    page.batch.first_row = static_cast<std::int64_t>(entry.first_row);
    page.batch.rows = static_cast<std::int64_t>(entry.rows);
    page.first_byte = entry.first_byte;
    page.bytes = entry.text_bytes;
    page.first_line = entry.first_line;
    while (piece + 1 < pieces.size() && origin.texts[piece + 1].first_row <= page.batch.first_row) ++piece;
    places.add(page, piece);
  }
  places.complete(reader, 0);
  return places;
}

/// A text may have different rows although its size and time are the same.
void require_columns(const std::vector<WrittenRow>& rows, const PageFile& file) {
  for (const WrittenRow& row : rows) {
    for (const WrittenValue& value : row.values) {
      if (value.column < file.header().shape.features) continue;
      throw Error(
          Place{file.name(), 0, 0},
          fmt::format("row {} has feature {} in the text it was made from, beyond its {}; convert the text again",
                      row.row + 1, std::uint64_t{value.column} + 1, file.header().shape.features));
    }
  }
}

/// Reads rows as written, from the texts that a page file was made of.
WrittenReader written_reader(const PagePart& part) {
  const std::shared_ptr<const PageFile> file = part.file;
  if (std::ranges::any_of(part.origin.texts, [](const PageText& text) { return text.path.empty(); })) {
    return [name = file->name()](std::span<const std::int64_t>) -> std::vector<WrittenRow> {
      throw usage_error(fmt::format(
          "{} was made from standard input, so its rows can't be read again as written; give a file", name));
    };
  }
  // The texts are opened only if needed, because most work needs the pages alone.
  auto places = std::make_shared<std::optional<PagePlaces>>();
  return [places, file, origin = part.origin, pages = part.path](std::span<const std::int64_t> rows) {
    if (!*places) *places = places_in_texts(*file, origin, pages);
    std::vector<WrittenRow> written = (*places)->written(rows);
    require_columns(written, *file);
    return written;
  };
}

/// The same for several parts, whose rows follow one another from `first_row` on.
WrittenReader written_reader(const std::vector<PagePart>& parts, std::int64_t first_row) {
  struct Range {
    std::int64_t first, end;
    WrittenReader read;
  };
  std::vector<Range> ranges;
  for (const PagePart& part : parts) {
    ranges.push_back({first_row, first_row + part.file->header().shape.rows, written_reader(part)});
    first_row = ranges.back().end;
  }
  return [ranges = std::move(ranges)](std::span<const std::int64_t> rows) {
    std::vector<WrittenRow> answer;
    for (const Range& range : ranges) {
      const auto end = std::ranges::lower_bound(rows, range.end);
      std::vector<std::int64_t> own(rows.begin(), end);
      rows = rows.subspan(own.size());
      if (own.empty()) continue;
      for (std::int64_t& row : own) row -= range.first;
      for (WrittenRow& row : range.read(own)) {
        row.row += range.first;
        answer.push_back(std::move(row));
      }
    }
    return answer;
  };
}

/// Finds where a row begins. That is in the text its part was made of, if it exists unchanged. Else it is in the page
/// file, which has no lines. Rows of the parts follow one another from `first_row` on.
PlaceReader place_reader(const std::vector<PagePart>& parts, std::int64_t first_row) {
  struct Origin {
    std::shared_ptr<const PageFile> file;
    PageOrigin origin;
    std::string path;
  };
  std::vector<Origin> origins;
  for (const PagePart& part : parts) origins.push_back({part.file, part.origin, part.path});
  return [origins = std::move(origins), first_row](std::int64_t row) -> Place {
    std::int64_t begin = first_row;
    for (const Origin& part : origins) {
      const std::int64_t end = begin + part.file->header().shape.rows;
      if (row < end) {
        try {
          return places_in_texts(*part.file, part.origin, part.path).place_of(row - begin);
        } catch (const Error&) {
          return {part.file->name(), 0, 0};
        }
      }
      begin = end;
    }
    return {};
  };
}

/// Proofs are about values as written, but rows are checked as the pages have them.
void require_exact(const PageSet& set) {
  std::int64_t before = set.rows_before;
  for (const PagePart& part : set.parts) {
    const TinyValues& tiny = part.origin.tiny;
    const std::int64_t row = before + tiny.row;
    before += part.file->header().shape.rows;
    if (tiny.row < 0) continue;
    const std::string& name = part.file->name();
    const std::string number =
        fmt::format("row {}: the value of feature {}", row + 1, static_cast<std::uint64_t>(tiny.column) + 1);
    if (!part.file->header().layout.is_float) throw Error(Place{name, 0, 0}, tiny_message(number));
    throw Error(Error::Kind::kInput, Place{name, 0, 0}, {"double"},
                number +
                    " isn't 0 as written, but rounds to 0 as a 32-bit number: a proof needs pages of 64-bit values; "
                    "convert the text again with {}");
  }
}

/// With label columns, a label is an index of their combinations. A file with any other label was forged.
void require_combinations(const LabelMeaning& meaning, const Schema& schema, const PageFile& file) {
  const auto known = [&](double label) {
    return label >= 0 && label < static_cast<double>(schema.combinations.size());
  };
  bool good = std::ranges::all_of(meaning.word, known);
  for (const auto& [written, label] : meaning.number) good = good && known(label);
  if (!good) throw Error(Place{file.name(), 0, 0}, "its labels are inconsistent; convert the text again");
}

}  // namespace

PagePart part_of(std::shared_ptr<PageFile> file, const std::string& path) {
  const Place place{file->name(), 0, 0};
  if (file->header().layout.numbered) throw Error(place, "holds shuffled rows for a single run");
  PageOrigin origin = parse_origin(file->header().origin, file->name(), file->header().version);
  if (!fits_pages(origin, *file)) throw Error(place, "its header doesn't match its pages; convert the text again");
  return {std::move(file), std::move(origin), path};
}

PageSet resolve_parts(std::vector<PagePart> parts, const ReadOptions& options, const std::string& name, Comm& comm) {
  rethrow_on_all(comm, [&] {
    require_alike(parts);
    if (options.labelled) require_labels(parts, options);
  });
  const ShardTotals all = agree(parts, options.features, comm);
  const PageOrigin& origin = telling_part(parts).origin;
  PageSet set{{}, {{}, origin.feature_names}, all.features, all.rows_before};
  set.schema.reading = origin.read;
  set.schema.table = origin.reading.table;
  std::int64_t before = all.rows_before;
  for (const PagePart& part : parts) {
    set.schema.dropped += part.origin.dropped;
    set.schema.tiny.join(part.origin.tiny, before);
    before += part.file->header().shape.rows;
  }
  if (all.rows == 0 && options.labelled) throw no_rows_error(name, options);
  MetLabels met(parts);
  LabelColumns labels(options, origin.label_names, comm.size() == 1 ? LabelScope::kAll : LabelScope::kShard);
  if (options.labelled && !options.regression) {
    rethrow_on_all(comm, [&] {
      try {
        met.let_take(labels);
      } catch (const LabelError& error) {
        throw row_error(name, all.rows_before + error.row, error.message);
      }
    });
    adopt_labels(labels, met.pages(), comm, [&](std::int64_t place, const std::string& message) {
      return row_error(name, all.rows_before + met.row_of(place), message);
    });
    labels.finish(met.pages(), all.rows, name);
  }
  if (options.labelled) labels.describe(set.schema);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    LabelMeaning meaning;
    if (!options.labelled) meaning.kind = LabelMeaning::Kind::kZero;
    if (options.labelled && !options.regression) meaning = met.meaning_in(k, parts[k].origin.labels);
    if (!set.schema.labels.empty()) require_combinations(meaning, set.schema, *parts[k].file);
    parts[k].file->set_labels(std::move(meaning));
  }
  set.parts = std::move(parts);
  if (options.exact_values) rethrow_on_all(comm, [&] { require_exact(set); });
  return set;
}

std::unique_ptr<Source> source_of(PageSet set, const ReadOptions& options, const std::string& name, PageShare share) {
  if (share.rank != 0) {  // the first of several workers counts them
    set.schema.dropped = 0;
    set.schema.tiny = {};
  }
  const bool alone = set.parts.size() == 1 && set.rows_before == 0;
  WrittenReader written = alone ? written_reader(set.parts.front()) : written_reader(set.parts, set.rows_before);
  PlaceReader place = place_reader(set.parts, set.rows_before);
  std::shared_ptr<const PageFile> file = set.parts.front().file;
  if (!alone) {
    std::vector<std::shared_ptr<const PageFile>> files;
    for (const PagePart& part : set.parts) files.push_back(part.file);
    file = PageFile::join(std::move(files), name, set.rows_before);
  }
  const PageRange range = share_of_pages(*file, share.rank, share.workers);
  if (options.memory == 0) {
    return map_pages(file, std::move(set.schema), set.features, range, std::move(written), std::move(place));
  }
  return std::make_unique<PagedSource>(file, std::move(set.schema), set.features, range, std::move(written),
                                       std::move(place));
}

}  // namespace linsep
