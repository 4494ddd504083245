"""WeightSpaceDisplay: a classifier as a point, each row as a constraint on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._axes import Display, write_legend, write_note, write_title
from ._constraints import Constraints, constraints_of_estimator, constraints_of_rows
from ._plane import Box, box_around, clipped_line, corners, cut, squarer
from ._rows import Array, Places, check_length, classes_of
from ._style import DASHES, count, palette_of, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_FEW = 30
"""Lines get a tinted edge if there are at most this many rows."""


@dataclass(eq=False, kw_only=True, repr=False)
class WeightSpaceDisplay(Display):
    """The plane of two weights: each row forbids one side of a line, and what is left is feasible.

    A row of class y = ±1 is on the right side of the boundary where y·(θ·x + θ0) > 0: seen from the weights
    that is a half-plane. The tinted edge of a row's line is its good side; the hatched region is good for
    every row. Two features with an offset have three weights: the picture is then the slice at θ0 = `offset`.
    Make one by :meth:`from_rows` or :meth:`from_estimator`.

    Parameters
    ----------
    constraints : Constraints
        A line (a, b, c) per row: a·u + b·v + c > 0 is its good side.
    places : ndarray of shape (n_rows,)
        0 for rows of the negative class, 1 for the positive one.
    classes : ndarray of shape (2,)
        The class labels.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from linsep.plot import WeightSpaceDisplay
    >>> X, y = [[2., 1.], [1., 2.]], [1, -1]
    >>> display = WeightSpaceDisplay.from_rows(X, y, fit_intercept=False)
    >>> display.ax_.get_title(loc="left")
    'Every θ in the hatched region is right on all 2 rows'
    """

    constraints: Constraints
    places: Places
    classes: NDArray[Any]

    @classmethod
    def from_rows(
        cls,
        X: Any,
        y: Any,
        *,
        fit_intercept: bool = True,
        offset: float = -1.0,
        ax: Any = None,
        **kwargs: Any,
    ) -> WeightSpaceDisplay:
        """Draw the constraints of rows with one or two features.

        Parameters
        ----------
        X : array-like of shape (n_rows, 1 or 2)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes, two.
        fit_intercept : bool, default=True
            Whether the classifiers have an offset θ0. With one feature the axes are then θ0 and θ1.
        offset : float, default=-1.0
            Of two features: the slice's θ0.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        WeightSpaceDisplay
            Drawn.
        """
        check_length(X, y)
        classes, places = _two_classes(y)
        constraints = constraints_of_rows(X, 2 * places - 1, fit_intercept, offset)
        return cls(constraints=constraints, places=places, classes=classes).plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **kwargs: Any
    ) -> WeightSpaceDisplay:
        """Draw the constraints of rows, and a fitted classifier's θ among them.

        Of two features with an offset, θ is divided by \\|θ0\\|, which doesn't change the classifier, and the
        slice is at θ0 = ±1. Of more features the first two weights vary and all others are held at the
        classifier's. A trace (``Perceptron(trace=True)``) is drawn where the picture shows all weights there
        are.

        Parameters
        ----------
        estimator : classifier
            Fitted, linear, of two classes.
        X : array-like of shape (n_rows, n_features)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        WeightSpaceDisplay
            Drawn.
        """
        check_length(X, y)
        classes, places = _two_classes(y, estimator)
        constraints = constraints_of_estimator(estimator, X, 2 * places - 1)
        return cls(constraints=constraints, places=places, classes=classes).plot(ax, **kwargs)

    def plot(
        self, ax: Any = None, *, title: str | None = None, legend: str | None = None, most_rows: int = 200
    ) -> WeightSpaceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            At the right in a figure of its own, inside in given axes.
        most_rows : int, default=200
            Of more rows only the lines of the first so many are drawn; all of them count for the feasible
            region.

        Returns
        -------
        WeightSpaceDisplay
            Drawn.
        """
        own = self._start(ax, figsize=(6.4, 4.8))
        ax, lines = self.ax_, self.constraints.lines
        feasible, box = self.constraints.feasible_region(), self._view()
        entries = self._draw_feasible(ax, feasible, box)
        entries += self._draw_rows(ax, box, most_rows)
        entries += self._draw_weights(ax)
        ax.set_xlim(box[0], box[1])
        ax.set_ylim(box[2], box[3])
        ax.set_aspect("equal", adjustable="box")
        ax.axhline(0, color=palette_of(ax).grid, linewidth=0.8, zorder=0)
        ax.axvline(0, color=palette_of(ax).grid, linewidth=0.8, zorder=0)
        ax.set_xlabel(shown(self.constraints.names[0]))
        ax.set_ylabel(shown(self.constraints.names[1]))
        write_title(ax, self._finding(len(feasible) > 0) if title is None else title)
        more = f"Lines of the first {most_rows:,} of {len(lines):,} rows." if len(lines) > most_rows else ""
        edges = "Each line is tinted on the side where its row is right." if len(lines) <= _FEW else ""
        said = (self.constraints.sentence, self.constraints.without_line(), edges, more)
        write_note(ax, "\n".join(filter(None, said)))
        write_legend(ax, entries, legend, own)
        return self

    def _finding(self, there_is: bool) -> str:
        rows = len(self.constraints.lines)
        slice_words = "in this slice " if self.constraints.is_slice else ""
        if self.constraints.weights is not None:
            wrong = int((self.constraints.values(self.constraints.weights) <= 0).sum())
            end = (
                f"right on all {rows:,} rows" if wrong == 0 else f"wrong on {wrong:,} of {count(rows, 'row')}"
            )
            return f"θ is {end}" + ("" if there_is else f"; no θ {slice_words}is right on all")
        if not there_is:
            return f"No θ {slice_words}is right on all {rows:,} rows"
        return f"Every θ in the hatched region is right on all {rows:,} rows"

    def _view(self) -> Box:
        """A box with the origin, θ, its way, the corners of the feasible region and most lines."""
        points = [np.zeros((1, 2)), self.constraints.feet()]
        if self.constraints.weights is not None:
            points.append(self.constraints.weights[None, :])
        if self.constraints.path is not None:
            points.append(self.constraints.path)
        points.append(self.constraints.feasible_corners())
        whole = np.vstack(points)
        if not np.any(whole):
            return (-1.5, 1.5, -1.5, 1.5)
        return squarer(box_around(whole, 0.3), 1.25)

    def _draw_feasible(self, ax: Axes, feasible: Array, box: Box) -> list[tuple[Any, str]]:
        seen = corners(box)
        for line in self.constraints.lines if len(feasible) else ():
            seen = cut(seen, *line)
        if len(feasible) == 0 or len(seen) == 0:
            return []
        colour = palette_of(ax).feasible
        (patch,) = ax.fill(
            seen[:, 0], seen[:, 1], facecolor="none", edgecolor=colour, hatch="////", linewidth=1.4, zorder=1
        )
        return [(patch, "feasible for every row")]

    def _draw_rows(self, ax: Axes, box: Box, most: int) -> list[tuple[Any, str]]:
        palette, handles = palette_of(ax), {}
        size = max(box[1] - box[0], box[3] - box[2])
        few, drawn = len(self.constraints.lines) <= _FEW, []
        for row, line in enumerate(self.constraints.lines[:most]):
            ends = clipped_line((line[0], line[1], line[2]), box)
            if ends is None:
                continue
            place = int(self.places[row])
            colour, length = palette.of_class(place), float(np.hypot(line[0], line[1]))
            edge = cut(cut(corners(box), *line), -line[0], -line[1], -line[2] + 0.02 * size * length)
            if len(edge) and few:
                ax.fill(edge[:, 0], edge[:, 1], color=colour, alpha=0.3, linewidth=0, zorder=1)
            look: dict[str, Any] = {
                "linestyle": DASHES[0] if place else (0, (6, 2)),
                "linewidth": 1.5 if few else 0.7,
            }
            (handles[place],) = ax.plot(
                ends[:, 0], ends[:, 1], color=colour, alpha=1 if few else 0.6, zorder=2, **look
            )
            drawn.append((row, ends))
        if len(drawn) <= 12:
            _number_lines(ax, drawn, size)
        return [
            (handles[place], f"row of class {shown(self.classes[place])}") for place in sorted(handles)[::-1]
        ]

    def _draw_weights(self, ax: Axes) -> list[tuple[Any, str]]:
        palette, entries = palette_of(ax), []
        if self.constraints.path is not None:
            path = self.constraints.path
            (way,) = ax.plot(path[:, 0], path[:, 1], color=palette.muted, linewidth=1.1, marker=".", zorder=4)
            entries.append((way, f"θ on the way ({count(len(path) - 1, 'correction')})"))
        if self.constraints.weights is not None:
            theta = self.constraints.weights
            (dot,) = ax.plot(theta[0], theta[1], "o", color=palette.ink, markersize=7, zorder=5)
            entries.insert(0, (dot, "θ"))
        return entries


def _two_classes(y: Any, estimator: Any = None) -> tuple[NDArray[Any], Places]:
    classes, places = classes_of(y, estimator)
    if len(classes) != 2:
        raise ValueError(f"weight space needs two classes, but there are {len(classes)}")
    return classes, places


def _number_lines(ax: Axes, lines: list[tuple[int, Array]], size: float) -> None:
    """The row's number on each line, as far from the other numbers as there is room."""
    taken: list[Array] = []
    palette = palette_of(ax)
    for row, ends in lines:
        spots = [ends[0] + share * (ends[1] - ends[0]) for share in (0.06, 0.94, 0.14, 0.86, 0.25, 0.75)]
        room = [min((float(np.hypot(*(spot - other))) for other in taken), default=size) for spot in spots]
        enough = [place for place, space in enumerate(room) if space > 0.12 * size]
        best = enough[0] if enough else int(np.argmax(room))
        taken.append(spots[best])
        ax.text(
            spots[best][0],
            spots[best][1],
            str(row),
            ha="center",
            va="center",
            fontsize="x-small",
            color=palette.ink,
            bbox={"boxstyle": "circle,pad=0.2", "facecolor": ax.get_facecolor(), "edgecolor": palette.grid},
            zorder=6,
        )
