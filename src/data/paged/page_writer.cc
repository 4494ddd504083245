#include "data/paged/page_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/bytes.h"
#include "data/paged/page_checksum.h"

namespace linsep {

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

StreamedFile PageWriter::finish(std::uint32_t features, const std::string& origin) {
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
  prelude.number(kPageVersion);
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
