"""Texts that fit into a width in pixels: cut at the end, or, where the end tells them apart, in the middle."""

from __future__ import annotations

from imgui_bundle import imgui

from pipeline.short_text import BEGINNING, cut, short_operator


def shortened(text: str, width: float) -> str:
    """A text that fits into `width` pixels, ending in … if it had to be cut."""
    return cut(text, width, _width)


def shortened_name(name: str, width: float) -> str:
    """A name that fits into `width` pixels, with … in its middle if it had to be cut."""
    return cut(name, width, _width, beginning=BEGINNING)


def shortened_operator(operator: str, width: float) -> str:
    """What a pass computes, in `width` pixels; of many nodes the first ones, the last and their number."""
    return short_operator(operator, width, _width)


def _width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)
