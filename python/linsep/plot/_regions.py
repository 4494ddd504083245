"""What a classifier does in a plane: half-planes, regions of several classes, curved boundaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._marks import tint
from ._plane import Box, clipped_line, corners, cut
from ._rows import Array
from ._slice import Slice
from ._style import palette_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_line(ax: Axes, line: Array, box: Box, margins: bool) -> list[tuple[Any, str]]:
    """Of two classes: both half-planes, the boundary, and z = ±1."""
    a, b, c = (float(value) for value in line)
    palette = palette_of(ax)
    tint(ax, cut(corners(box), a, b, c), 1)
    tint(ax, cut(corners(box), -a, -b, -c), 0)
    entries: list[tuple[Any, str]] = []
    ends = clipped_line((a, b, c), box)
    if ends is not None:
        (drawn,) = ax.plot(ends[:, 0], ends[:, 1], color=palette.ink, linewidth=2, zorder=2)
        entries.append((drawn, "boundary, z = 0"))
    dashed = []
    for side in (-1, 1) if margins else ():
        ends = clipped_line((a, b, c - side), box)
        if ends is not None:
            dashed += ax.plot(
                ends[:, 0], ends[:, 1], color=palette.muted, linewidth=1.2, linestyle=(0, (5, 3)), zorder=2
            )
    return entries + [(line, "z = ±1") for line in dashed[:1]]


def draw_regions(ax: Axes, lines: Array, box: Box) -> list[tuple[Any, str]]:
    """Where each class has the greatest score: convex polygons."""
    drawn: list[Any] = []
    for place, mine in enumerate(lines):
        region = corners(box)
        for other in np.delete(lines, place, axis=0):
            region = cut(region, *(mine - other))
        tint(ax, region, place)
        for here, there in zip(region, np.roll(region, -1, axis=0), strict=True):
            if not _on_edge((here + there) / 2, box):
                drawn += ax.plot(*np.array([here, there]).T, color=palette_of(ax).ink, linewidth=2, zorder=2)
    return [(line, "boundary") for line in drawn[:1]]


def _on_edge(point: Array, box: Box) -> bool:
    slack = 1e-9 * (box[1] - box[0] + box[3] - box[2])
    return bool(np.abs(np.array(box) - np.repeat(point, 2)).min() <= slack)


def draw_curved(ax: Axes, cut_at: Slice, box: Box, classes: int, margins: bool) -> list[tuple[Any, str]]:
    """Of any scores: contours on a grid."""
    from matplotlib.lines import Line2D

    palette = palette_of(ax)
    across, up = np.linspace(box[0], box[1], 161), np.linspace(box[2], box[3], 161)
    scores = cut_at.scores(across, up)
    places = (scores[0] >= 0).astype(int) if len(scores) == 1 else scores.argmax(axis=0)
    for place in range(classes):
        inside = scores[0] * (2 * place - 1) if len(scores) == 1 else _lead(scores, place)
        if (places == place).any():
            ax.contourf(
                across,
                up,
                inside,
                levels=[0, np.inf],
                colors=[palette.of_class(place)],
                alpha=palette.tint,
                zorder=0,
            )
            if place or len(scores) > 1:
                ax.contour(across, up, inside, levels=[0], colors=[palette.ink], linewidths=2, zorder=2)
    entries = [
        (
            Line2D([], [], color=palette.ink, linewidth=2),
            "boundary, z = 0" if len(scores) == 1 else "boundary",
        )
    ]
    if margins and len(scores) == 1:
        style: dict[str, Any] = {"linewidths": 1.2, "linestyles": [(0, (5, 3))], "zorder": 2}
        ax.contour(across, up, scores[0], levels=[-1, 1], colors=[palette.muted], **style)
        entries.append((Line2D([], [], color=palette.muted, linewidth=1.2, linestyle=(0, (5, 3))), "z = ±1"))
    return entries


def _lead(scores: Array, place: int) -> Array:
    """By how much a class's score is above every other's."""
    best = np.delete(scores, place, axis=0).max(axis=0)
    return np.asarray(scores[place] - best)
