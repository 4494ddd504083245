// Which way three points turn, decided exactly.
#pragma once

#include "linsep/picture/document.h"

namespace linsep {

/// 1 if a, b, c turn left (counter-clockwise), −1 if they turn right, 0 if they lie on a line. REQUIRES: finite.
int turn_of(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

}  // namespace linsep
