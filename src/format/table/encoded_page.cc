#include "format/table/encoded_page.h"

#include <cmath>
#include <memory>
#include <utility>

namespace linsep {
namespace {

/// What a page's spans point into, besides labels and weights.
template <class V>
struct Entries {
  std::shared_ptr<void> labels;
  std::unique_ptr<std::uint64_t[]> start;
  std::unique_ptr<std::uint32_t[]> column;
  std::unique_ptr<V[]> value;
};

void set_values(Batch& batch, const float* value, std::size_t size) { batch.value32 = {value, size}; }
void set_values(Batch& batch, const double* value, std::size_t size) { batch.value64 = {value, size}; }

template <class V>
class PageFiller {
 public:
  PageFiller(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
             ParsedPage& parsed)
      : rows_(rows), table_(table), exact_(exact), refuse_(refuse), parsed_(parsed), size_(rows.start.size() - 1) {}

  void fill() {
    Batch& batch = parsed_.page.batch;
    batch.features = table_.features();
    batch.is_float = sizeof(V) == sizeof(float);
    if (table_.dense()) {
      fill_dense(batch);
    } else {
      fill_sparse(batch);
    }
    entries_->labels = std::exchange(parsed_.page.storage, nullptr);
    parsed_.page.storage = std::move(entries_);
  }

 private:
  V rounded(std::size_t row, std::uint64_t k) {
    const auto out = static_cast<V>(rows_.value[k]);
    if (!std::isfinite(out) || (out == 0 && exact_)) [[unlikely]]
      refuse_(row, rows_.column[k], rows_.value[k]);
    if (out == 0 && parsed_.tiny.row < 0) parsed_.tiny = {static_cast<std::int64_t>(row), rows_.column[k]};
    return out;
  }

  void fill_sparse(Batch& batch) {
    entries_->start.reset(new std::uint64_t[size_ + 1]);
    entries_->column.reset(new std::uint32_t[rows_.column.size()]);
    entries_->value.reset(new V[rows_.value.size()]);
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      entries_->start[i] = out;
      for (std::uint64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        const V value = rounded(i, k);
        if (value == 0) continue;
        entries_->column[out] = rows_.column[k];
        entries_->value[out++] = value;
      }
    }
    entries_->start[size_] = out;
    batch.dense = false;
    batch.start = {entries_->start.get(), size_ + 1};
    batch.column = {entries_->column.get(), out};
    set_values(batch, entries_->value.get(), out);
  }

  void fill_dense(Batch& batch) {
    const std::size_t features = table_.features();
    entries_->value.reset(new V[size_ * features]());
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::uint64_t k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
        entries_->value[i * features + rows_.column[k]] = rounded(i, k);
      }
    }
    batch.dense = true;
    batch.stride = features;
    set_values(batch, entries_->value.get(), size_ * features);
  }

  const EncodedRows& rows_;
  const PreparedTable& table_;
  bool exact_;
  const RefuseValue& refuse_;
  ParsedPage& parsed_;
  std::size_t size_;
  std::shared_ptr<Entries<V>> entries_ = std::make_shared<Entries<V>>();
};

}  // namespace

void fill_page(const EncodedRows& rows, const PreparedTable& table, bool exact, const RefuseValue& refuse,
               ParsedPage& parsed) {
  if (table.map().single) {
    PageFiller<float>(rows, table, exact, refuse, parsed).fill();
  } else {
    PageFiller<double>(rows, table, exact, refuse, parsed).fill();
  }
}

}  // namespace linsep
