"""Finds the common prefix and suffix of two sequences, and the differing parts between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

_Some = TypeVar("_Some", bound=Sequence[Any])


def common_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Returns the lengths of the common prefix and of the common suffix of the rest."""
    both = min(len(old), len(new))
    head = next((i for i in range(both) if old[i] != new[i]), both)
    return head, next((i for i in range(both - head) if old[-1 - i] != new[-1 - i]), both - head)


def apart(old: _Some, new: _Some) -> tuple[_Some, _Some]:
    """Returns the differing middle parts of two sequences, without their common prefix and suffix."""
    head, tail = common_ends(old, new)
    return old[head : len(old) - tail], new[head : len(new) - tail]  # type: ignore[return-value]
