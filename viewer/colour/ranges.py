"""Keeps for each layer the values shown as the first and last colour; a range that nobody set follows its data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# A range covers values (shared by actual and oracle), differences, or a picture's brightness.
Kind = Literal["value", "difference", "picture"]
KINDS: tuple[Kind, ...] = ("value", "difference", "picture")
# The most layers of one target whose ranges a file may hold.
MOST_LAYERS = 10_000


@dataclass
class Range:
    """The values shown as first and last colour. While `follows` is set they follow the data."""

    low: float = 0.0
    high: float = 1.0
    follows: bool = True

    def put(self, low: float, high: float) -> None:
        """Fixes `low` as the first colour and `high` as the last."""
        self.low, self.high, self.follows = low, high, False


@dataclass
class Ranges:
    """Keeps the ranges of a target's layers, by tensor key and kind."""

    _by_key: dict[str, dict[Kind, Range]] = field(default_factory=dict)

    def of(self, key: str, kind: Kind) -> Range:
        """Returns the range of a layer, which the caller may change."""
        return self._by_key.setdefault(key, {}).setdefault(kind, Range())

    def as_data(self) -> dict[str, dict[str, list[float]]]:
        """Returns the fixed ranges as JSON can hold them: by key and kind the two values."""
        kept = {
            key: {str(kind): [each.low, each.high] for kind, each in kinds.items() if not each.follows}
            for key, kinds in self._by_key.items()
        }
        return {key: kinds for key, kinds in kept.items() if kinds}

    @classmethod
    def of_data(cls, data: Any) -> Ranges:
        """Reads ranges from untrusted data; an entry that is not understood follows its data."""
        ranges = cls()
        for key, kinds in list(data.items())[:MOST_LAYERS] if isinstance(data, Mapping) else ():
            for kind in KINDS:
                pair = pair_of(kinds.get(kind)) if isinstance(kinds, Mapping) else None
                if isinstance(key, str) and pair is not None and pair[0] < pair[1]:
                    ranges.of(key, kind).put(*pair)
        return ranges


def pair_of(value: Any) -> tuple[float, float] | None:
    """Returns two numbers that fit a texture or a pixel: finite, and not absurdly large."""
    if not isinstance(value, list) or len(value) != 2 or not all(is_number(each) for each in value):
        return None
    return float(value[0]), float(value[1])


def is_number(value: Any) -> bool:
    """Returns whether the value is a finite number, and not absurdly large."""
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return bool(is_real and abs(value) < 1e38 and math.isfinite(value))
