"""Texts that fit into a width: cut at the end, or, where the end tells them apart, in the middle."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

DOTS = "…"
# Of what is left of a name so much is its beginning: layers of a block differ in what comes last.
BEGINNING = 0.3


def shortened(text: str, width: float) -> str:
    """A text that fits into `width` pixels, ending in … if it had to be cut."""
    return cut(text, width, _width)


def shortened_name(name: str, width: float) -> str:
    """A name that fits into `width` pixels, with … in its middle if it had to be cut."""
    return cut(name, width, _width, beginning=BEGINNING)


def cut(text: str, width: float, measure: Callable[[str], float], *, beginning: float = 1.0) -> str:
    """As many letters of `text` as `measure` finds to fit, `beginning` of them its first ones, the others its last."""
    if measure(text) <= width:
        return text
    fits, beyond = 0, len(text)
    while beyond - fits > 1:  # the longest that fits is between the two
        middle = (fits + beyond) // 2
        if measure(_kept(text, middle, beginning)) <= width:
            fits = middle
        else:
            beyond = middle
    return _kept(text, fits, beginning)


def _kept(text: str, count: int, beginning: float) -> str:
    first = round(count * beginning)
    return f"{text[:first]}{DOTS}{text[len(text) - (count - first) :]}"


def _width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)
