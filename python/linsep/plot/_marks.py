"""Marks in data space: rows by class, rings around them, tinted half-planes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._plane import Box, box_around, squarer
from ._rows import Array, Places
from ._style import marker_of, palette_of, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_AREA = 42.0


def draw_rows(
    ax: Axes,
    points: Array,
    places: Places,
    classes: NDArray[Any],
    *,
    rows: Places | None = None,
    scale: float = 1.0,
    grey: bool = False,
) -> list[tuple[Any, str]]:
    """Each class by its own shape and color (gray: by shape); returns legend entries, last class first."""
    palette = palette_of(ax)
    rows = np.arange(len(points)) if rows is None else rows
    size = scale * (ROW_AREA if len(rows) <= 300 else 0.5 * ROW_AREA)
    entries: list[tuple[Any, str]] = []
    for place in range(len(classes)):
        mine = rows[places[rows] == place]
        colour = palette.muted if grey else palette.of_class(place)
        marker = marker_of(place)
        crossed = marker in "+x"
        style: dict[str, Any] = {"color": colour} if crossed else {"facecolors": "none", "edgecolors": colour}
        drawn = ax.scatter(
            points[mine, 0],
            points[mine, 1],
            marker=marker,
            s=size * (1.25 if crossed else 0.8),
            linewidths=1.8 if crossed else 1.5,
            alpha=0.9 if len(rows) <= 300 else 0.6,
            zorder=3,
            **style,
        )
        entries.append((drawn, shown(classes[place])))
    return entries[::-1]


def draw_rings(ax: Axes, points: Array, label: str, most: int = 80) -> list[tuple[Any, str]]:
    """A thin ring around each point: support vectors. None where so many would hide the rows."""
    if not 0 < len(points) <= most:
        return []
    ring = ax.scatter(
        points[:, 0],
        points[:, 1],
        s=ROW_AREA * 3.6,
        facecolors="none",
        edgecolors=palette_of(ax).ink,
        linewidths=1.0,
        zorder=4,
    )
    return [(ring, label)]


def draw_wrong(
    ax: Axes, points: Array, label: str, scale: float = 1.0, most: int = 80
) -> list[tuple[Any, str]]:
    """A ring between two bars around each point: wrong rows. None where so many would hide the rows."""
    if not 0 < len(points) <= most:
        return []
    mark = ax.scatter(
        points[:, 0],
        points[:, 1],
        s=scale * ROW_AREA * 5.2,
        marker=_barred_ring(),
        facecolors="none",
        edgecolors=palette_of(ax).ink,
        linewidths=0.9,
        zorder=4,
    )
    return [(mark, label)]


def _barred_ring() -> Any:
    from matplotlib.path import Path

    ring = Path.unit_circle()
    near, far = 0.7071, 1.15
    bar = Path(np.array([[-far, -far], [-near, -near], [near, near], [far, far]]), [1, 2, 1, 2])
    return Path.make_compound_path(ring, bar)


def tint(ax: Axes, polygon: Array, place: int) -> None:
    """A polygon in the tint of a class."""
    if len(polygon):
        palette = palette_of(ax)
        ax.fill(
            polygon[:, 0],
            polygon[:, 1],
            color=palette.of_class(place),
            alpha=palette.tint,
            linewidth=0,
            zorder=0,
        )


def view_of(points: Array, aspect: str) -> tuple[Box, bool]:
    """The box that is shown, and whether a unit is as long on both axes."""
    if aspect not in ("auto", "equal", "free"):
        raise ValueError(f'aspect is "auto", "equal" or "free", not {aspect!r}')
    box = box_around(points)
    width, height = box[1] - box[0], box[3] - box[2]
    equal = aspect == "equal" or (aspect == "auto" and max(width, height) <= 5 * min(width, height))
    return (squarer(box), True) if equal else (box, False)


def frame(ax: Axes, box: Box, names: Sequence[str], equal: bool) -> None:
    """Limits, labels and scales of data space."""
    ax.set_xlim(box[0], box[1])
    ax.set_ylim(box[2], box[3])
    ax.set_xlabel(names[0])
    if names[1]:
        ax.set_ylabel(names[1])
    else:
        ax.set_yticks([])
    if equal:
        ax.set_aspect("equal", adjustable="box")
