"""Axes, legends and notes: where a picture is put and how it is labeled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._shown import Shown
from ._plane import Box
from ._style import palette_of, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure


class Display(Shown):
    """What every display has after ``plot``: the axes and the figure that were drawn on."""

    ax_: Axes
    axes_: list[Axes]
    figure_: Figure

    def __repr__(self) -> str:
        drawn = getattr(self, "ax_", None)
        return f"{type(self).__name__}({'' if drawn is None else drawn.get_title(loc='left')!r})"

    def _start(
        self, ax: Any, *, figsize: tuple[float, float], rows: int = 1, columns: int = 1, **grid: Any
    ) -> bool:
        """Sets ``axes_``, ``ax_`` and ``figure_``; returns whether the figure is one of its own.

        `ax` may be None (a new figure), one Axes (divided where the picture has several panels) or as many
        Axes as there are panels.
        """
        own = ax is None
        panels = rows * columns
        if own:
            figure = pyplot().figure(figsize=figsize, layout="compressed")
            figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
            self.axes_ = _panels(figure.add_gridspec(rows, columns, **grid), figure)
        elif isinstance(ax, Sequence) or hasattr(ax, "ravel"):
            self.axes_ = list(ax.ravel() if hasattr(ax, "ravel") else ax)
            if len(self.axes_) != panels:
                raise ValueError(f"this picture has {panels} panels, but ax holds {len(self.axes_)} axes")
        elif panels == 1:
            self.axes_ = [ax]
        else:
            self.axes_ = _divide(ax, rows, columns, grid)
        self.ax_ = self.axes_[0]
        self.figure_ = self.ax_.figure.figure
        return own


def size_for(box: Box, equal: bool, wide: float, aside: float) -> tuple[float, float]:
    """Width and height in inches of a figure for a picture of this box beside a legend of `aside` inches."""
    ratio = (box[3] - box[2]) / (box[1] - box[0]) if equal else 0.8
    return wide, min(4.0, max(1.4, (wide - aside - 0.8) * ratio)) + 0.8


def _panels(grid: Any, figure: Any) -> list[Axes]:
    return [figure.add_subplot(cell) for cell in grid]


def _divide(ax: Axes, rows: int, columns: int, grid: dict[str, Any]) -> list[Axes]:
    """The place of one Axes, divided; the Axes itself stays there without its frame."""
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError(
            f"this picture has {rows * columns} panels: give as many axes, or one of a figure's subplots()"
        )
    ax.set_axis_off()
    return _panels(place.subgridspec(rows, columns, **grid), ax.figure)


def write_title(ax: Axes, title: str | None) -> None:
    """The finding, at the left edge; nothing where it is None or empty."""
    if title:
        ax.set_title(title, loc="left", fontsize="medium")


def write_note(ax: Axes, note: str) -> None:
    """A muted line under the label of the x axis: how to read the picture, what was left out."""
    if note:
        ax.annotate(
            note,
            xy=(0.0, 0.0),
            xycoords=(ax.transAxes, ax.xaxis.label),
            xytext=(0, -4),
            textcoords="offset points",
            va="top",
            ha="left",
            fontsize="small",
            color=palette_of(ax).muted,
            annotation_clip=False,
            gid="linsep-note",
        )


def write_legend(ax: Axes, entries: Sequence[tuple[Any, str]], where: str | None, own: bool) -> None:
    """A legend of (handle, label) pairs.

    `where`: "inside", "right" or "below" the axes, "none", or None: at the right in a figure of its own, else
    inside.
    """
    places = ("inside", "right", "below", "none")
    if where is not None and where not in places:
        raise ValueError(f"legend is one of {', '.join(places)}, not {where!r}")
    where = where or ("right" if own else "inside")
    if where == "none" or not entries:
        return
    handles, labels = [handle for handle, _ in entries], [label for _, label in entries]
    look: dict[str, Any] = {"fontsize": "small", "framealpha": 0.9, "edgecolor": palette_of(ax).grid}
    if where == "right":
        look |= {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
    elif where == "below":
        columns, down = min(len(handles), 3), 0.15 + 0.05 * _note_lines(ax)
        look |= {"loc": "upper center", "bbox_to_anchor": (0.5, -down), "ncols": columns, "frameon": False}
    else:
        look["loc"] = "best"
    # Older versions of matplotlib leave out labels that begin with "_", so they are written afterwards.
    for text, label in zip(ax.legend(handles, ["x"] * len(handles), **look).get_texts(), labels, strict=True):
        text.set_text(label)


def _note_lines(ax: Axes) -> int:
    return sum(text.get_text().count("\n") + 1 for text in ax.texts if text.get_gid() == "linsep-note")


def soften(ax: Axes, *, grid: str | None = None) -> None:
    """Two spines, and rules in the direction asked for, behind everything."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    if grid is not None:
        ax.grid(axis=grid, color=palette_of(ax).grid, linewidth=0.8)  # type: ignore[arg-type]


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins="auto", integer=True))
