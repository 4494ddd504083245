"""CoefficientsDisplay: the heaviest weights of a linear classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ._axes import Display, soften, write_note, write_title
from ._rows import Array, feature_names_of
from ._style import palette_of, short, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, kw_only=True, repr=False)
class CoefficientsDisplay(Display):
    """Bars of the heaviest weights; coefficients without a finite estimate are arrows to ±∞.

    A weight above 0 pulls towards the positive class and has its color; one below 0 is hatched too. Make one
    by :meth:`from_estimator`.

    Parameters
    ----------
    weights : ndarray of shape (n_features,)
        θ without the offset.
    names : list of str
        Of the features.
    classes : (str, str)
        What weights below and above 0 speak for.
    infinite : dict of str to int
        By name, +1 or −1: where an unpenalized logistic regression has no finite estimate.

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
    >>> from linsep.plot import CoefficientsDisplay
    >>> X, y = [[1.25, 0.], [2., 0.], [0., 1.], [0., -1.]], [1, 1, -1, -1]
    >>> display = CoefficientsDisplay.from_estimator(MarginClassifier().fit(X, y))
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['x1', 'x2']
    """

    weights: Array
    names: list[str]
    classes: tuple[str, str] = ("−", "+")
    infinite: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        label: Any = None,
        infinite: Any = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> CoefficientsDisplay:
        """Draw the weights of a fitted linear classifier or regressor.

        Parameters
        ----------
        estimator : estimator with ``coef_``
            Fitted.
        label : object, optional
            Of several classes: the one whose weights are drawn; the last by default.
        infinite : SeparationReport, Certificate or dict, optional
            What :func:`linsep.check_separation` found: names of coefficients that go to infinity, with +1 or
            −1.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        CoefficientsDisplay
            Drawn.
        """
        weights = getattr(estimator, "coef_", None)
        if weights is None:
            raise ValueError(
                f"{type(estimator).__name__} has no coef_: weights are those of a fitted linear estimator"
            )
        weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
        place, ends = _which(estimator, weights, label)
        names = getattr(estimator, "coef_names_", None)
        if names is None:
            names = feature_names_of(None, estimator, weights.shape[1])
        found = getattr(infinite, "infinite", infinite)
        signs = {str(name): int(sign) for name, sign in dict(found or {}).items()}
        display = cls(
            weights=weights[place], names=[str(name) for name in names], classes=ends, infinite=signs
        )
        return display.plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, most: int = 20, title: str | None = None) -> CoefficientsDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        most : int, default=20
            At most so many bars; those of infinite coefficients come first.
        title : str, optional
            Instead of the finding; "" for none.

        Returns
        -------
        CoefficientsDisplay
            Drawn.
        """
        order = self._order(most)
        self._start(ax, figsize=(6.4, 1.4 + 0.28 * max(3, len(order))))
        ax = self.ax_
        soften(ax, grid="x")
        self._draw_bars(ax, order)
        ax.set_yticks(range(len(order)), [shown(self.names[column], 28) for column in order])
        ax.set_ylim(len(order) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel(f"← {shown(self.classes[0], 20)}      weight      {shown(self.classes[1], 20)} →")
        write_title(ax, self._finding(order) if title is None else title)
        write_note(ax, self._note(order))
        return self

    def _order(self, most: int) -> list[int]:
        """Infinite ones first, then by size; weights of 0 only where nothing else is there."""
        infinite = np.array([name in self.infinite for name in self.names])
        ranked = np.lexsort((-np.abs(self.weights), ~infinite))
        return [int(column) for column in ranked[:most]]

    def _draw_bars(self, ax: Axes, order: list[int]) -> None:
        palette = palette_of(ax)
        infinite = [self.infinite.get(self.names[column], 0) for column in order]
        finite = [abs(self.weights[column]) for column, sign in zip(order, infinite, strict=True) if not sign]
        reach = 1.3 * (max(finite, default=0.0) or 1.0)
        for place, (column, sign) in enumerate(zip(order, infinite, strict=True)):
            weight = float(self.weights[column])
            above = (sign or weight) > 0
            colour = palette.of_class(1 if above else 0)
            look: dict[str, Any] = {"facecolor": colour} if above else {"facecolor": "none", "hatch": "/////"}
            if sign:
                arrow = {
                    "arrowstyle": "-|>",
                    "mutation_scale": 20,
                    "color": colour,
                    "linewidth": 4,
                    "shrinkA": 0,
                    "shrinkB": 0,
                }
                ax.annotate("", (sign * reach, place), (0, place), arrowprops=arrow)
                words = "+∞" if sign > 0 else "−∞"
            else:
                ax.barh(place, weight, height=0.62, edgecolor=colour, linewidth=1, **look)
                words = short(weight)
            end = sign * reach if sign else weight
            ax.annotate(
                words,
                (end, place),
                xytext=(4 if above or end == 0 else -4, 0),
                textcoords="offset points",
                va="center",
                ha="left" if above or end == 0 else "right",
                fontsize="small",
            )
        ax.axvline(0, color=palette.ink, linewidth=1)
        ax.set_xlim(*_limits(self.weights[order], infinite, reach))

    def _finding(self, order: list[int]) -> str:
        if self.infinite:
            number = len(self.infinite)
            return f"{number} coefficient{' has' if number == 1 else 's have'} no finite estimate"
        if not self.weights.any():
            return "Every weight is 0"
        return f"{shown(self.names[order[0]])} weighs most"

    def _note(self, order: list[int]) -> str:
        offsets = [
            f"{shown(name)} to {'+' if sign > 0 else '−'}∞"
            for name, sign in self.infinite.items()
            if name not in self.names
        ]
        return " ".join(
            filter(None, (self._rest(order), f"Not shown: {', '.join(offsets)}." if offsets else ""))
        )

    def _rest(self, order: list[int]) -> str:
        left = np.delete(self.weights, order)
        whole = float(self.weights @ self.weights)
        if not left.any():
            return f"The other {len(left):,} weights are 0." if len(left) else ""
        return (
            f"The rest: {len(left):,} weights, {short(round(100 * float(left @ left) / whole, 1))} % of ‖θ‖²."
        )


def _which(estimator: Any, weights: Array, label: Any) -> tuple[int, tuple[str, str]]:
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return 0, ("smaller", "greater")
    if len(weights) == 1:
        return 0, (str(classes[0]), str(classes[-1]))
    known = np.asarray(classes).tolist()
    label = known[-1] if label is None else label
    if label not in known:
        raise ValueError(f"the label {label!r} isn't one of the classes {known}")
    return known.index(label), ("the rest", str(label))


def _limits(weights: Array, infinite: list[int], reach: float) -> tuple[float, float]:
    """Room for the numbers beside the bars."""
    ends = [sign * reach if sign else float(weight) for weight, sign in zip(weights, infinite, strict=True)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = 0.2 * ((high - low) or 1.0)
    return low - (room if low < 0 else 0.02 * (high or 1)), high + (
        room if high > 0 or low == 0 else 0.02 * -low
    )
