"""MistakesDisplay: the mistakes of a perceptron by pass and in all, against their bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._axes import Display, soften, whole_numbers, write_note, write_title
from ._read import history_column, require_proof
from ._rows import Array
from ._style import count, palette_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS = 200


@dataclass(eq=False, kw_only=True, repr=False)
class MistakesDisplay(Display):
    """Mistakes by pass above, their sum below, with the bound (R/γ)² where one is known.

    On separable rows within radius R and with margin γ a perceptron that starts from 0 makes at most (R/γ)²
    mistakes, in any order of the rows. Make one by :meth:`from_estimator`.

    Parameters
    ----------
    mistakes : ndarray of shape (n_passes,)
        In each pass.
    bound : float, optional
        The most mistakes there can be.
    title : str
        What is written above.

    Attributes
    ----------
    axes_ : list of matplotlib.axes.Axes
        The axes of the two panels.
    ax_ : matplotlib.axes.Axes
        The first of them.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import linsep
    >>> from linsep.plot import MistakesDisplay
    >>> X, y = [[0., 0.], [0., 1.], [1., 0.], [1., 1.]], [-1, -1, -1, 1]
    >>> perceptron = linsep.Perceptron().fit(X, y)
    >>> display = MistakesDisplay.from_estimator(perceptron, certificate=linsep.certify(X, y))
    >>> display.ax_.get_title(loc="left")
    '18 mistakes in 9 passes; the theory allows at most 51'
    """

    mistakes: Array
    bound: float | None = None
    title: str = ""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        certificate: Any = None,
        X: Any = None,
        y: Any = None,
        bound: float | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> MistakesDisplay:
        """Draw the history of a fitted perceptron.

        Parameters
        ----------
        estimator : Perceptron or KernelPerceptron
            Fitted.
        certificate : linsep.Certificate, optional
            Of the rows that it was fitted to: its ``mistake_bound`` is drawn once it is checked.
        X, y : array-like, optional
            These rows, for a certificate from a file.
        bound : float, optional
            The bound itself, instead of a certificate.
        ax : matplotlib.axes.Axes or pair of them, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        MistakesDisplay
            Drawn.
        """
        mistakes = history_column(estimator, "mistakes")
        if len(mistakes) == 0 or np.isnan(mistakes).all():
            raise ValueError(
                f"{type(estimator).__name__} counts no mistakes: this picture is for perceptrons"
            )
        if bound is None and certificate is not None:
            require_proof(certificate, X, y)
            fitted = len(estimator.mistakes_by_row_), estimator.n_features_in_, estimator.fit_intercept
            if fitted != (certificate.rows, certificate.features, not certificate.origin):
                raise ValueError("the certificate isn't about the rows that the perceptron was fitted to")
            bound = certificate.mistake_bound
        display = cls(mistakes=np.nan_to_num(mistakes), bound=None if bound is None else float(bound))
        display.title = display._finding()
        return display.plot(ax, **kwargs)

    def _finding(self) -> str:
        total, passes = int(self.mistakes.sum()), len(self.mistakes)
        said = f"{count(total, 'mistake')} in {passes:,} pass{'' if passes == 1 else 'es'}"
        if self.bound is not None:
            return f"{said}; the theory allows at most {int(np.floor(self.bound)):,}"
        return said if self.mistakes[-1] == 0 else f"{said}, and no pass without one"

    def plot(self, ax: Any = None, *, title: str | None = None) -> MistakesDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or pair of them, optional
            Where to draw; one Axes is divided. A new figure by default.
        title : str, optional
            Instead of the finding; "" for none.

        Returns
        -------
        MistakesDisplay
            Drawn.
        """
        self._start(ax, figsize=(6.4, 4.6), rows=2, height_ratios=(1, 1.1))
        upper, lower = self.axes_
        lower.sharex(upper)
        group = -(-len(self.mistakes) // _MOST_BARS)
        self._draw_bars(upper, group)
        self._draw_sum(lower)
        upper.tick_params(labelbottom=False)
        last = len(self.mistakes)
        lower.set_xlim(0.5 if last < 30 else 0, last + (0.5 if last < 30 else 0.02 * last))
        whole_numbers(lower.xaxis)
        lower.set_xlabel("pass")
        write_title(upper, self.title if title is None else title)
        if group > 1:
            write_note(lower, f"A bar is the sum over {group} passes.")
        return self

    def _draw_bars(self, ax: Axes, group: int) -> None:
        soften(ax, grid="y")
        edges = np.arange(0, len(self.mistakes), group)
        heights = np.add.reduceat(self.mistakes, edges)
        widths = np.diff(np.append(edges, len(self.mistakes)))
        gap = 0.1 if len(edges) <= 50 else 0.0
        begin, width = edges + 0.5 + gap * widths, (1 - 2 * gap) * widths
        ax.bar(begin, heights, width=width, align="edge", color=palette_of(ax).muted)
        ax.set_ylim(0, 1.08 * max(1.0, heights.max()))
        whole_numbers(ax.yaxis)
        ax.set_ylabel("mistakes in a pass" if group == 1 else f"in {group} passes")

    def _draw_sum(self, ax: Axes) -> None:
        palette = palette_of(ax)
        soften(ax, grid="y")
        total = np.concatenate([[0], np.cumsum(self.mistakes)])
        passes = np.arange(len(total)) + 0.5
        ax.step(passes, total, where="post", color=palette.ink, linewidth=2)
        top = max(1.0, total[-1])
        if self.bound is not None:
            words = f"at most (R/γ)² = {int(np.floor(self.bound)):,}"
            if self.bound <= 3 * top:
                top = max(top, self.bound)
                ax.axhline(self.bound, color=palette.muted, linewidth=1.4, linestyle=(0, (5, 3)))
                ax.annotate(
                    words,
                    (0.01, self.bound),
                    xycoords=ax.get_yaxis_transform(),
                    xytext=(2, 4),
                    textcoords="offset points",
                    fontsize="small",
                    color=palette.muted,
                )
            else:
                ax.text(
                    0.02,
                    0.95,
                    f"{words}: far above this picture",
                    bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 1},
                    transform=ax.transAxes,
                    va="top",
                    fontsize="small",
                    color=palette.muted,
                )
        ax.set_ylim(0, 1.18 * top)
        whole_numbers(ax.yaxis)
        ax.set_ylabel("in all")
