// A slow, obvious oracle for small sets, and small sets as a source. For tests only.
#pragma once

#include "exact/number.h"

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/source.h"

namespace linsep {

/// Rows as they are written: decimals, or binary numbers where `binary` is set.
struct SmallSet {
  std::vector<std::vector<std::string>> text;  ///< decimals
  std::vector<std::vector<double>> number;     ///< instead, binary
  std::vector<int> label;                      ///< −1 or +1
  bool binary = false;
  std::uint32_t features = 0;

  std::size_t rows() const { return label.size(); }
  Rational value(std::size_t i, std::size_t j) const;
};

/// What is true of a set, by enumeration: row i can be separated unless −z_i is a nonnegative combination of rows, and
/// then of a basis among the rows (Carathéodory); all bases are tried.
struct Truth {
  Claim claim = Claim::kSeparable;
  std::int64_t at_zero = 0;  ///< rows that no w with all margins ≥ 0 separates
};
Truth truth_of(const SmallSet& set, bool origin);
/// The same for vectors z.
Truth truth_of(const std::vector<std::vector<Rational>>& z);

/// The rows of a set from `first` to `end` (−1: the last) as a source that hands out `rows_at_once` rows a batch.
class SmallSource : public Source {
 public:
  explicit SmallSource(const SmallSet& set, std::int64_t rows_at_once = 1000, bool dense = false,
                       std::int64_t first = 0, std::int64_t end = -1);

  Shape shape() const override;
  const Schema& schema() const override { return schema_; }
  void rewind(std::uint64_t pass) override;
  std::optional<Batch> next() override;
  std::vector<WrittenRow> written(std::span<const std::int64_t> rows) override;

 private:
  const SmallSet& set_;
  Schema schema_;
  std::int64_t at_once_, first_, end_, at_ = 0;
  bool dense_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> value_, label_;
};

}  // namespace linsep
