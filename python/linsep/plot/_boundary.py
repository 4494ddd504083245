"""BoundaryDisplay: what a classifier does in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._axes import Display, size_for, write_legend, write_note, write_title
from ._marks import draw_rings, draw_rows, draw_wrong, frame, view_of
from ._plane import Box, box_around
from ._read import maximizes_margin
from ._regions import draw_curved, draw_line, draw_regions
from ._rows import (
    Array,
    Places,
    axis_names,
    check_length,
    chosen_features,
    classes_of,
    columns_of,
    feature_names_of,
    name_of,
    sample,
)
from ._slice import Slice
from ._style import count, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, kw_only=True, repr=False)
class BoundaryDisplay(Display):
    """Rows, half-spaces and boundary of a classifier in the plane of two features.

    Rows of a class share color and shape; each side of the boundary has the tint of the class that is
    predicted there. Of a classifier with a margin the planes z = ±1 are dashed and support vectors have a
    ring. Rows on the wrong side have a ring with a bar. Make one by :meth:`from_estimator`.

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
    slice : Slice
        The classifier, restricted to the plane.
    margins : bool
        Whether z = ±1 is drawn.
    support, wrong : ndarray
        Row numbers of support vectors and of rows with a wrong prediction.
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
    >>> from linsep import HardMarginClassifier
    >>> from linsep.plot import BoundaryDisplay
    >>> X, y = [[0., 0.], [0., 1.], [1., 0.], [1., 1.]], [-1, -1, -1, 1]
    >>> display = BoundaryDisplay.from_estimator(HardMarginClassifier().fit(X, y), X, y)
    >>> display.ax_.get_title(loc="left")
    'No row is wrong; z = ±1 are 0.7071 apart'
    """

    points: Array
    places: Places
    classes: NDArray[Any]
    names: tuple[str, str]
    slice: Slice
    margins: bool = False
    support: Places = field(default_factory=lambda: np.empty(0, np.int64))
    wrong: Places = field(default_factory=lambda: np.empty(0, np.int64))
    title: str = ""
    note: str = ""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] | None = None,
        at: Any = None,
        margins: bool | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> BoundaryDisplay:
        """Draw a fitted classifier with labeled rows.

        Parameters
        ----------
        estimator : classifier
            Fitted; also of scikit-learn, and a pipeline, as long as it has ``decision_function``.
        X : array-like of shape (n_rows, n_features)
            The rows to draw.
        y : array-like of shape (n_rows,)
            Their classes.
        features : pair of int or str, optional
            Which features are the axes; the first two by default.
        at : array-like of shape (n_features,), optional
            Where the other features are held: the picture is a slice there. Their means by default.
        margins : bool, optional
            Draw z = ±1 and ring the support vectors. By default for classifiers that maximize a margin.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        BoundaryDisplay
            Drawn.
        """
        return cls._of(estimator, X, y, features=features, at=at, margins=margins).plot(ax, **kwargs)

    @classmethod
    def _of(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        features: Sequence[int | str] | None = None,
        at: Any = None,
        margins: bool | None = None,
    ) -> BoundaryDisplay:
        """The same as :meth:`from_estimator`, without drawing."""
        check_length(X, y)
        if not hasattr(estimator, "decision_function"):
            raise ValueError(
                f"a boundary is where a score is 0, but {name_of(estimator)} has no decision_function"
            )
        names = feature_names_of(X, estimator)
        places_of_axes = chosen_features(features, names)
        classes, places = classes_of(y, estimator)
        points = columns_of(X, places_of_axes)
        if points.shape[1] == 1:
            points = np.column_stack([points, np.zeros(len(points))])
        two = len(classes) == 2
        wrong = np.flatnonzero(np.asarray(estimator.predict(X)) != classes[places])
        margins = (two and maximizes_margin(estimator)) if margins is None else margins
        rings = (
            np.asarray(estimator.support(X, y))
            if margins and two and hasattr(estimator, "support")
            else wrong[:0]
        )
        cut_at = Slice.of(estimator, X, places_of_axes, at)
        return cls(
            points=points,
            places=places,
            classes=classes,
            names=axis_names(names, places_of_axes),
            slice=cut_at,
            margins=margins,
            support=rings.astype(np.int64),
            wrong=wrong,
            title=_finding(estimator, len(points), len(wrong), margins, cut_at),
            note=cut_at.sentence,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        title: str | None = None,
        legend: str | None = None,
        aspect: str = "auto",
        most_rows: int = 2000,
    ) -> BoundaryDisplay:
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
            Of more rows so many are drawn at random, and the picture says so.

        Returns
        -------
        BoundaryDisplay
            Drawn.
        """
        box, equal = self._view(aspect)
        own = self._start(ax, figsize=size_for(box, equal, 6.4, 1.5) if self.names[1] else (6.4, 2.4))
        rows, left_out = sample(len(self.points), most_rows)
        entries = self._draw(self.ax_, rows, aspect)
        write_title(self.ax_, self.title if title is None else title)
        write_note(self.ax_, "\n".join(filter(None, (self.note, left_out))))
        write_legend(self.ax_, entries, legend, own)
        return self

    def _view(self, aspect: str) -> tuple[Box, bool]:
        return view_of(self.points, aspect) if self.names[1] else (_strip(self.points), False)

    def _draw(self, ax: Axes, rows: Places, aspect: str, small: bool = False) -> list[tuple[Any, str]]:
        """All but the words; returns legend entries. Small: for a panel of several, without rings."""
        box, equal = self._view(aspect)
        scale = 0.55 if small else 1.0
        entries = draw_rows(ax, self.points, self.places, self.classes, rows=rows, scale=scale)
        entries += self._draw_classifier(ax, box)
        wrong = np.intersect1d(self.wrong, rows)
        if self.margins and not small:
            right = np.setdiff1d(np.intersect1d(self.support, rows), wrong)
            entries += draw_rings(ax, self.points[right], "support vector")
        entries += draw_wrong(ax, self.points[wrong], "wrong", scale)
        frame(ax, box, self.names, equal)
        return entries

    def _draw_classifier(self, ax: Axes, box: Box) -> list[tuple[Any, str]]:
        if self.slice.lines is None:
            return draw_curved(ax, self.slice, box, len(self.classes), self.margins)
        if len(self.slice.lines) == 1:
            return draw_line(ax, self.slice.lines[0], box, self.margins)
        return draw_regions(ax, self.slice.lines, box)


def _finding(estimator: Any, rows: int, wrong: int, margins: bool, cut_at: Slice) -> str:
    if cut_at.lines is not None and not np.any(cut_at.lines[:, :2]):
        return "The score doesn't depend on these features: there is no boundary to draw"
    said = (
        f"{wrong:,} of {count(rows, 'row')} {'is' if wrong == 1 else 'are'} wrong"
        if wrong
        else "No row is wrong"
    )
    if not margins or cut_at.lines is None or len(cut_at.lines) > 1:
        return said
    return f"{said}; z = ±1 are {short(2 / float(np.linalg.norm(estimator.coef_)))} apart"


def _strip(points: Array) -> Box:
    box = box_around(points[:, [0, 0]])
    return (box[0], box[1], -1.0, 1.0)
