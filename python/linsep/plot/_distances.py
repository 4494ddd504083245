"""DistancesDisplay: how far rows lie from the boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._axes import Display, soften, whole_numbers, write_legend, write_title
from ._read import maximizes_margin
from ._rows import Array, Places, check_length, classes_of
from ._style import count, palette_of, short, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, kw_only=True, repr=False)
class DistancesDisplay(Display):
    """A histogram of the rows' signed distances y·z/‖θ‖, one class upwards and one downwards.

    Rows left of 0 are on the wrong side, and hatched. The planes z = ±1 are at the distance 1/‖θ‖, which is
    dashed. Bins have a round width, and 0 is an edge. Make one by :meth:`from_estimator`.

    Parameters
    ----------
    distances : ndarray of shape (n_rows,)
        Signed: below 0 on the wrong side.
    places : ndarray of shape (n_rows,)
        0 for rows of the negative class, 1 for the positive one.
    classes : ndarray of shape (2,)
        The class labels.
    norm : float
        ‖θ‖ without the offset.
    margins : bool
        Whether 1/‖θ‖ is marked.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from linsep import MarginClassifier
    >>> from linsep.plot import DistancesDisplay
    >>> X, y = [[1.25, 0.], [2., 0.], [0., 1.], [0., -1.]], [1, 1, -1, -1]
    >>> display = DistancesDisplay.from_estimator(MarginClassifier().fit(X, y), X, y)
    >>> display.ax_.get_xlabel()
    'distance from the boundary, y·z/‖θ‖'
    """

    distances: Array
    places: Places
    classes: NDArray[Any]
    norm: float
    margins: bool = True

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **kwargs: Any
    ) -> DistancesDisplay:
        """Draw the distances of labeled rows.

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
        DistancesDisplay
            Drawn.
        """
        check_length(X, y)
        classes, places = classes_of(y, estimator)
        if len(classes) != 2 or getattr(estimator, "coef_", None) is None:
            raise ValueError("distances from the boundary need a linear classifier of two classes")
        found = estimator.distances(X, y)
        if found.norm == 0:
            raise ValueError("θ is 0: every row lies on the boundary, so there are no distances")
        return cls(
            distances=np.asarray(found.distance),
            places=places,
            classes=classes,
            norm=float(found.norm),
            margins=maximizes_margin(estimator),
        ).plot(ax, **kwargs)

    def plot(
        self, ax: Any = None, *, bins: int | None = None, title: str | None = None, legend: str | None = None
    ) -> DistancesDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        bins : int, optional
            At most so many bins; by default twice the root of the number of rows, at most 60.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            At the right in a figure of its own, inside in given axes.

        Returns
        -------
        DistancesDisplay
            Drawn.
        """
        from matplotlib.patches import Patch

        own = self._start(ax, figsize=(6.4, 3.8))
        ax, palette = self.ax_, palette_of(self.ax_)
        soften(ax, grid="y")
        edges = round_edges(self.distances, bins or int(min(60, max(8, 2 * len(self.distances) ** 0.5))))
        entries, top = [], 1.0
        for place, direction in ((1, 1), (0, -1)):
            heights = np.histogram(self.distances[self.places == place], edges)[0]
            entries.append(
                (self._draw_bars(ax, edges, heights * direction, place), shown(self.classes[place]))
            )
            top = max(top, float(heights.max(initial=0)))
        ax.axhline(0, color=palette.ink, linewidth=0.8)
        rule = ax.axvline(0, color=palette.ink, linewidth=2)
        entries.append((rule, "boundary"))
        if (self.distances <= 0).any():
            entries.append((Patch(facecolor="none", edgecolor=palette.muted, hatch="/////"), "wrong side"))
        if self.margins:
            dashed = ax.axvline(1 / self.norm, color=palette.ink, linewidth=1.4, linestyle=(0, (5, 3)))
            entries.append((dashed, f"1/‖θ‖ = {short(1 / self.norm)}"))
        ax.set_ylim(-1.1 * top, 1.1 * top)
        _count_both_ways(ax)
        ax.set_xlabel("distance from the boundary, y·z/‖θ‖")
        ax.set_ylabel("rows")
        write_title(ax, self._finding() if title is None else title)
        write_legend(ax, entries, legend, own)
        return self

    def _draw_bars(self, ax: Axes, edges: Array, heights: Array, place: int) -> Any:
        """Bars of one class; those left of 0 hatched. Returns the handle for the legend."""
        from matplotlib.patches import Patch

        colour, ground = palette_of(ax).of_class(place), palette_of(ax).ground
        wrong = edges[:-1] < 0
        right: dict[str, Any] = {"facecolor": colour, "edgecolor": ground, "linewidth": 0.4}
        hatched: dict[str, Any] = {
            "facecolor": "none",
            "edgecolor": colour,
            "linewidth": 0.8,
            "hatch": "/////",
        }
        for part, look in ((~wrong, right), (wrong, hatched)):
            if heights[part].any():
                ax.bar(edges[:-1][part], heights[part], width=np.diff(edges)[part], align="edge", **look)
        return Patch(facecolor=colour)

    def _finding(self) -> str:
        rows, wrong = len(self.distances), int((self.distances <= 0).sum())
        right = self.distances[self.distances > 0]
        near = f"; the closest correct row is at {short(float(right.min()))}" if len(right) else ""
        if wrong:
            return f"{wrong:,} of {count(rows, 'row')} {'is' if wrong == 1 else 'are'} wrong{near}"
        return f"No row is wrong; the closest is at {short(float(right.min()))}"


def round_edges(values: Array, most: int) -> Array:
    """Edges of at most `most` bins of one round width, 0 among them, with all finite values between."""
    finite = values[np.isfinite(values)]
    low, high = min(0.0, float(finite.min(initial=0.0))), max(0.0, float(finite.max(initial=0.0)))
    if high == low:
        return np.array([-1.0, 0.0, 1.0])
    power = 10.0 ** np.floor(np.log10((high - low) / most))
    for factor in (1, 2, 5, 10, 20, 50, 100):
        width = factor * power
        first, last = np.floor(low / width), np.ceil(high / width)
        if last * width <= high:
            last += 1
        if last - first <= most:
            break
    return np.asarray(width * np.arange(first, last + 1))


def _count_both_ways(ax: Axes) -> None:
    from matplotlib.ticker import FuncFormatter

    whole_numbers(ax.yaxis)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):,.0f}"))
