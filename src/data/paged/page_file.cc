#include "data/paged/page_file.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/parallel.h"
#include "core/words.h"
#include "linsep/error.h"
#include "os/file.h"

namespace linsep {

std::uint64_t page_checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

namespace {

// What must hold of a page file before anything of it is used. Checksums detect damage, but whoever forges a file makes
// them right as well. So the content is checked too. No file whatever can lead a reader or a learner out of its arrays,
// or to numbers that no text can hold.

constexpr std::uint64_t kEntryBytes = 10 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t);

/// Whether all numbers are finite. Adding one to an exponent of ones, and to no other, carries into the sign's place.
template <class Bits, class V>
bool all_finite(std::span<const V> values) {
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<V>::infinity());
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Bits kOne = kSign - kExponent;
  Bits carried = 0;
  for (const V& value : values) carried |= (std::bit_cast<Bits>(value) & kExponent) + kOne;
  return (carried & kSign) == 0;
}

bool finite(std::span<const double> values) { return all_finite<std::uint64_t>(values); }

bool finite(std::span<const float> values) { return all_finite<std::uint32_t>(values); }

/// Whether the columns of each row ascend strictly. One loop counts the places where they don't over the whole page,
/// and there must be no more of them than boundaries between rows. REQUIRES: rows begin in order.
bool ascend(std::span<const std::uint64_t> start, std::span<const std::uint32_t> column) {
  std::uint64_t all = 0, between = 0;
  for (std::size_t k = 1; k < column.size(); ++k) all += column[k] <= column[k - 1] ? 1 : 0;
  for (std::size_t i = 1; i + 1 < start.size(); ++i) {
    const std::uint64_t at = start[i];
    if (at == start[i - 1] || at == column.size()) continue;  // an empty row's place counts once
    between += column[at] <= column[at - 1] ? 1 : 0;
  }
  return all == between;
}

std::uint32_t greatest(std::span<const std::uint32_t> column) {
  std::uint32_t most = 0;
  for (const std::uint32_t one : column) most = std::max(most, one);
  return most;
}

bool is_product(std::uint64_t product, std::uint64_t a, std::uint64_t b) {
  return b == 0 ? product == 0 : product % b == 0 && product / b == a;
}

bool fits(const PageEntry& entry, const PageHeader& header) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48;  // sizes of arrays stay below 2⁶⁴
  const PageLayout& layout = header.layout;
  if (entry.rows == 0 || entry.rows >= kMost || entry.values >= kMost || entry.bytes == 0) return false;
  if (entry.bytes != PageArrays(layout, entry.rows, entry.values).bytes) return false;
  if (entry.features > header.shape.features || entry.words > 1) return false;
  return !layout.dense || (entry.features == layout.stride && is_product(entry.values, entry.rows, layout.stride));
}

/// Whether pages and header fit together. Pages lie one behind another from the first block up to `end`, their rows
/// follow one another, and each has the length that its rows and values require. No sum or product may exceed 64 bits.
bool fits_together(const PageIndex& index, std::uint64_t end) {
  const Shape& shape = index.header.shape;
  const PageLayout& layout = index.header.layout;
  if (layout.dense ? layout.stride > shape.features : layout.stride != 0) return false;
  std::uint64_t place = kPageUnit, row = 0, values = 0;
  for (const PageEntry& entry : index.entries) {
    if (!fits(entry, index.header) || entry.place != place || entry.first_row != row) return false;
    if (place > end || entry.bytes > end - place) return false;
    place += entry.bytes;
    row += entry.rows;
    values += entry.values;
  }
  return place == end && static_cast<std::uint64_t>(shape.rows) == row &&
         static_cast<std::uint64_t>(shape.nonzeros) == values;
}

