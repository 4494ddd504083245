// RawSource serves dense rows whose values are bytes as a source. Their type may be one that no kernel takes, and they
// need not be aligned. They stay where they are. A few rows at a time are decoded, exactly, into floats or doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/slice.h"
#include "data/memory_source.h"
#include "linsep/batch.h"
#include "linsep/choices.h"
#include "linsep/half.h"
#include "linsep/source.h"

namespace linsep {

/// Values first … first + count − 1 (of kFloat64 as doubles alone). Every 16-bit float is a float. `values` needn't be
/// aligned. It is in the machine's byte order (little-endian).
void decode(const void* values, ValueType type, std::uint64_t first, std::size_t count, float* to);
void decode(const void* values, ValueType type, std::uint64_t first, std::size_t count, double* to);

/// Rows without values, and their values. Row i begins at value i · stride.
struct RawPage {
  Page page;
  const void* values = nullptr;
  ValueType type = ValueType::kFloat16;
};

class RawSource : public Source {
 public:
  /// Decodes on `threads` threads (0: one per core). REQUIRES: pages in row order, without gaps, of dense rows, all as
  /// wide and either all of kFloat64 or none.
  RawSource(std::vector<RawPage> pages, Schema schema, std::uint32_t features, int threads);

  Shape shape() const override { return shape_; }
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;

  std::int64_t first_row() const { return pages_.empty() ? 0 : pages_.front().page.batch.first_row; }
  /// Any rows by their numbers, in this order, as a batch with `row_number`. It is valid until the next call of any
  /// function. REQUIRES: the rows exist, at least one; `rows` outlives the batch.
  Batch gather(std::span<const std::int64_t> rows);

 private:
  const RawPage& page_of(std::int64_t row) const;
  /// Decodes one row into place `slot` of the values.
  void decode_row(const RawPage& page, std::int64_t i, std::size_t slot);
  void make_room(std::size_t rows);
  void set_values(Batch& batch) const;

  std::vector<RawPage> pages_;
  Schema schema_;
  Shape shape_;
  std::uint32_t width_ = 0;  // of every row
  bool is_float_ = true;
  int threads_ = 1;
  std::size_t at_ = 0;    // the page
  std::int64_t row_ = 0;  // and the row in it
  std::vector<float> value32_;
  std::vector<double> value64_;
  std::vector<double> label_, weight_;
};

/// In the order of order_rows (data/order_source.h). REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> order_rows(RawSource& inner, RowOrder order, std::uint64_t seed);
/// In the order of permute_rows (data/permute.h). Rows stay where they are. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> index_rows(RawSource& inner, std::uint64_t seed);

}  // namespace linsep
