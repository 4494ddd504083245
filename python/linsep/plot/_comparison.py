"""ComparisonDisplay: several classifiers on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._axes import Display, size_for, write_legend, write_note, write_title
from ._boundary import BoundaryDisplay
from ._marks import draw_rows, frame
from ._plane import Box, clipped_line
from ._rows import name_of, sample
from ._style import DASHES, count, palette_of, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, kw_only=True, repr=False)
class ComparisonDisplay(Display):
    """Classifiers side by side on the same rows, or all boundaries in one picture.

    Side by side each panel is a :class:`BoundaryDisplay`. In one picture rows are gray, told apart by shape,
    and each boundary has a color and dashes of its own. Make one by :meth:`from_estimators`.

    Parameters
    ----------
    names : list of str
        Of the classifiers.
    displays : list of BoundaryDisplay
        What each of them does.

    Attributes
    ----------
    axes_ : list of matplotlib.axes.Axes
        The axes, one per panel.
    ax_ : matplotlib.axes.Axes
        The first of them.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import linsep
    >>> from linsep.plot import ComparisonDisplay
    >>> X, y = [[-2., 0.], [-1., 1.], [-1., -1.], [1., 0.], [8., 1.], [8., -1.]], [-1, -1, -1, 1, 1, 1]
    >>> classifiers = [linsep.Perceptron().fit(X, y), linsep.BasicLinearClassifier().fit(X, y)]
    >>> display = ComparisonDisplay.from_estimators(classifiers, X, y)
    >>> [ax.get_title(loc="left") for ax in display.axes_]
    ['Perceptron\\n0 of 6 wrong', 'BasicLinearClassifier\\n1 of 6 wrong']
    """

    names: list[str]
    displays: list[BoundaryDisplay]

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any] | Sequence[Any],
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> ComparisonDisplay:
        """Draw fitted classifiers with labeled rows.

        Parameters
        ----------
        estimators : dict of str to classifier, or sequence of classifiers
            Fitted, with the same classes; names are those of the dict, or of the classes of the estimators.
        X : array-like of shape (n_rows, n_features)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.
        features : pair of int or str, optional
            Which features are the axes; the first two by default.
        ax : matplotlib.axes.Axes or one per classifier, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        ComparisonDisplay
            Drawn.
        """
        pairs = (
            list(estimators.items())
            if isinstance(estimators, Mapping)
            else [(name_of(e), e) for e in estimators]
        )
        if not pairs:
            raise ValueError("there are no classifiers to compare")
        displays = [BoundaryDisplay._of(estimator, X, y, features=features) for _, estimator in pairs]
        return cls(names=[str(name) for name, _ in pairs], displays=displays).plot(ax, **kwargs)

    def plot(
        self,
        ax: Any = None,
        *,
        together: bool = False,
        columns: int = 3,
        title: str | None = None,
        legend: str | None = None,
        aspect: str = "auto",
        most_rows: int = 2000,
    ) -> ComparisonDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or one per classifier, optional
            Where to draw; one Axes is divided. A new figure by default.
        together : bool, default=False
            All boundaries in one picture; two classes only.
        columns : int, default=3
            Panels in a row.
        title : str, optional
            Of one picture: instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            At the right in a figure of its own, inside in given axes.
        aspect : {"auto", "equal", "free"}, default="auto"
            Whether a unit is as long on both axes. "auto": where their ranges differ by at most five times.
        most_rows : int, default=2000
            Of more rows so many are drawn at random, and the picture says so.

        Returns
        -------
        ComparisonDisplay
            Drawn.
        """
        if together:
            return self._plot_together(ax, title, legend, aspect, most_rows)
        panels = len(self.displays)
        columns = min(columns, panels)
        height = size_for(*self.displays[0]._view(aspect), 3.3, 0.2)[1] + 0.2
        size = (2.7 * columns + 1.6, height * -(-panels // columns))
        if ax is None:
            own = self._start(None, figsize=size, rows=-(-panels // columns), columns=columns)
        else:
            own = self._start(ax, figsize=size, columns=panels)
        for spare in self.axes_[panels:]:
            spare.remove()
        self.axes_ = self.axes_[:panels]
        rows, left_out = sample(len(self.displays[0].points), most_rows)
        entries: dict[str, Any] = {}
        for place, (panel, name, display) in enumerate(
            zip(self.axes_, self.names, self.displays, strict=True)
        ):
            for handle, words in display._draw(panel, rows, aspect, small=True):
                entries.setdefault(words, handle)
            write_title(panel, f"{shown(name, 28)}\n{_wrong(display)}")
            if place % columns:
                panel.set_ylabel("")
        write_note(self.axes_[0], "\n".join(filter(None, (self.displays[0].note, left_out))))
        pairs = [(handle, words) for words, handle in entries.items()]
        write_legend(self.axes_[columns - 1], pairs, legend or ("right" if own else "none"), own)
        return self

    def _plot_together(
        self, ax: Any, title: str | None, legend: str | None, aspect: str, most_rows: int
    ) -> ComparisonDisplay:
        first = self.displays[0]
        if len(first.classes) != 2:
            raise ValueError("boundaries of several classes don't fit into one picture: use together=False")
        box, equal = first._view(aspect)
        own = self._start(ax, figsize=size_for(box, equal, 6.4, 2.1))
        ax = self.ax_
        rows, left_out = sample(len(first.points), most_rows)
        entries = draw_rows(ax, first.points, first.places, first.classes, rows=rows, grey=True)
        lines = [_draw_boundary(ax, display, box, place) for place, display in enumerate(self.displays)]
        named = [
            (line, f"{shown(name, 28)}: {_wrong(display)}")
            for line, name, display in zip(lines, self.names, self.displays, strict=True)
        ]
        frame(ax, box, first.names, equal)
        write_title(ax, self._finding() if title is None else title)
        write_note(ax, "\n".join(filter(None, (first.note, left_out))))
        write_legend(ax, named + entries, legend, own)
        return self

    def _finding(self) -> str:
        wrong = [len(display.wrong) for display in self.displays]
        best, worst = int(np.argmin(wrong)), int(np.argmax(wrong))
        if wrong[best] == wrong[worst]:
            return f"Each is wrong on {count(wrong[0], 'row')}" if wrong[0] else "None is wrong on any row"
        good, bad = shown(self.names[best]), shown(self.names[worst])
        return f"{good} is wrong on {count(wrong[best], 'row')}, {bad} on {wrong[worst]:,}"


def _wrong(display: BoundaryDisplay) -> str:
    return f"{len(display.wrong):,} of {len(display.points):,} wrong"


def _draw_boundary(ax: Axes, display: BoundaryDisplay, box: Box, place: int) -> Any:
    from matplotlib.lines import Line2D

    look: dict[str, Any] = {"color": palette_of(ax).of_classifier(place), "linewidth": 2.2, "zorder": 4}
    style = DASHES[place % len(DASHES)]
    if display.slice.lines is None:
        across, up = np.linspace(box[0], box[1], 161), np.linspace(box[2], box[3], 161)
        scores = display.slice.scores(across, up)[0]
        ax.contour(
            across,
            up,
            scores,
            levels=[0],
            colors=[look["color"]],
            linewidths=2.2,
            linestyles=[style],
            zorder=4,
        )
        return Line2D([], [], linestyle=style, **look)
    line = display.slice.lines[0]
    ends = clipped_line((line[0], line[1], line[2]), box)
    if ends is None:
        return Line2D([], [], linestyle=style, **look)
    (drawn,) = ax.plot(ends[:, 0], ends[:, 1], linestyle=style, **look)
    return drawn