/// What is wrong with the arrays of a page, to follow "page 17", or "" if nothing is. Rows must begin in order, and the
/// columns of a row must ascend strictly and lie below the page's features. Values, labels and weights must be finite,
/// and weights must not be negative. REQUIRES: the arrays have the sizes in `entry`.
std::string page_fault(const PageEntry& entry, const Batch& batch) {
  if (!batch.dense) {
    const auto& start = batch.start;
    if (start.front() != 0 || start.back() != entry.values || !std::ranges::is_sorted(start)) {
      return "its row offsets don't ascend";
    }
    if (!batch.column.empty() && greatest(batch.column) >= entry.features) return "a column lies beyond its features";
    if (!ascend(start, batch.column)) return "the columns of a row don't ascend";
  }
  if (!(batch.is_float ? finite(batch.value32) : finite(batch.value64))) return "a value isn't finite";
  if (!finite(batch.label)) return "a label isn't finite";
  if (!finite(batch.weight)) return "a weight isn't finite";
  if (std::ranges::any_of(batch.weight, [](double weight) { return weight < 0; })) return "a weight is below 0";
  return "";
}

/// Reads exactly `bytes.size()` bytes. False if the file ends earlier.
bool read_at(const OpenFile& file, std::uint64_t place, std::string& bytes) {
  return file.read_at(place, bytes) == bytes.size();
}

/// A mapped part of a file, and labels that stand in for those in it.
struct Mapping {
  MappedBytes bytes;
  std::vector<double> label = {};
};

}  // namespace

PageIndex parse_index(std::string_view bytes) {
  ByteReader reader(bytes);
  PageIndex index;
  Shape& shape = index.header.shape;
  shape.rows = reader.count();
  shape.features = reader.number<std::uint32_t>();
  shape.nonzeros = reader.count();
  PageLayout& layout = index.header.layout;
  for (bool* flag : {&layout.dense, &layout.is_float, &layout.labelled, &layout.weighted, &layout.numbered}) {
    *flag = reader.flag();
  }
  layout.stride = reader.number<std::uint32_t>();
  index.header.origin = reader.text();
  const auto pages = reader.number<std::uint64_t>();
  require_state(pages <= bytes.size() / kEntryBytes, "it has more pages than bytes for them");
  index.entries.resize(pages);
  for (PageEntry& entry : index.entries) {
    for (std::uint64_t* x : {&entry.place, &entry.bytes, &entry.first_row, &entry.rows, &entry.values,
                             &entry.first_byte, &entry.text_bytes, &entry.first_line, &entry.lines, &entry.checksum}) {
      *x = reader.number<std::uint64_t>();
    }
    entry.features = reader.number<std::uint32_t>();
    entry.words = reader.number<std::uint32_t>();
  }
  reader.end();
  return index;
}

PageArrays::PageArrays(const PageLayout& layout, std::uint64_t rows, std::uint64_t values) {
  const auto put = [&](std::uint64_t& place, bool there, std::uint64_t size) {
    place = bytes;
    if (there) bytes = (bytes + size + 63) / 64 * 64;
  };
  put(start, !layout.dense, (rows + 1) * sizeof(std::uint64_t));
  put(column, !layout.dense, values * sizeof(std::uint32_t));
  put(value, true, values * (layout.is_float ? sizeof(float) : sizeof(double)));
  put(label, layout.labelled, rows * sizeof(double));
  put(weight, layout.weighted, rows * sizeof(double));
  put(number, layout.numbered, rows * sizeof(std::int64_t));
  bytes = (bytes + kPageUnit - 1) / kPageUnit * kPageUnit;
}

bool is_page_file(std::string_view first_bytes) { return first_bytes.starts_with(kPageMagic); }

std::shared_ptr<PageFile> PageFile::open(const std::string& path) {
  return std::make_shared<PageFile>(OpenFile::at(path));
}

PageFile::PageFile(OpenFile file) : file_(std::move(file)), name_(file_->name()) {
  read_header();
  checked_ = std::vector<std::atomic<bool>>(entries_.size());
  labels_known_ = std::vector<std::atomic<bool>>(entries_.size());
}

