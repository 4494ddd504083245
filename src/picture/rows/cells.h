// The part of the plane that is shown, and its cells.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "picture/gathered.h"

namespace linsep {

/// Corners of where rows lie, before the third pass.
std::vector<PlanePoint> corners_of(const Gathered& gathered);

/// The plane with its axes, around points. Scales are equal unless one range is much greater than the other.
Picture::Plane plane_around(const Gathered& gathered, const PictureSpec& spec, std::span<const PlanePoint> points);

/// Counts rows by cell. A row beyond the axes counts in the cell at the edge, so that every row counts.
class CellCounts {
 public:
  static constexpr std::size_t kAcross = 40, kUp = 30;

  explicit CellCounts(const Picture::Plane& plane);
  /// REQUIRES: the point is finite.
  void add(const PlanePoint& point, bool positive);
  Picture::Cells take() { return std::move(cells_); }

 private:
  Picture::Cells cells_;
};

}  // namespace linsep
