"""What two sequences have in common at their beginnings and at their ends; what lies between differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

_Some = TypeVar("_Some", bound=Sequence[Any])


def common_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many items at the beginning of both are alike, and how many of those left are alike at the end."""
    both = min(len(old), len(new))
    head = next((i for i in range(both) if old[i] != new[i]), both)
    return head, next((i for i in range(both - head) if old[-1 - i] != new[-1 - i]), both - head)


def apart(old: _Some, new: _Some) -> tuple[_Some, _Some]:
    """What lies between: of the old one what the new one has something else for, and that."""
    head, tail = common_ends(old, new)
    return old[head : len(old) - tail], new[head : len(new) - tail]  # type: ignore[return-value]