std::shared_ptr<PageFile> PageFile::join(std::vector<std::shared_ptr<const PageFile>> parts, std::string name,
                                         std::int64_t first_row) {
  const std::shared_ptr<PageFile> joined(new PageFile);
  joined->name_ = std::move(name);
  joined->header_.layout = parts.front()->header().layout;
  joined->header_.shape = {0, 0, 0};
  for (const auto& part : parts) {
    if (joined->entries_.empty()) joined->header_.layout = part->header().layout;
    joined->first_page_.push_back(joined->entries_.size());
    Shape& shape = joined->header_.shape;
    for (PageEntry entry : part->entries()) {
      entry.first_row += static_cast<std::uint64_t>(first_row + shape.rows);
      joined->entries_.push_back(entry);
    }
    shape.rows += part->header().shape.rows;
    shape.nonzeros += part->header().shape.nonzeros;
    shape.features = std::max(shape.features, part->header().shape.features);
    joined->largest_ = std::max(joined->largest_, part->largest_);
    joined->bytes_ += part->bytes_;
  }
  joined->parts_ = std::move(parts);
  return joined;
}

PageFile::PlaceInParts PageFile::in_parts(std::size_t index) const {
  const auto after = std::ranges::upper_bound(first_page_, index);
  const auto part = static_cast<std::size_t>(after - first_page_.begin()) - 1;
  return {*parts_[part], index - first_page_[part]};
}

void PageFile::read_header() {
  const auto fail = [&](const std::string& message) { throw Error(Place{name_, 0, 0}, message); };
  const FileStatus status = file_->status();
  if (!status.regular()) fail("isn't a linsep page file: it isn't a regular file");
  bytes_ = status.size;
  std::string prelude(kPageUnit, '\0');
  std::string magic(kPageMagic.size(), '\0');
  if (!read_at(*file_, 0, magic) || magic != kPageMagic) fail("isn't a linsep page file");
  if (!read_at(*file_, 0, prelude)) fail("is cut off within its first block; convert the text again");
  ByteReader reader(std::string_view(prelude).substr(kPageMagic.size()));
  if (reader.number<std::uint32_t>() != 0x01020304) fail("was written with another byte order, or is damaged");
  const auto version = reader.number<std::uint32_t>();
  if (version != kPageVersion && version != kCacheVersion) {
    fail(fmt::format("is a page file of version {}, but this program reads versions {} and {}; convert the text again",
                     version, kPageVersion, kCacheVersion));
  }
  const auto place = reader.number<std::uint64_t>(), size = reader.number<std::uint64_t>();
  const auto checksum = reader.number<std::uint64_t>();
  const std::string_view rest = prelude;
  if (page_checksum(rest.substr(0, kPageUnit - 8)) != ByteReader(rest.substr(kPageUnit - 8)).number<std::uint64_t>()) {
    fail("its first block is damaged: the checksum doesn't match; convert the text again");
  }
  if (place > bytes_ || size > bytes_ - place) {
    fail(fmt::format("is cut off: {} bytes of {}; convert the text again", with_commas(bytes_),
                     with_commas(place + size)));
  }
  if (place + size != bytes_) fail("has extra bytes at its end; convert the text again");
  std::string tail(size, '\0');
  if (!read_at(*file_, place, tail)) fail("is cut off within its index; convert the text again");
  if (page_checksum(tail) != checksum) {
    fail("its header and index are damaged: the checksum doesn't match; convert the text again");
  }
  PageIndex index;
  try {
    index = parse_index(tail);
  } catch (const Error&) {
    fail("its header and index are incomplete; convert the text again");
  }
  if (!fits_together(index, place)) fail("its index is inconsistent; convert the text again");
  header_ = std::move(index.header);
  header_.version = version;
  entries_ = std::move(index.entries);
  for (const PageEntry& entry : entries_) largest_ = std::max(largest_, entry.bytes);
}

