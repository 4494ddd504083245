#include "data/paged/page_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/bytes.h"
#include "core/parallel.h"
#include "core/with_commas.h"
#include "data/paged/page_check.h"
#include "data/paged/page_checksum.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::string reason(int number) { return std::generic_category().message(number); }

/// Reads exactly `bytes.size()` bytes. False: the file ends before.
bool read_at(int file, std::uint64_t place, std::string& bytes, const std::string& name) {
  for (std::size_t got = 0; got < bytes.size();) {
    const ssize_t more = ::pread(file, bytes.data() + got, bytes.size() - got, static_cast<off_t>(place + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw system_error(fmt::format("{}: can't be read: {}", name, reason(errno)));
    if (more == 0) return false;
    got += static_cast<std::size_t>(more);
  }
  return true;
}

/// A mapped part of a file, and labels that stand in for those in it.
struct Mapping {
  Mapping(void* from, std::size_t bytes) : data(from), size(bytes) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(data, size); }

  void* data;
  std::size_t size;
  std::vector<double> label;
};

}  // namespace

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
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) throw system_error(fmt::format("{}: can't be opened: {}", path, reason(errno)));
  return std::make_shared<PageFile>(file, path);
}

PageFile::PageFile(int number, std::string name) : number_(number), name_(std::move(name)) {
  try {
    read_header();
  } catch (...) {
    ::close(number_);
    throw;
  }
  checked_ = std::vector<std::atomic<bool>>(entries_.size());
  labels_known_ = std::vector<std::atomic<bool>>(entries_.size());
}

PageFile::~PageFile() {
  if (number_ >= 0) ::close(number_);
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
  struct stat status{};
  if (::fstat(number_, &status) != 0) throw system_error(fmt::format("{}: can't be read: {}", name_, reason(errno)));
  if (!S_ISREG(status.st_mode)) fail("is no page file of linsep: it isn't a regular file");
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  std::string prelude(kPageUnit, '\0');
  std::string magic(kPageMagic.size(), '\0');
  if (!read_at(number_, 0, magic, name_) || magic != kPageMagic) fail("is no page file of linsep");
  if (!read_at(number_, 0, prelude, name_)) fail("is cut off within its first block; convert the text again");
  ByteReader reader(std::string_view(prelude).substr(kPageMagic.size()));
  if (reader.number<std::uint32_t>() != 0x01020304) fail("was written with another order of bytes, or is damaged");
  const auto version = reader.number<std::uint32_t>();
  if (version != kPageVersion) {
    fail(fmt::format("is a page file of version {}, and this program reads version {}; convert the text again", version,
                     kPageVersion));
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
  if (place + size != bytes_) fail("has bytes behind its end; convert the text again");
  std::string tail(size, '\0');
  if (!read_at(number_, place, tail, name_)) fail("is cut off within its index; convert the text again");
  if (page_checksum(tail) != checksum) {
    fail("its header and index are damaged: the checksum doesn't match; convert the text again");
  }
  PageIndex index;
  try {
    index = parse_index(tail);
  } catch (const Error&) {
    fail("its header and index aren't whole; convert the text again");
  }
  if (!fits_together(index, place)) fail("its index doesn't fit together; convert the text again");
  header_ = std::move(index.header);
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
                fmt::format("{} doesn't fit together: {}; convert the text again", place_of(index), fault));
  }
}

void PageFile::set_labels(LabelMeaning meaning) {
  meaning_ = std::move(meaning);
  for (std::atomic<bool>& known : labels_known_) known.store(false, std::memory_order_relaxed);
}

void PageFile::check_pages(int threads) const {
  parallel_for(entries_.size(), thread_count(threads), [&](std::size_t index, std::size_t) { map(index); });
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
              fmt::format("{} has a label that the header doesn't know; convert the text again", place_of(index)));
}

std::vector<double> PageFile::settled_labels(std::size_t index, std::span<const double> stored) const {
  std::vector<double> label(stored.size(), 0.0);
  if (meaning_.kind == LabelMeaning::Kind::kZero) return label;
  double last = 0, meaning = 0;  // most labels are that of the row before, or one of two
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
#ifdef POSIX_FADV_WILLNEED
  // Only advice: where the system doesn't take it, things work as before.
  ::posix_fadvise(number_, static_cast<off_t>(entries_[index].place), static_cast<off_t>(entries_[index].bytes),
                  POSIX_FADV_WILLNEED);
#endif
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
  // A file that was cut off since it was opened would end the program at the first byte that is missing.
  struct stat status{};
  if (::fstat(number_, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < entry.place + entry.bytes) {
    throw system_error(fmt::format("{}: has become shorter since it was opened", name_));
  }
  int flags = MAP_SHARED;
#ifdef MAP_POPULATE
  if (whole) flags |= MAP_POPULATE;
#endif
  void* data = ::mmap(nullptr, entry.bytes, PROT_READ, flags, number_, static_cast<off_t>(entry.place));
  if (data == MAP_FAILED) {
    throw system_error(fmt::format("{}: {} can't be mapped: {}", name_, place_of(index), reason(errno)));
  }
  auto mapping = std::make_shared<Mapping>(data, entry.bytes);
  const PageLayout& layout = header_.layout;
  const PageArrays places(layout, entry.rows, entry.values);
  const char* base = static_cast<const char*>(data);
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
    check_page(index, page, data);
    checked_[index].store(true, std::memory_order_release);
  }
  settle_labels(index, batch, mapping->label);
  page.storage = std::move(mapping);
  return page;
}

}  // namespace linsep
