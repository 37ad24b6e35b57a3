"""Texts for narrow columns: cut at the end or in the middle, and operators of many nodes counted."""

from __future__ import annotations

from collections.abc import Callable

DOTS = "…"
# Of what is left of a name so much is its beginning: layers of a block differ in what comes last.
BEGINNING = 0.3


def cut(text: str, width: float, measure: Callable[[str], float] = len, *, beginning: float = 1.0) -> str:
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


def short_operator(operator: str, width: float, measure: Callable[[str], float] = len) -> str:
    """`Conv+BatchNormalization+…+Relu (10 nodes)`: as many of the first operators as fit, the last, and their number.

    An operator of one or two nodes, or a column too narrow for that, is cut at its end.
    """
    parts = operator.split("+")
    if measure(operator) <= width or len(parts) < 3:
        return cut(operator, width, measure)
    for kept in range(len(parts) - 2, 0, -1):
        text = f"{'+'.join(parts[:kept])}+{DOTS}+{parts[-1]} ({len(parts)} nodes)"
        if measure(text) <= width:
            return text
    text = f"{parts[0]}+{DOTS} ({len(parts)} nodes)"
    return text if measure(text) <= width else cut(operator, width, measure)


def _kept(text: str, count: int, beginning: float) -> str:
    first = round(count * beginning)
    return f"{text[:first]}{DOTS}{text[len(text) - (count - first) :]}"