std::string PageFile::place_of(std::size_t index) const {
  const PageEntry& entry = entries_[index];
  return fmt::format("page {} (rows {}–{})", with_commas(index + 1), with_commas(entry.first_row + 1),
                     with_commas(entry.first_row + entry.rows));
}

std::size_t PageFile::page_of(std::int64_t row) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), static_cast<std::uint64_t>(row),
                                      [](std::uint64_t r, const PageEntry& entry) { return r < entry.first_row; });
  return static_cast<std::size_t>(after - entries_.begin()) - 1;
}

void PageFile::check_page(std::size_t index, const Page& page, const void* bytes) const {
  const PageEntry& entry = entries_[index];
  if (page_checksum({static_cast<const char*>(bytes), entry.bytes}) != entry.checksum) {
    throw Error(Place{name_, 0, 0},
                fmt::format("{} is damaged: its checksum doesn't match; convert the text again", place_of(index)));
  }
  if (const std::string fault = page_fault(entry, page.batch); !fault.empty()) {
    throw Error(Place{name_, 0, 0},
                fmt::format("{} is inconsistent: {}; convert the text again", place_of(index), fault));
  }
}

void PageFile::set_labels(LabelMeaning meaning) {
  meaning_ = std::move(meaning);
  for (std::atomic<bool>& known : labels_known_) known.store(false, std::memory_order_relaxed);
}

void PageFile::check_pages(int threads) const {
  const double bytes = static_cast<double>(entries_.size()) * static_cast<double>(largest_);
  parallel_for(entries_.size(), thread_count(threads), bytes, [&](std::size_t index, std::size_t) { map(index); });
}

double PageFile::meaning_of(double stored, std::size_t index) const {
  if (entries_[index].words != 0) {
    if (stored >= 0 && stored < static_cast<double>(meaning_.word.size()) && stored == std::floor(stored)) {
      return meaning_.word[static_cast<std::size_t>(stored)];
    }
  } else if (const auto found = meaning_.number.find(stored); found != meaning_.number.end()) {
    return found->second;
  }
  throw Error(Place{name_, 0, 0},
              fmt::format("{} has a label that isn't in the header; convert the text again", place_of(index)));
}

std::vector<double> PageFile::settled_labels(std::size_t index, std::span<const double> stored) const {
  std::vector<double> label(stored.size(), 0.0);
  if (meaning_.kind == LabelMeaning::Kind::kZero) return label;
  double last = 0, meaning = 0;  // most labels equal that of the row before, or one of two
  double other = 0, other_meaning = 0;
  int known = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (known >= 1 && stored[i] == last) {
      label[i] = meaning;
      continue;
    }
    std::swap(last, other);
    std::swap(meaning, other_meaning);
    if (known < 2 || stored[i] != last) {
      last = stored[i];
      known = std::min(known + 1, 2);
      meaning = meaning_of(last, index);
    }
    label[i] = meaning;
  }
  return label;
}

void PageFile::settle_labels(std::size_t index, Batch& batch, std::vector<double>& settled) const {
  using Kind = LabelMeaning::Kind;
  if (batch.label.empty() || meaning_.kind == Kind::kAsStored) return;
  if (meaning_.kind == Kind::kKnown) {
    if (labels_known_[index].load(std::memory_order_acquire)) return;
    settled_labels(index, batch.label);
    labels_known_[index].store(true, std::memory_order_release);
    return;
  }
  settled = settled_labels(index, batch.label);
  batch.label = settled;
}

void PageFile::will_need(std::size_t index) const {
  if (!parts_.empty()) {
    const PlaceInParts place = in_parts(index);
    return place.part.will_need(place.index);
  }
  file_->will_need(entries_[index].place, entries_[index].bytes);
}

Page PageFile::map(std::size_t index, bool whole) const {
  if (parts_.empty()) return map_own(index, whole);
  const PlaceInParts place = in_parts(index);
  Page page = place.part.map(place.index, whole);
  page.batch.first_row = static_cast<std::int64_t>(entries_[index].first_row);
  return page;
}

