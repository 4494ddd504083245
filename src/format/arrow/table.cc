// ArrowTable: a stream is taken over and read to its end.
#include <algorithm>
#include <utility>

#include "format/arrow/batches.h"
#include "format/arrow/intake.h"
#include "linsep/table/arrow.h"

namespace linsep {

ArrowTable::ArrowTable(ArrowArrayStream* stream, std::string name) {
  arrow::Intake intake(stream, std::move(name));
  auto batches = std::make_shared<Batches>();
  intake.describe(*batches);
  while (intake.next(*batches)) {
  }
  batches_ = std::move(batches);
}

const std::string& ArrowTable::name() const { return batches_->name; }
std::int64_t ArrowTable::rows() const { return batches_->rows; }
const std::vector<std::string>& ArrowTable::columns() const { return batches_->names; }

namespace arrow {

std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most) {
  std::vector<Slice> slices;
  std::int64_t first = batches.first_row;
  for (const ArrowArray& array : batches.arrays) {
    for (std::int64_t begin = 0; begin < array.length; begin += most) {
      slices.push_back({&array, begin, std::min(most, array.length - begin), first + begin});
    }
    first += array.length;
  }
  return slices;
}

}  // namespace arrow
}  // namespace linsep
