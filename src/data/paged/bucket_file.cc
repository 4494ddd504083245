// A row on disk: number, label, weight and how many values, eight bytes each; then columns and values, each filled up
// to a multiple of eight bytes.
#include "data/paged/bucket_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "linsep/error.h"

namespace linsep {
namespace {

struct RowHead {
  std::int64_t number = 0;
  double label = 0, weight = 1;
  std::uint64_t values = 0;
};
static_assert(sizeof(RowHead) == 32);

std::size_t filled_up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

BucketFile::BucketFile(std::size_t buckets, const PageLayout& layout, std::size_t buffer_bytes)
    : layout_(layout),
      buffer_bytes_(buffer_bytes),
      file_(StreamedFile::nameless()),
      number_(file_.duplicate()),
      buckets_(buckets) {}

BucketFile::~BucketFile() { ::close(number_); }

void BucketFile::write(std::size_t bucket) {
  Bucket& b = buckets_[bucket];
  if (b.kept.empty()) return;
  b.pieces.emplace_back(file_.size(), b.kept.size());
  file_.append(b.kept);
  b.kept.clear();
}

void BucketFile::add(std::size_t bucket, const Batch& batch, std::size_t i) {
  Bucket& b = buckets_[bucket];
  if (b.kept.capacity() == 0) b.kept.reserve(buffer_bytes_);
  const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
  const std::uint64_t end = batch.dense ? begin + batch.features : batch.start[i + 1];
  RowHead head;
  head.number = batch.number_of(static_cast<std::int64_t>(i));
  if (layout_.labelled) head.label = batch.label[i];
  head.weight = batch.weight_of(static_cast<std::int64_t>(i));
  head.values = end - begin;
  const std::size_t column_bytes = layout_.dense ? 0 : head.values * sizeof(std::uint32_t);
  const std::size_t value_bytes = head.values * (layout_.is_float ? sizeof(float) : sizeof(double));
  const std::size_t bytes = sizeof head + filled_up(column_bytes) + filled_up(value_bytes);
  if (b.kept.size() + bytes > buffer_bytes_) write(bucket);
  const auto put = [&](const void* from, std::size_t size) {
    if (size == 0) return;
    b.kept.append(static_cast<const char*>(from), size);
    b.kept.append(filled_up(size) - size, '\0');
  };
  put(&head, sizeof head);
  if (!layout_.dense) put(batch.column.data() + begin, column_bytes);
  put(layout_.is_float ? static_cast<const void*>(batch.value32.data() + begin) : batch.value64.data() + begin,
      value_bytes);
}

void BucketFile::flush() {
  for (std::size_t k = 0; k < buckets_.size(); ++k) {
    write(k);
    buckets_[k].kept = {};
  }
}

void BucketFile::take(std::size_t bucket, Taken& taken) const {
  std::size_t bytes = 0;
  for (const auto& [place, size] : buckets_[bucket].pieces) bytes += size;
  taken.memory.resize(bytes / 8);
  taken.rows.clear();
  char* to = reinterpret_cast<char*>(taken.memory.data());
  for (const auto& [place, size] : buckets_[bucket].pieces) {
    for (std::size_t got = 0; got < size;) {
      const ssize_t more = ::pread(number_, to + got, size - got, static_cast<off_t>(place + got));
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) {
        throw system_error(fmt::format("a temporary file can't be read: {}",
                                       more == 0 ? "it is too short" : std::generic_category().message(errno)));
      }
      got += static_cast<std::size_t>(more);
    }
    to += size;
  }
  for (std::size_t at = 0; at < bytes;) {
    RowHead head;
    std::memcpy(&head, reinterpret_cast<const char*>(taken.memory.data()) + at, sizeof head);
    taken.rows.push_back({head.number, at});
    at += sizeof head + (layout_.dense ? 0 : filled_up(head.values * sizeof(std::uint32_t))) +
          filled_up(head.values * (layout_.is_float ? sizeof(float) : sizeof(double)));
  }
}

Batch BucketFile::row(const Taken& taken, const TakenRow& row, std::uint64_t* start) const {
  const char* base = reinterpret_cast<const char*>(taken.memory.data()) + row.place;
  const auto* head = reinterpret_cast<const RowHead*>(base);
  const char* values = base + sizeof(RowHead);
  Batch batch;
  batch.first_row = row.number;
  batch.rows = 1;
  batch.dense = layout_.dense;
  batch.is_float = layout_.is_float;
  if (layout_.dense) {
    batch.features = static_cast<std::uint32_t>(head->values);
    batch.stride = head->values;
  } else {
    start[0] = 0;
    start[1] = head->values;
    batch.start = {start, 2};
    batch.column = {reinterpret_cast<const std::uint32_t*>(values), head->values};
    if (head->values > 0) batch.features = batch.column.back() + 1;
    values += filled_up(head->values * sizeof(std::uint32_t));
  }
  if (layout_.is_float) {
    batch.value32 = {reinterpret_cast<const float*>(values), head->values};
  } else {
    batch.value64 = {reinterpret_cast<const double*>(values), head->values};
  }
  if (layout_.labelled) batch.label = {&head->label, 1};
  if (layout_.weighted) batch.weight = {&head->weight, 1};
  return batch;
}

}  // namespace linsep
