// BucketFile: rows thrown into buckets on disk, and taken out bucket by bucket: how rows are put into another order
// when they don't fit into memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/paged/page_file.h"
#include "linsep/tools/file.h"

namespace linsep {

class BucketFile {
 public:
  /// `buffer_bytes` is what a bucket keeps in memory before it is written.
  BucketFile(std::size_t buckets, const PageLayout& layout, std::size_t buffer_bytes);
  BucketFile(const BucketFile&) = delete;
  BucketFile& operator=(const BucketFile&) = delete;
  ~BucketFile();

  /// Row i of a batch.
  void add(std::size_t bucket, const Batch& batch, std::size_t i);
  /// What has been kept back.
  void flush();

  /// A row as it lies in memory: a batch of one row whose arrays are in `Taken::memory`.
  struct TakenRow {
    std::int64_t number = 0;
    std::uint64_t place = 0;
  };
  struct Taken {
    std::vector<std::uint64_t> memory;
    std::vector<TakenRow> rows;
  };
  /// All rows of a bucket, in the order in which they were added. REQUIRES: flush was called.
  void take(std::size_t bucket, Taken& taken) const;
  /// One of them. `start` must hold two numbers and live as long as the batch.
  Batch row(const Taken& taken, const TakenRow& row, std::uint64_t* start) const;

 private:
  void write(std::size_t bucket);

  PageLayout layout_;
  std::size_t buffer_bytes_;
  StreamedFile file_;
  int number_;
  struct Bucket {
    std::string kept;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;  // offset and size in the file
  };
  std::vector<Bucket> buckets_;
};

}  // namespace linsep
