"""PathDisplay: the held-out error along a path of penalties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._axes import Display, soften, write_legend, write_note, write_title
from ._read import path_of
from ._rows import Array
from ._style import count, palette_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_COUNTS = 8  # of features along the upper edge


@dataclass(eq=False, kw_only=True, repr=False)
class PathDisplay(Display):
    """Held-out error or loss along the path of λ, with the spread over the folds and the chosen λ.

    The band is one standard error of the folds' mean to either side. The dashed line is the error on the
    rows trained on: it falls on where the held-out one no longer does. Make one by
    :meth:`from_estimator`.

    Parameters
    ----------
    alphas : ndarray of shape (n_points,)
        λ of each classifier.
    values, spread : ndarray of shape (n_points,)
        What rows held out said, and the standard error of the folds' mean.
    chosen : int
        The place of the λ that was kept.
    training : ndarray of shape (n_points,), optional
        The share of mistakes on all rows.
    what : {"error", "loss"}
        What `values` are.
    features : ndarray of shape (n_points,), optional
        How many features have a weight, with an L1 part in the penalty: shown at the upper edge.
    weight : float, optional
        Of all rows: C = 1/(λ·weight) is shown at the upper edge, unless `features` are.
    folds : int
        How many there were.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import numpy as np
    >>> from linsep import MarginClassifierCV
    >>> from linsep.plot import PathDisplay
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> y = X[:, 0] + 0.5 * np.random.default_rng(1).normal(size=60) > 0
    >>> display = PathDisplay.from_estimator(MarginClassifierCV(alphas=[1, 0.1, 0.01], cv=3).fit(X, y))
    >>> display.ax_.get_ylabel()
    'held-out error'
    """

    alphas: Array
    values: Array
    spread: Array
    chosen: int
    training: Array | None = None
    what: str = "error"
    features: Array | None = None
    weight: float | None = None
    folds: int = 0

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        what: str | None = None,
        rows: int | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> PathDisplay:
        """Draw the path of a fitted :class:`linsep.MarginClassifierCV`.

        Parameters
        ----------
        estimator : MarginClassifierCV
            Fitted.
        what : {"error", "loss"}, optional
            What is drawn; by default what the λ was chosen by.
        rows : int, optional
            How many rows it was fitted to: then the training error is drawn beside the held-out one.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        PathDisplay
            Drawn.
        """
        if getattr(estimator, "path_", None) is None:
            raise ValueError("a path is what a fitted MarginClassifierCV leaves in path_")
        what = what or getattr(estimator, "choose", "error")
        if what not in ("error", "loss"):
            raise ValueError(f'what is "error" or "loss", not {what!r}')
        path = path_of(estimator, what)
        return cls(
            alphas=path.alphas,
            values=path.values,
            spread=path.spread,
            training=path.mistakes / rows if rows and what == "error" else None,
            chosen=int(estimator.chosen_),
            what=what,
            features=path.features,
            weight=path.weight,
            folds=path.folds,
        ).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, title: str | None = None, legend: str | None = None) -> PathDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            Inside by default.

        Returns
        -------
        PathDisplay
            Drawn.
        """
        self._start(ax, figsize=(6.4, 4.2))
        ax = self.ax_
        soften(ax, grid="y")
        entries = self._draw(ax)
        ax.set_xscale("log")
        ax.set_xlabel("λ (alpha): a stronger penalty to the right")
        ax.set_ylabel(f"held-out {self.what}")
        low = float(np.nanmin(self.values - np.nan_to_num(self.spread)))
        if low < 0.35 * float(np.nanmax(self.values)):
            ax.set_ylim(bottom=0)
        if self.features is None:
            self._draw_strengths(ax)
        else:
            self._draw_features(ax, self.features)
        write_title(ax, self._finding() if title is None else title)
        if self.folds:
            write_note(ax, f"Band: one standard error of the mean of {self.folds} folds.")
        write_legend(ax, entries, legend or "inside", False)
        return self

    def _draw(self, ax: Axes) -> list[tuple[Any, str]]:
        palette = palette_of(ax)
        colour, spread = palette.of_class(1), np.nan_to_num(self.spread)
        ax.fill_between(
            self.alphas, self.values - spread, self.values + spread, color=colour, alpha=0.14, linewidth=0
        )
        (line,) = ax.plot(self.alphas, self.values, color=colour, linewidth=2, marker="o", markersize=4)
        entries: list[tuple[Any, str]] = [(line, f"held-out {self.what}")]
        if self.training is not None and np.isfinite(self.training).any():
            (dashed,) = ax.plot(
                self.alphas, self.training, color=palette.muted, linewidth=1.4, linestyle=(0, (5, 3))
            )
            entries.append((dashed, "training error"))
        kept = self.alphas[self.chosen], self.values[self.chosen]
        (ring,) = ax.plot(
            *kept,
            "o",
            markersize=11,
            markerfacecolor="none",
            markeredgecolor=palette.ink,
            markeredgewidth=1.6,
        )
        ax.axvline(kept[0], color=palette.ink, linewidth=0.8, zorder=1)
        return [*entries, (ring, f"chosen, λ = {short(float(kept[0]))}")]

    def _draw_strengths(self, ax: Axes) -> None:
        """C along the upper edge."""
        if not self.weight:
            return
        weight = float(self.weight)

        def turn(values: ArrayLike) -> ArrayLike:
            with np.errstate(divide="ignore"):
                return np.asarray(1 / (np.asarray(values, dtype=np.float64) * weight))

        upper = ax.secondary_xaxis("top", functions=(turn, turn))
        upper.set_xlabel("C", fontsize="small")
        upper.tick_params(labelsize="small")

    def _draw_features(self, ax: Axes, counts: Array) -> None:
        """The number of features along the upper edge, at a few λ in equal steps of the axis."""
        position = np.log(self.alphas)
        wanted = np.linspace(position[0], position[-1], min(MOST_COUNTS, len(position)))
        places = np.unique([np.abs(position - one).argmin() for one in wanted])
        upper = ax.secondary_xaxis("top")
        upper.set_xticks(self.alphas[places], [f"{counts[place]:,}" for place in places])
        upper.minorticks_off()
        upper.set_xlabel("features with a weight", fontsize="small")
        upper.tick_params(labelsize="small")

    def _finding(self) -> str:
        value, spread = float(self.values[self.chosen]), float(self.spread[self.chosen])
        words = f" ± {short(spread)}" if spread > 1e-9 * abs(value) else ""
        kept = "" if self.features is None else f", {count(int(self.features[self.chosen]), 'feature')}"
        return f"Held-out {self.what} {short(value)}{words} at λ = {short(float(self.alphas[self.chosen]))}{kept}"
