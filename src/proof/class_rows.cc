#include "proof/class_rows.h"

#include <algorithm>
#include <limits>

namespace linsep {

ClassRows::ClassRows(const DataDigest& data, bool origin) : data_(data), origin_(origin) {
  const auto found = std::ranges::find(data.classes, data.positive);
  if (found != data.classes.end()) positive_ = static_cast<std::uint32_t>(found - data.classes.begin()) + 1;
}

const char* ClassRows::problem() const {
  if (data_.classes.empty()) {
    return LabelSigns(data_.negative, data_.positive).distinct() ? nullptr : "the two classes are the same";
  }
  if (data_.classes.size() < 3 || !data_.negative.empty()) return "it doesn't have several classes";
  if (!LabelSigns(data_.classes).distinct()) return "two classes are the same";
  if (!jointly() && positive_ == 0) return "the class to separate from the others isn't one of the classes";
  if (data_.rows > std::numeric_limits<std::int64_t>::max() / 2 / per_row()) return "there are too many rows";
  return nullptr;
}

void ClassRows::write_block(const Leaf& leaf, std::uint64_t first_column, bool negated, std::string& out) const {
  const auto write = [&](std::uint64_t column, std::string_view value) {
    out += ' ';
    out += std::to_string(first_column + column + 1);
    out += ':';
    if (!negated) {
      out += value;
    } else if (value.starts_with('-')) {
      out += value.substr(1);
    } else {
      out += '-';
      out += value;
    }
  };
  for (const LeafEntry& entry : leaf.entries) write(entry.column, entry.value);
  if (!origin_) write(data_.features, "1");
}

/// The row for the other class number `which`, from 0 in their order.
void ClassRows::write_joint(const Leaf& leaf, std::int64_t which, std::string& out) const {
  const auto last = static_cast<std::uint32_t>(data_.classes.size());
  const std::uint32_t own = leaf.class_number;
  const auto place = static_cast<std::uint32_t>(which) + 1;
  const std::uint32_t rival = place < own ? place : place + 1;
  out = std::to_string(leaf.row * per_row() + which + 1);
  out += " +1";
  for (const std::uint32_t c : {std::min(own, rival), std::max(own, rival)}) {
    if (c != last) write_block(leaf, (c - 1) * block(), c == rival, out);
  }
}

bool ClassRows::for_each(const std::string& text, const std::function<void(const std::string& made)>& f,
                         const std::function<bool(std::int64_t row)>& wanted) const {
  if (data_.classes.empty()) {
    f(text);
    return true;
  }
  Leaf leaf;
  if (!parse_leaf(text, leaf) || leaf.class_number == 0 || leaf.class_number > data_.classes.size() ||
      leaf.row >= data_.rows || (!leaf.entries.empty() && leaf.entries.back().column >= data_.features)) {
    return false;
  }
  std::string made;
  for (std::int64_t which = 0; which < per_row(); ++which) {
    if (wanted && !wanted(leaf.row * per_row() + which)) continue;
    if (jointly()) {
      write_joint(leaf, which, made);
    } else {
      made = std::to_string(leaf.row + 1) + (leaf.class_number == positive_ ? " +1" : " -1");
      for (const LeafEntry& entry : leaf.entries) {
        made += ' ' + std::to_string(std::uint64_t{entry.column} + 1) + ':';
        made += entry.value;
      }
    }
    f(made);
  }
  return true;
}

}  // namespace linsep
