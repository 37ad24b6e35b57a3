"""Shortens texts for narrow columns: cuts them at the end or in the middle, and counts operators of many nodes."""

from __future__ import annotations

from collections.abc import Callable

DOTS = "…"
# This share of a shortened name is its beginning: layers of a block differ at their ends.
BEGINNING = 0.3


def cut(text: str, width: float, measure: Callable[[str], float] = len, *, beginning: float = 1.0) -> str:
    """Cuts `text` to what `measure` finds to fit; `beginning` is the share of letters from its start."""
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
    """Shortens to `Conv+BatchNormalization+…+Relu (10 nodes)`: the first operators that fit, the last, the count.

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
