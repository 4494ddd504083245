// Two features lifted to (x1, x2, x1·x2) in a fixed oblique view, with the plane that separates there.
#pragma once

#include <span>

#include "call.h"
#include "rows.h"

namespace linsep::wasm {

/// {points: [x1, x2, x1·x2] of each row, screen: where each is seen, feet: where it stands on the floor, plane: the
/// plane within the box as a closed path on the screen, axes: the three edges of the box from its nearest low corner}.
/// The screen's unit is half of the box's width; x to the right, y upwards.
Json lift_json(const PlainRows& rows, std::span<const double> theta, double offset);

}  // namespace linsep::wasm
