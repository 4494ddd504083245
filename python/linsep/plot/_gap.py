"""GapDisplay: how the objective and its proven lower bound close in on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._axes import Display, soften, whole_numbers, write_legend, write_title
from ._read import history_column
from ._rows import Array
from ._style import palette_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MANY = 50
"""With more passes, the axis is logarithmic."""


@dataclass(eq=False, kw_only=True, repr=False)
class GapDisplay(Display):
    """The objective, its lower bound and the relative gap between them, by pass and by second.

    The optimum is always between the two curves above. Above, passes with a gap over a half
    may leave the picture. The gap below is (objective − bound)/objective:
    training ends when it is at most the gap asked for. Make one by :meth:`from_estimator`.

    Parameters
    ----------
    passes, seconds : ndarray of shape (n_passes,)
        When a pass ended.
    objective, gap : ndarray of shape (n_passes,)
        What was certified then.
    asked : float, optional
        The gap asked for.
    title : str
        What is written above.

    Attributes
    ----------
    axes_ : list of matplotlib.axes.Axes
        The axes of the panels: objective, then gap; with both by pass and by second, row by row.
    ax_ : matplotlib.axes.Axes
        The first of them.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from linsep import MarginClassifier
    >>> from linsep.plot import GapDisplay
    >>> X, y = [[1.25, 0.], [2., 0.], [0., 1.], [0., -1.]], [1, 1, -1, -1]
    >>> display = GapDisplay.from_estimator(MarginClassifier().fit(X, y))
    >>> [ax.get_ylabel() for ax in display.axes_]
    ['objective', 'gap']
    """

    passes: Array
    seconds: Array
    objective: Array
    gap: Array
    asked: float | None = None
    title: str = ""

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **kwargs: Any) -> GapDisplay:
        """Draw the history of a fitted margin classifier.

        Parameters
        ----------
        estimator : MarginClassifier, MarginClassifierCV or HardMarginClassifier
            Fitted.
        ax : matplotlib.axes.Axes or several, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        GapDisplay
            Drawn.
        """
        gap = history_column(estimator, "gap")
        there = np.isfinite(gap)
        if not there.any():
            raise ValueError(
                f"{type(estimator).__name__} has no certified gap: this picture is for margin classifiers"
            )
        passes, objective = (
            history_column(estimator, "pass")[there],
            history_column(estimator, "objective")[there],
        )
        last = float(gap[there][-1])
        words = f"{int(passes[-1]):,} pass{'' if passes[-1] == 1 else 'es'}"
        return cls(
            passes=passes,
            seconds=history_column(estimator, "seconds")[there],
            objective=objective,
            gap=gap[there],
            asked=getattr(estimator, "gap", None),
            title=f"Certified gap {short(last)} after {words}",
        ).plot(ax, **kwargs)

    def plot(
        self, ax: Any = None, *, by: str = "pass", title: str | None = None, legend: str | None = None
    ) -> GapDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or several, optional
            Where to draw; one Axes is divided. A new figure by default.
        by : {"pass", "seconds", "both"}, default="pass"
            What runs along the x axis; "both" draws two columns.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            Inside by default.

        Returns
        -------
        GapDisplay
            Drawn.
        """
        along = {"pass": ["pass"], "seconds": ["seconds"], "both": ["pass", "seconds"]}.get(by)
        if along is None:
            raise ValueError(f'by is "pass", "seconds" or "both", not {by!r}')
        wide = len(along)
        self._start(
            ax, figsize=(6.4 if wide == 1 else 8.0, 4.6), rows=2, columns=wide, height_ratios=(1.6, 1)
        )
        for column, what in enumerate(along):
            upper, lower = self.axes_[column], self.axes_[wide + column]
            x = self.passes if what == "pass" else self.seconds
            entries = self._draw_objective(upper, x)
            self._draw_gap(lower, x)
            lower.sharex(upper)
            upper.tick_params(labelbottom=False)
            if len(x) > _MANY and x[0] > 0:
                lower.set_xscale("log")
            elif what == "pass":
                whole_numbers(lower.xaxis)
            lower.set_xlabel(what)
            if column == 0:
                upper.set_ylabel("objective")
                lower.set_ylabel("gap")
                write_legend(upper, entries, legend or "inside", False)
        write_title(self.ax_, self.title if title is None else title)
        return self

    def _draw_objective(self, ax: Axes, x: Array) -> list[tuple[Any, str]]:
        palette = palette_of(ax)
        soften(ax, grid="y")
        bound = self.objective * (1 - self.gap)
        dot = "." if len(x) <= 40 else None
        ax.fill_between(x, bound, self.objective, color=palette.of_class(1), alpha=0.1, linewidth=0)
        (above,) = ax.plot(x, self.objective, color=palette.ink, linewidth=2, marker=dot)
        (below,) = ax.plot(x, bound, color=palette.muted, linewidth=1.4, linestyle=(0, (5, 3)), marker=dot)
        near = self.gap <= 0.5
        if near.any():
            low, high = float(bound[near].min()), float(self.objective[near].max())
            room = 0.08 * (high - low) or 0.08 * abs(high) or 1.0
            ax.set_ylim(low - room, high + room)
        return [(above, "objective"), (below, "at least (proven)")]

    def _draw_gap(self, ax: Axes, x: Array) -> None:
        palette = palette_of(ax)
        soften(ax, grid="y")
        positive = np.where(self.gap > 0, self.gap, np.nan)
        ax.plot(x, positive, color=palette.ink, linewidth=1.6, marker="." if len(x) <= 40 else None)
        ax.set_yscale("log")
        if self.asked:
            ax.axhline(self.asked, color=palette.muted, linewidth=1.2, linestyle=(0, (5, 3)))
            ax.annotate(
                f"asked for: {short(self.asked)}",
                (0.01, self.asked),
                xycoords=ax.get_yaxis_transform(),
                xytext=(0, 3),
                textcoords="offset points",
                ha="left",
                fontsize="small",
                color=palette.muted,
            )
