"""Parses how often a breakpoint is passed before it stops: `3`, `> 3`, `% 3` and the like."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "": operator.eq,
    "=": operator.eq,
    "==": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "%": lambda hit, number: hit % number == 0,
}
_CONDITION = re.compile(r"\s*(==?|>=?|<=?|%)?\s*([0-9]{1,9})\s*", re.ASCII)


@dataclass(frozen=True)
class HitCondition:
    """Says at which hits, counted from 1 since the beginning of the record, a breakpoint stops."""

    comparison: str
    number: int

    def holds(self, hit: int) -> bool:
        """Whether the breakpoint stops at that hit."""
        return _COMPARISONS[self.comparison](hit, self.number)


def hit_condition(text: str) -> HitCondition:
    """Parses a hit condition. Raises TexelscopeError for other text."""
    match = _CONDITION.fullmatch(text)
    if match is None or (match[1] == "%" and int(match[2]) == 0):
        raise TexelscopeError(
            "hit condition", "a number, alone or behind ==, >, >=, <, <= or %", f"'{text}'", "For example >= 3."
        )
    return HitCondition(match[1] or "", int(match[2]))
