#include "data/paged/page_check.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "core/bytes.h"

namespace linsep {
namespace {

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

/// Whether the columns of each row ascend strictly. Places where they don't are counted over all of the page, at one
/// go, and there must be no more of them than lie between two rows. REQUIRES: rows begin in order.
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

std::string page_fault(const PageEntry& entry, const Batch& batch) {
  if (!batch.dense) {
    const auto& start = batch.start;
    if (start.front() != 0 || start.back() != entry.values || !std::ranges::is_sorted(start)) {
      return "its rows don't begin in order";
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

}  // namespace linsep
