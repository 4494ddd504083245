"""The visual language of every picture: colors, marks, words, and matplotlib, which is imported only here.

A class is a color *and* a shape. The colors of the light palette have a contrast of at least 4.7 to 1 on
white, those of the dark one on near-black; which of them is taken depends on the ground of the axes drawn on,
so a picture fits ``plt.style.context("dark_background")`` as well. Nothing here sets a parameter of
matplotlib.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = ("o", "+", "^", "s", "x", "D", "v", "*")
"""One per class, in order; with two classes, the first is the negative one."""

DASHES: tuple[Any, ...] = ("-", (0, (9, 5)), (0, (3, 4)), (0, (1, 3)))
"""One per classifier in a picture of several, in order."""


@dataclass(frozen=True)
class Palette:
    """Colors for one kind of ground."""

    ground: str
    ink: str
    muted: str
    grid: str
    classes: tuple[str, ...]
    witness: str
    feasible: str
    tint: float
    """How opaque the background of a class is."""

    def of_class(self, place: int) -> str:
        return self.classes[place % len(self.classes)]

    def of_classifier(self, place: int) -> str:
        order = (self.classes[1], self.classes[0], self.feasible, self.witness)
        return order[place % len(order)]


LIGHT = Palette(
    ground="#ffffff",
    ink="#1b2330",
    muted="#566173",
    grid="#d9dee6",
    classes=("#b6500b", "#0b62a8", "#0f766e", "#a0187a", "#566173"),
    witness="#a0187a",
    feasible="#0f766e",
    tint=0.09,
)
DARK = Palette(
    ground="#12161c",
    ink="#eef2f7",
    muted="#a3afbf",
    grid="#333d4a",
    classes=("#f0a05a", "#6db3f2", "#4fd1c1", "#ee86cf", "#a3afbf"),
    witness="#ee86cf",
    feasible="#4fd1c1",
    tint=0.16,
)


def palette_of(ax: Axes) -> Palette:
    """Light or dark, by the ground of the axes (or of the figure, where the axes are transparent)."""
    from matplotlib.colors import to_rgba

    red, green, blue, alpha = to_rgba(ax.get_facecolor())
    if alpha < 0.5:
        red, green, blue, alpha = to_rgba(ax.figure.figure.get_facecolor())
    if alpha < 0.5:
        return LIGHT
    return LIGHT if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 else DARK


def pyplot() -> Any:
    """``matplotlib.pyplot``, or an error that says how to get it."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "linsep.plot draws with matplotlib, which isn't installed: pip install linsep[plot]"
        ) from error
    return matplotlib.pyplot


def marker_of(place: int) -> str:
    """The shape of a class."""
    return MARKERS[place % len(MARKERS)]


def shown(name: object, most: int = 40) -> str:
    """A name of the user's as text that matplotlib draws as it is.

    No formulas (``$``), no line breaks and no characters that turn the direction of text; cut at `most`
    characters.
    """
    text = "".join(_shown_character(character) for character in str(name)[: 4 * most])
    if len(text) > most:
        text = text[: most - 1] + "…"
    return text.replace("$", r"\$") or "(no name)"


def _shown_character(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") else character


def count(number: int, noun: str) -> str:
    """``1 row``, ``2,000 rows``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def short(value: float) -> str:
    """A number of four digits with a true minus sign."""
    if value == 0:
        return "0"
    return f"{value:.4g}".replace("e-0", "e-").replace("e+0", "e").replace("-", "−")
