"""Plane geometry that pictures need: boxes, clipped lines, half-planes and hulls.

A line is (a, b, c): a·x + b·y + c = 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""x from, x to, y from, y to."""


def box_around(points: Array, border: float = 0.08) -> Box:
    """The box of the points, widened on each side by a share of the longer edge; never without area."""
    finite = points[np.isfinite(points).all(axis=1)]
    if len(finite) == 0:
        return (-1.0, 1.0, -1.0, 1.0)
    low, high = finite.min(axis=0), finite.max(axis=0)
    edge = high - low
    if edge.max() <= 0:
        edge = np.full(2, max(1.0, float(np.abs(high).max())))
    widen = border * np.where(edge > 0.2 * edge.max(), edge.max(), np.where(edge > 0, edge, edge.max()))
    return (
        float(low[0] - widen[0]),
        float(high[0] + widen[0]),
        float(low[1] - widen[1]),
        float(high[1] + widen[1]),
    )


def squarer(box: Box, most: float = 1.6) -> Box:
    """The box with its shorter edge lengthened, so that the edges differ by at most this ratio."""
    width, height = box[1] - box[0], box[3] - box[2]
    more_x, more_y = max(0.0, (height / most - width) / 2), max(0.0, (width / most - height) / 2)
    return (box[0] - more_x, box[1] + more_x, box[2] - more_y, box[3] + more_y)


def corners(box: Box) -> Array:
    """Counter-clockwise."""
    return np.array([[box[0], box[2]], [box[1], box[2]], [box[1], box[3]], [box[0], box[3]]])


def cut(polygon: Array, a: float, b: float, c: float) -> Array:
    """The part of a convex polygon where a·x + b·y + c ≥ 0; no corners where there is none."""
    if len(polygon) == 0:
        return polygon
    value = polygon @ np.array([a, b]) + c
    kept: list[Array] = []
    for here in range(len(polygon)):
        after = (here + 1) % len(polygon)
        if value[here] >= 0:
            kept.append(polygon[here])
        if (value[here] >= 0) != (value[after] >= 0):
            share = value[here] / (value[here] - value[after])
            kept.append(polygon[here] + share * (polygon[after] - polygon[here]))
    return np.array(kept) if len(kept) >= 3 else np.empty((0, 2))


def clipped_line(line: tuple[float, float, float], box: Box) -> Array | None:
    """The two ends of a line within a box; None where it misses the box or is no line."""
    a, b, c = line
    length = np.hypot(a, b)
    if not np.isfinite(length) or length == 0:
        return None
    centre = np.array([(box[0] + box[1]) / 2, (box[2] + box[3]) / 2])
    normal = np.array([a, b]) / length
    foot = centre - (normal @ centre + c / length) * normal
    along = np.array([-normal[1], normal[0]])
    low, high = -np.inf, np.inf
    for axis in range(2):
        edges = np.array(box[2 * axis : 2 * axis + 2]) - foot[axis]
        if along[axis] == 0:
            if edges[0] > 0 or edges[1] < 0:
                return None
            continue
        ends = np.sort(edges / along[axis])
        low, high = max(low, float(ends[0])), min(high, float(ends[1]))
    if low >= high:
        return None
    return np.array([foot + low * along, foot + high * along])


def hull(points: Array) -> Array:
    """The corners of the convex hull, counter-clockwise (Andrew's chain); one or two where it is flat."""
    ordered = np.unique(points[np.isfinite(points).all(axis=1)], axis=0)
    if len(ordered) <= 2:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(ordered: Array) -> list[Array]:
    chain: list[Array] = []
    for point in ordered:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