Page PageFile::map_own(std::size_t index, bool whole) const {
  const PageEntry& entry = entries_[index];
  // If a file has been cut off since it was opened, reading the first missing byte would end the program.
  if (file_->status().size < entry.place + entry.bytes) {
    throw system_error(fmt::format("{} has become shorter since it was opened", name_));
  }
  const std::shared_ptr<Mapping> mapping(new Mapping{file_->map(entry.place, entry.bytes, whole, place_of(index))});
  const PageLayout& layout = header_.layout;
  const PageArrays places(layout, entry.rows, entry.values);
  const char* base = mapping->bytes.data();
  const auto array = [&]<class T>(std::uint64_t place, std::uint64_t size, T) {
    return std::span<const T>(reinterpret_cast<const T*>(base + place), size);
  };
  Page page;
  Batch& batch = page.batch;
  batch.first_row = static_cast<std::int64_t>(entry.first_row);
  batch.rows = static_cast<std::int64_t>(entry.rows);
  batch.features = layout.dense ? layout.stride : entry.features;
  batch.dense = layout.dense;
  batch.is_float = layout.is_float;
  if (layout.dense) {
    batch.stride = layout.stride;
  } else {
    batch.start = array(places.start, entry.rows + 1, std::uint64_t{});
    batch.column = array(places.column, entry.values, std::uint32_t{});
  }
  if (layout.is_float) {
    batch.value32 = array(places.value, entry.values, float{});
  } else {
    batch.value64 = array(places.value, entry.values, double{});
  }
  if (layout.labelled) batch.label = array(places.label, entry.rows, double{});
  if (layout.weighted) batch.weight = array(places.weight, entry.rows, double{});
  if (layout.numbered) batch.row_number = array(places.number, entry.rows, std::int64_t{});
  page.first_byte = entry.first_byte;
  page.bytes = entry.text_bytes;
  page.first_line = entry.first_line;
  page.lines = entry.lines;
  if (!checked_[index].load(std::memory_order_acquire)) {
    check_page(index, page, base);
    checked_[index].store(true, std::memory_order_release);
  }
  settle_labels(index, batch, mapping->label);
  page.storage = mapping;
  return page;
}

PageWriter::PageWriter(StreamedFile file, const PageLayout& layout, std::uint64_t page_bytes, std::uint64_t page_rows)
    : file_(std::move(file)), layout_(layout), page_bytes_(page_bytes), page_rows_(page_rows) {
  file_.append(std::string(kPageUnit, '\0'));
  if (layout_.dense) features_ = layout_.stride;
}

std::uint64_t PageWriter::buffered_bytes() const {
  return page_.rows == 0 ? 0 : PageArrays(layout_, page_.rows, value32_.size() + value64_.size()).bytes;
}

void PageWriter::add(const Page& from, bool words) {
  const Batch& batch = from.batch;
  if (batch.rows == 0) return;
  if (page_.rows > 0 && page_.words != static_cast<std::uint32_t>(words)) end_page();
  if (page_.rows == 0) {
    page_.first_byte = from.first_byte;
    page_.first_line = from.first_line;
  }
  page_.words = words ? 1 : 0;
  page_.text_bytes = from.first_byte + from.bytes - page_.first_byte;
  page_.lines = from.first_line + from.lines - page_.first_line;
  add_rows(batch, 0, static_cast<std::size_t>(batch.rows));
  if (buffered_bytes() >= page_bytes_) end_page();
}

void PageWriter::add_row(const Batch& batch, std::size_t i) {
  add_rows(batch, i, 1);
  if (page_.rows == page_rows_) end_page();
}

