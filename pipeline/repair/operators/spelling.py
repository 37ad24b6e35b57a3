"""Reads and writes numbers as people do, and knows the signs of GLSL."""

from __future__ import annotations

import re

import numpy as np

SUMS, PRODUCTS = frozenset("+-"), frozenset("*/")
SIGNS = SUMS | PRODUCTS
COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
JOINING = frozenset({"&&", "||"})
# Each stands for the other where a quotient and a remainder belong together.
OF_DIVISION = {"/": "%", "%": "/"}


def outside(text: str) -> str:
    """Returns an expression without what stands in parentheses and brackets."""
    while (shorter := re.sub(r"\([^()\[\]]*\)|\[[^()\[\]]*\]", "", text)) != text:
        text = shorter
    return text


def number_in(text: str) -> float | int | None:
    """Returns the value of a literal; None for a text that is none."""
    try:
        return int(text.rstrip("uU"), 0) if text.lstrip("+-").rstrip("uU").isdigit() else float(text.rstrip("fFlL"))
    except ValueError:
        return None


def as_number(value: float) -> str:
    """Writes a float to the digits of float32."""
    return _with_a_point(f"{value:.7g}".replace("e+", "e"))


def as_float32(value: float) -> str:
    """Writes a float with the digits that distinguish it from its float32 neighbours."""
    return _with_a_point(str(np.float32(value)))


def _with_a_point(text: str) -> str:
    return text if set(text) & set(".en") else f"{text}.0"


def rounded_up(size: str, packs: tuple[int, ...], suffix: str = "") -> tuple[str, ...]:
    """Returns a whole number rounded up to each pack, as an operand; `suffix` is that of its literals."""
    return tuple(f"(({size} + {pack - 1}{suffix}) / {pack}{suffix} * {pack}{suffix})" for pack in packs)
