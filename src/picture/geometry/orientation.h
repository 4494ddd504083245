// Which way three points turn, decided exactly.
#pragma once

#include "linsep/picture/document.h"

namespace linsep {

/// 1 where a, b, c turn left (counter-clockwise), −1 where they turn right, 0 where they lie on a line. REQUIRES:
/// finite.
int turn_of(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

}  // namespace linsep
