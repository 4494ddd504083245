"""ForestDisplay: the odds ratios of a logistic regression with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._axes import Display, soften, write_note, write_title
from ._style import palette_of, short, shown


@dataclass(eq=False, kw_only=True, repr=False)
class ForestDisplay(Display):
    """Odds ratios with their intervals, one below the other; an infinite end is an arrow.

    Make one by :meth:`from_result`, or by ``linsep.plot.forest``.

    Parameters
    ----------
    names : list of str
        Of the coefficients, without the intercept.
    ratios : list of (float, float, float)
        The odds ratio and both ends of its interval; 0 or infinite where the estimate is.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import linsep
    >>> X, ill = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 5]], [0, 1, 0, 1, 1]
    >>> display = linsep.plot.forest(linsep.logit(X, ill, feature_names=["dose", "age"]))
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['dose', 'age']
    """

    names: list[str]
    ratios: list[tuple[float, float, float]]

    @classmethod
    def from_result(cls, result: Any, *, ax: Any = None, **kwargs: Any) -> ForestDisplay:
        """Draw the odds ratios of a regression.

        Parameters
        ----------
        result : LogitResult
            What :func:`linsep.logit` returned.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        ForestDisplay
            Drawn.
        """
        found = {name: ends for name, ends in result.odds_ratios().items() if not np.isnan(ends).any()}
        return cls(names=list(found), ratios=list(found.values())).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, title: str | None = None) -> ForestDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str, optional
            Instead of the finding; "" for none.

        Returns
        -------
        ForestDisplay
            Drawn.
        """
        self._start(ax, figsize=(6.4, 1.4 + 0.34 * max(3, len(self.names))))
        ax = self.ax_
        soften(ax, grid="x")
        palette = palette_of(ax)
        numbers = [x for ends in self.ratios for x in ends if np.isfinite(x) and x > 0]
        low, high = min([1.0, *numbers]), max([1.0, *numbers])
        room = max(1.6, (high / low) ** 0.12)
        edges = low / room, high * room
        ax.set_xscale("log")
        ax.set_xlim(*edges)
        for place, (ratio, first, last) in enumerate(self.ratios):
            ends = [first if first > 0 else edges[0], last if np.isfinite(last) else edges[1]]
            colour = palette.of_class(1 if ratio > 1 else 0)
            ax.plot(ends, [place, place], color=colour, linewidth=1.6)
            for infinite, end, marker in ((not first > 0, ends[0], "<"), (np.isinf(last), ends[1], ">")):
                if infinite:
                    ax.plot([end], [place], marker, color=colour, markersize=8, clip_on=False)
            if np.isfinite(ratio) and ratio > 0:
                ax.plot([ratio], [place], "s", color=colour, markersize=6)
            words = "∞" if np.isinf(ratio) else short(ratio)
            ax.annotate(
                words,
                (min(max(ratio, edges[0]), edges[1]), place),
                xytext=(0, 5),
                textcoords="offset points",
                ha="right" if np.isinf(ratio) else "left" if ratio == 0 else "center",
                fontsize="small",
            )
        ax.axvline(1, color=palette.ink, linewidth=1)
        ax.set_yticks(range(len(self.names)), [shown(name, 28) for name in self.names])
        ax.set_ylim(len(self.names) - 0.4, -0.7)
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("odds ratio, with its interval")
        write_title(ax, self._finding() if title is None else title)
        infinite = [name for name, ends in zip(self.names, self.ratios, strict=True) if _open(ends)]
        write_note(ax, f"Arrows: no end, as the estimate of {', '.join(infinite)} is infinite." if infinite else "")
        return self

    def _finding(self) -> str:
        clear = sum(first > 1 or last < 1 for _, first, last in self.ratios)
        return f"{clear} of {len(self.names)} intervals leave out 1"


def _open(ends: tuple[float, float, float]) -> bool:
    return bool(np.isinf(ends[0]) or ends[0] == 0)


def forest(result: Any, *, ax: Any = None, title: str | None = None) -> ForestDisplay:
    """Draw the odds ratios of a regression with their intervals.

    Parameters
    ----------
    result : LogitResult
        What :func:`linsep.logit` returned.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    title : str, optional
        Instead of the finding; "" for none.

    Returns
    -------
    ForestDisplay
        Drawn.
    """
    return ForestDisplay.from_result(result, ax=ax, title=title)
