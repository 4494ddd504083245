"""TraceDisplay: θ on its way through training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._axes import Display, soften, whole_numbers, write_legend, write_note, write_title
from ._plane import box_around, squarer
from ._read import Trace, trace_of
from ._rows import chosen_features
from ._style import DASHES, count, palette_of, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LINES = 8


@dataclass(eq=False, kw_only=True, repr=False)
class TraceDisplay(Display):
    """Weights after each correction of a perceptron: a path in the plane of two, or line by line.

    Each arrow of the path is one correction, η·y·x of the row named beside it. Make one by
    :meth:`from_estimator`, of a perceptron that was fitted with ``trace=True``.

    Parameters
    ----------
    trace : Trace
        θ and θ0 at the start and after each correction.
    names : list of str
        Of the features.
    kind : {"path", "lines"}
        What is drawn.
    features : pair of int
        The two weights of a path.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from linsep import Perceptron
    >>> from linsep.plot import TraceDisplay
    >>> X, y = [[-1., -1.], [1., 0.], [-1., 10.]], [1, -1, 1]
    >>> perceptron = Perceptron(fit_intercept=False, trace=True).fit(X, y)
    >>> TraceDisplay.from_estimator(perceptron).ax_.get_title(loc="left")
    'θ after each of 6 corrections'
    """

    trace: Trace
    names: list[str]
    kind: str = "path"
    features: tuple[int, ...] = (0, 1)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        kind: str | None = None,
        features: Sequence[int | str] | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> TraceDisplay:
        """Draw the trace of a fitted perceptron.

        Parameters
        ----------
        estimator : Perceptron or KernelPerceptron
            Fitted with ``trace=True``, two classes.
        kind : {"path", "lines"}, optional
            By default a path where there are two features, else lines.
        features : pair of int or str, optional
            Which weights make the path; the first two by default.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        TraceDisplay
            Drawn.
        """
        trace = trace_of(estimator)
        if trace is None:
            raise ValueError(
                "there is no trace of θ: fit a Perceptron with trace=True on rows that it gets wrong at first"
            )
        columns = trace.theta.shape[1]
        names = getattr(estimator, "coef_names_", None)
        names = getattr(estimator, "feature_names_in_", None) if names is None else names
        names = (
            [f"x{place + 1}" for place in range(columns)] if names is None else [str(name) for name in names]
        )
        kind = kind or ("path" if columns == 2 else "lines")
        if kind not in ("path", "lines"):
            raise ValueError(f'kind is "path" or "lines", not {kind!r}')
        if kind == "path" and columns < 2:
            raise ValueError('a path needs two weights, but there is only one: use kind="lines"')
        chosen = chosen_features(features, names)
        return cls(trace=trace, names=names, kind=kind, features=chosen).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, title: str | None = None, legend: str | None = None) -> TraceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            At the right in a figure of its own, inside in given axes.

        Returns
        -------
        TraceDisplay
            Drawn.
        """
        own = self._start(ax, figsize=(6.4, 4.6))
        ax, steps = self.ax_, len(self.trace.rows) - 1
        entries = self._draw_path(ax) if self.kind == "path" else self._draw_lines(ax)
        write_title(ax, f"θ after each of {count(steps, 'correction')}" if title is None else title)
        write_legend(ax, entries, legend, own)
        return self

    def _draw_path(self, ax: Axes) -> list[tuple[Any, str]]:
        palette, first, second = palette_of(ax), *self.features
        path = self.trace.theta[:, [first, second]]
        steps = len(path) - 1
        arrow = {"arrowstyle": "->", "color": palette.muted, "linewidth": 1.2, "shrinkA": 2, "shrinkB": 2}
        for here, there in zip(path[:-1], path[1:], strict=True) if steps <= 200 else ():
            if np.any(here != there):
                ax.annotate("", there, here, arrowprops=arrow, zorder=2)
        (way,) = ax.plot(
            path[:, 0],
            path[:, 1],
            color=palette.muted,
            marker="." if steps <= 200 else None,
            linestyle="none" if steps <= 200 else "-",
            linewidth=0.9,
            zorder=3,
        )
        (start,) = ax.plot(
            *path[0], "s", markerfacecolor="none", markeredgecolor=palette.ink, markersize=8, zorder=4
        )
        (end,) = ax.plot(*path[-1], "o", color=palette.ink, markersize=8, zorder=4)
        box = squarer(box_around(path, 0.12))
        ax.set_xlim(box[0], box[1])
        ax.set_ylim(box[2], box[3])
        if max(box[1] - box[0], box[3] - box[2]) <= 5 * min(box[1] - box[0], box[3] - box[2]):
            ax.set_aspect("equal", adjustable="box")
        if steps <= 25:
            _name_steps(ax, path, self.trace.rows)
        ax.set_xlabel(f"θ{first + 1}, the weight of {shown(self.names[first])}")
        ax.set_ylabel(f"θ{second + 1}, the weight of {shown(self.names[second])}")
        more = f"Two of {self.trace.theta.shape[1]:,} weights." if self.trace.theta.shape[1] > 2 else ""
        rows = "Numbers are the rows corrected." if steps <= 25 else ""
        write_note(ax, " ".join(filter(None, (more, rows))))
        return [(start, "start"), (way, "on the way"), (end, "end")]

    def _draw_lines(self, ax: Axes) -> list[tuple[Any, str]]:
        palette = palette_of(ax)
        soften(ax, grid="y")
        theta = self.trace.theta
        heaviest = np.argsort(-np.abs(theta[-1]), kind="stable")[:_MOST_LINES]
        entries: list[tuple[Any, str]] = []
        for place, column in enumerate(heaviest):
            style = DASHES[place % len(DASHES)]
            (line,) = ax.step(
                np.arange(len(theta) + 1),
                np.append(theta[:, column], theta[-1, column]),
                where="post",
                color=palette.of_class(place),
                linestyle=style,
                linewidth=1.8,
            )
            entries.append((line, shown(self.names[column], 24)))
        if self.trace.offset.any():
            (line,) = ax.step(
                np.arange(len(theta) + 1),
                np.append(self.trace.offset, self.trace.offset[-1]),
                where="post",
                color=palette.ink,
                linewidth=1.2,
            )
            entries.append((line, "intercept θ0"))
        ax.set_xlim(0, len(theta) - 0.5)
        whole_numbers(ax.xaxis)
        ax.set_xlabel("corrections made")
        ax.set_ylabel("weight")
        left_out = theta.shape[1] - len(heaviest)
        write_note(ax, f"The {len(heaviest)} heaviest of {theta.shape[1]:,} weights." if left_out else "")
        return entries


def _name_steps(ax: Axes, path: Any, rows: Any) -> None:
    """The row of each correction, beside the middle of its arrow."""
    palette = palette_of(ax)
    for here, there, row in zip(path[:-1], path[1:], rows[1:], strict=True):
        along = there - here
        length = float(np.hypot(*along))
        if length == 0:
            continue
        across = np.array([-along[1], along[0]]) / length
        ax.annotate(
            str(int(row)),
            (here + there) / 2,
            xytext=tuple(8 * across),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize="x-small",
            color=palette.ink,
        )