void PageWriter::add_rows(const Batch& batch, std::size_t first, std::size_t count) {
  const auto append = [](auto& to, const auto& from, std::uint64_t begin, std::uint64_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto append_values = [&](std::uint64_t begin, std::uint64_t end) {
    if (layout_.is_float) {
      append(value32_, batch.value32, begin, end);
    } else {
      append(value64_, batch.value64, begin, end);
    }
  };
  if (layout_.dense) {
    for (std::size_t i = first; i < first + count; ++i) {
      append_values(i * batch.stride, i * batch.stride + batch.features);
      // A row that is shorter than the others ends in zeros.
      const std::size_t full = (page_.rows + (i - first) + 1) * layout_.stride;
      (layout_.is_float ? value32_.resize(full) : value64_.resize(full));
    }
  } else {
    const std::uint64_t begin = batch.start[first], end = batch.start[first + count];
    append(column_, batch.column, begin, end);
    append_values(begin, end);
    const std::uint64_t base = start_.back();
    for (std::size_t i = first; i < first + count; ++i) start_.push_back(base + (batch.start[i + 1] - begin));
    page_.features = std::max(page_.features, batch.features);
  }
  if (layout_.labelled) append(label_, batch.label, first, first + count);
  for (std::size_t i = first; i < first + count; ++i) {
    if (layout_.weighted) weight_.push_back(batch.weight_of(static_cast<std::int64_t>(i)));
    if (layout_.numbered) number_.push_back(batch.number_of(static_cast<std::int64_t>(i)));
  }
  page_.rows += count;
}

void PageWriter::end_page() {
  if (page_.rows == 0) return;
  page_.values = value32_.size() + value64_.size();
  const PageArrays places(layout_, page_.rows, page_.values);
  bytes_.assign(places.bytes, '\0');
  const auto put = [&](std::uint64_t place, auto& array) {
    if (!array.empty()) std::memcpy(bytes_.data() + place, array.data(), array.size() * sizeof(array[0]));
    array.clear();
  };
  if (!layout_.dense) put(places.start, start_);
  put(places.column, column_);
  put(places.value, value32_);
  put(places.value, value64_);
  put(places.label, label_);
  put(places.weight, weight_);
  put(places.number, number_);
  start_.assign(1, 0);
  page_.place = file_.size();
  page_.bytes = places.bytes;
  page_.first_row = rows_in_all_;
  page_.checksum = page_checksum(bytes_);
  if (layout_.dense) page_.features = layout_.stride;
  file_.append(bytes_);
  rows_in_all_ += page_.rows;
  values_in_all_ += page_.values;
  features_ = std::max(features_, page_.features);
  entries_.push_back(std::exchange(page_, {}));
}

StreamedFile PageWriter::finish(std::uint32_t features, const std::string& origin, std::uint32_t version) {
  end_page();
  ByteWriter tail;
  tail.number(static_cast<std::int64_t>(rows_in_all_));
  tail.number(std::max(features, features_));
  tail.number(static_cast<std::int64_t>(values_in_all_));
  for (const bool flag : {layout_.dense, layout_.is_float, layout_.labelled, layout_.weighted, layout_.numbered}) {
    tail.number(static_cast<std::uint8_t>(flag));
  }
  tail.number(layout_.stride);
  tail.text(origin);
  tail.number<std::uint64_t>(entries_.size());
  for (const PageEntry& entry : entries_) {
    for (const std::uint64_t x : {entry.place, entry.bytes, entry.first_row, entry.rows, entry.values, entry.first_byte,
                                  entry.text_bytes, entry.first_line, entry.lines, entry.checksum}) {
      tail.number(x);
    }
    tail.number(entry.features);
    tail.number(entry.words);
  }
  ByteWriter prelude;
  prelude.number<std::uint32_t>(0x01020304);
  prelude.number(version);
  prelude.number(file_.size());
  prelude.number<std::uint64_t>(tail.bytes().size());
  prelude.number(page_checksum(tail.bytes()));
  file_.append(tail.bytes());
  std::string block = std::string(kPageMagic) + prelude.bytes();
  block.resize(kPageUnit - 8, '\0');
  ByteWriter checksum;
  checksum.number(page_checksum(block));
  file_.write_at(0, block + checksum.bytes());
  return std::move(file_);
}

}  // namespace linsep
