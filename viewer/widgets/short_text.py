"""Cuts texts to a width in pixels: at the end, or in the middle where the end distinguishes them."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.layouts.outside_text import in_cell, printable
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator


def shortened(text: str, width: float) -> str:
    """Returns a text that fits into `width` pixels, ending in … if it had to be cut."""
    return cut(printable(text), width, _width)


def shortened_name(name: str, width: float) -> str:
    """Returns a name that fits into `width` pixels, with … in its middle if it had to be cut."""
    return cut(printable(name), width, _width, beginning=BEGINNING)


def shortened_operator(operator: str, width: float) -> str:
    """Returns a pass's operators in `width` pixels; of many nodes the first ones, the last and their number."""
    return short_operator(printable(operator), width, _width)


def as_label(text: str) -> str:
    """Escapes a name for the label of a button or a row: imgui would hide what follows `##`."""
    return in_cell(text).replace("##", "# #")


def short_number(value: float) -> str:
    """Formats a number with three digits in at most nine characters: -2.86e-4, 1.05, 12300."""
    text = f"{value:.3g}"
    if value and not 1e-3 <= abs(value) < 1e5:
        digits, _, power = f"{value:.2e}".partition("e")
        text = f"{digits}e{int(power)}" if power else digits
    return text


def _width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)
