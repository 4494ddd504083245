"""HullsDisplay: convex hulls of the classes, and the point that proves that no boundary separates them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._proof.words import capitalized
from ._axes import Display, size_for, write_legend, write_note, write_title
from ._marks import draw_rows, frame, view_of
from ._plane import hull
from ._read import pairs_of, require_proof
from ._rows import (
    Array,
    Places,
    axis_names,
    check_length,
    chosen_features,
    classes_of,
    columns_of,
    feature_names_of,
    sample,
)
from ._style import count, palette_of, short, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, kw_only=True, repr=False)
class HullsDisplay(Display):
    """Convex hulls of the classes, with the witness of a certificate or the nearest points of a hard margin.

    Rows can be separated exactly where the hulls of their classes have no point in common. A point in both
    (◆) proves that no linear classifier is right on all rows; spokes lead to the rows it is a weighted mean
    of, as wide as their share. Where the hulls are apart, the segment between their nearest points is twice
    the margin. Make one by :meth:`from_rows` or :meth:`from_estimator`.

    Parameters
    ----------
    points : ndarray of shape (n_rows, 2)
        The two features of each row.
    places : ndarray of shape (n_rows,)
        The place of each row's class in `classes`.
    classes : ndarray
        The class labels, the positive one last.
    names : (str, str)
        Of the two features.
    common_point : ndarray of shape (2,), optional
        A point in both hulls.
    witness : ndarray, optional
        The rows it is a mean of.
    shares : ndarray, optional
        Their weights in it, those of each class summing to 1.
    nearest : ndarray of shape (2, 2), optional
        The nearest points of two hulls that are apart.
    title, note : str
        What is written above and below.

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
    >>> from linsep.plot import HullsDisplay
    >>> X, y = [[0., 0.], [0., 1.], [1., 0.], [1., 1.]], [-1, 1, 1, -1]
    >>> display = HullsDisplay.from_rows(X, y, certificate=linsep.certify(X, y))
    >>> display.ax_.get_title(loc="left")
    'No linear classifier separates these rows: 4 of them prove it'
    """

    points: Array
    places: Places
    classes: NDArray[Any]
    names: tuple[str, str]
    common_point: Array | None = None
    witness: Places = field(default_factory=lambda: np.empty(0, np.int64))
    shares: Array = field(default_factory=lambda: np.empty(0))
    nearest: Array | None = None
    title: str = ""
    note: str = ""

    @classmethod
    def from_rows(
        cls,
        X: Any,
        y: Any,
        *,
        certificate: Any = None,
        features: Sequence[int | str] | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> HullsDisplay:
        """Draw labeled rows, with what a certificate proves about them.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.
        certificate : linsep.Certificate, optional
            Of the same rows, by :func:`linsep.certify`; it is checked against them first.
        features : pair of int or str, optional
            Which features are the axes; the first two by default. Of more features the hulls' shadows are
            drawn, which may meet where the hulls don't; a common point is in both of them.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        HullsDisplay
            Drawn.
        """
        display = cls._of(X, y, None, features)
        if certificate is not None:
            require_proof(certificate, X, y)
            display._take_certificate(certificate, X, features)
        return display.plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> HullsDisplay:
        """Draw the rows of a :class:`linsep.HardMarginClassifier` and the nearest points of their hulls.

        Parameters
        ----------
        estimator : HardMarginClassifier
            Fitted to these rows.
        X : array-like of shape (n_rows, n_features)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.
        features : pair of int or str, optional
            Which features are the axes; the first two by default.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        HullsDisplay
            Drawn.
        """
        weights = getattr(estimator, "hull_weights_", None)
        if weights is None:
            raise ValueError(
                "only a fitted HardMarginClassifier has the nearest points of the hulls; "
                "from_rows draws any rows"
            )
        if getattr(estimator, "map", "none") != "none" or not getattr(estimator, "fit_intercept", True):
            raise ValueError(
                "nearest points of hulls need a classifier with an intercept and without a map"
            )
        display = cls._of(X, y, estimator, features)
        rows, share = pairs_of(weights)
        chosen = chosen_features(features, feature_names_of(X, estimator))
        values = columns_of(X, chosen)[rows]
        sides = [display.places[rows] == place for place in (0, 1)]
        if all(share[side].sum() > 0 for side in sides):
            display.nearest = np.array([share[side] @ values[side] / share[side].sum() for side in sides])
            display.witness, display.shares = rows, share
            apart = 2 * float(estimator.margin_)
            display.title = f"The hulls have no point in common: they are {short(apart)} apart"
        return display.plot(ax, **kwargs)

    @classmethod
    def _of(cls, X: Any, y: Any, estimator: Any, features: Sequence[int | str] | None) -> HullsDisplay:
        check_length(X, y)
        names = feature_names_of(X, estimator)
        if len(names) < 2:
            raise ValueError("hulls are drawn in the plane of two features, but there is only one")
        chosen = chosen_features(features, names)
        classes, places = classes_of(y, estimator)
        note = f"Shadows of hulls in {len(names):,} features." if len(names) > 2 else ""
        title = " and ".join(
            f"{count(int((places == place).sum()), 'row')} of class {shown(classes[place], 20)}"
            for place in range(len(classes))
        )
        return cls(
            points=columns_of(X, chosen),
            places=places,
            classes=classes,
            names=axis_names(names, chosen),
            note=note,
            title=title if len(classes) == 2 else f"Convex hulls of {len(classes)} classes",
        )

    def _take_certificate(self, certificate: Any, X: Any, features: Sequence[int | str] | None) -> None:
        witness = certificate.witness
        if witness is not None and len(witness):
            self.witness = np.array([int(entry["row"]) for entry in witness], dtype=np.int64)
            self.shares = np.array([float(entry["share"]) for entry in witness])
        mapped, point = str(certificate.map) != "none", certificate.common_point
        if point is not None and len(point) and not mapped:
            chosen = list(chosen_features(features, feature_names_of(X)))
            self.common_point = np.asarray(point, dtype=np.float64)[chosen]
        self.title = _finding(certificate, mapped, len(self.witness)) or self.title

    def plot(
        self,
        ax: Any = None,
        *,
        title: str | None = None,
        legend: str | None = None,
        aspect: str = "auto",
        most_rows: int = 2000,
    ) -> HullsDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str, optional
            Instead of the finding; "" for none.
        legend : {"inside", "right", "below", "none"}, optional
            At the right in a figure of its own, inside in given axes.
        aspect : {"auto", "equal", "free"}, default="auto"
            Whether a unit is as long on both axes. "auto": where their ranges differ by at most five times.
        most_rows : int, default=2000
            Of more rows so many are drawn at random, those of the witness among them; the hulls are those of
            all rows.

        Returns
        -------
        HullsDisplay
            Drawn.
        """
        box, equal = view_of(self.points, aspect)
        own = self._start(ax, figsize=size_for(box, equal, 6.4, 1.4))
        ax, palette = self.ax_, palette_of(self.ax_)
        rows, left_out = sample(len(self.points), most_rows)
        rows = np.union1d(rows, self.witness)
        entries = draw_rows(ax, self.points, self.places, self.classes, rows=rows)
        for place in range(len(self.classes)):
            outline = hull(self.points[self.places == place])
            colour = palette.of_class(place)
            ax.fill(outline[:, 0], outline[:, 1], facecolor=colour, alpha=palette.tint, linewidth=0, zorder=0)
            closed = np.vstack([outline, outline[:1]])
            flat: dict[str, Any] = {"linewidth": 9, "alpha": 0.3} if len(outline) <= 2 else {"linewidth": 1.2}
            ax.plot(closed[:, 0], closed[:, 1], color=colour, zorder=1, solid_capstyle="round", **flat)
        entries += self._draw_witness(ax) + self._draw_nearest(ax)
        frame(ax, box, self.names, equal)
        write_title(ax, self.title if title is None else title)
        write_note(ax, "\n".join(filter(None, (self.note, left_out))))
        write_legend(ax, entries, legend, own)
        return self

    def _draw_witness(self, ax: Axes) -> list[tuple[Any, str]]:
        if len(self.witness) == 0 or self.nearest is not None:
            return []
        colour, rows = palette_of(ax).witness, self.points[self.witness]
        look: dict[str, Any] = {"facecolors": "none", "edgecolors": colour, "linewidths": 1.4}
        ring = ax.scatter(rows[:, 0], rows[:, 1], s=110, zorder=4, **look)
        entries: list[tuple[Any, str]] = [(ring, f"witness ({count(len(rows), 'row')})")]
        if self.common_point is None:
            return entries
        for row, share in zip(rows, self.shares, strict=True):
            ends = np.array([self.common_point, row])
            width = 0.8 + 3.2 * float(share)
            ax.plot(*ends.T, color=colour, linewidth=width, alpha=0.75, zorder=2, solid_capstyle="butt")
        look = {"markersize": 8, "markeredgecolor": palette_of(ax).ground}
        (diamond,) = ax.plot(*self.common_point, "D", color=colour, zorder=5, **look)
        return [(diamond, "in both hulls"), *entries]

    def _draw_nearest(self, ax: Axes) -> list[tuple[Any, str]]:
        if self.nearest is None:
            return []
        ink = palette_of(ax).ink
        (segment,) = ax.plot(
            self.nearest[:, 0],
            self.nearest[:, 1],
            color=ink,
            linewidth=1.6,
            marker="D",
            markersize=5,
            zorder=4,
        )
        return [(segment, "nearest points")]


_LONG = 200  # characters of a sentence


def _finding(certificate: Any, mapped: bool, witness: int) -> str:
    core = certificate._core
    if certificate.verdict == "separable":
        plain = not (mapped or certificate.origin)
        return shown(f"A {core.classifier} {core.separates}", _LONG) + (": the hulls have no point in common" if plain else "")
    if certificate.verdict == "quasi-separable":
        return f"{capitalized(shown(core.not_separable, _LONG))}: {witness:,} of them prove it; others can be separated"
    if certificate.verdict == "overlapping":
        return f"{capitalized(shown(core.not_separable, _LONG))}: {witness:,} of them prove it"
    return ""
