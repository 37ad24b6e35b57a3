"""Keeps the chosen colour maps, and for each layer the values shown as the first and last colour.

A range that nobody set follows its data. The maps, and the scale of the histogram's counts, are the same for all
layers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal

# Maps of `pipeline.export.colour_maps` by their names in the window, the default first.
SEQUENTIAL: Mapping[str, str] = MappingProxyType(
    {"unsigned": "viridis", "magma": "magma", "cubehelix": "cubehelix", "grey": "grey"}
)
DIVERGING: Mapping[str, str] = MappingProxyType(
    {"signed": "blue – black – orange", "blue_red": "blue – white – red", "green_purple": "green – white – purple"}
)


@dataclass
class Colours:
    """The colour maps of unsigned and of signed values (differences too), the legends, and logarithmic counts.

    `legend` is that of the colours, `marks` that of the marks over a texture.
    """

    sequential: str = "unsigned"
    diverging: str = "signed"
    legend: bool = True
    marks: bool = False
    log_counts: bool = True

    def map_of(self, *, signed: bool) -> str:
        """Returns the map's name in `pipeline.export.colour_maps`."""
        return self.diverging if signed else self.sequential

    def choose(self, name: str) -> None:
        """Chooses a map for the kind of values that it is made for."""
        if name in DIVERGING:
            self.diverging = name
        else:
            self.sequential = name

    def next(self, *, signed: bool) -> None:
        """Chooses the next map for values of that kind."""
        names = list(DIVERGING if signed else SEQUENTIAL)
        self.choose(names[(names.index(self.map_of(signed=signed)) + 1) % len(names)])

    def as_data(self) -> dict[str, object]:
        """Returns the choice as JSON can hold it."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Any) -> Colours:
        """Reads a choice from untrusted data; uses the default where it is not understood."""
        made, found = cls(), data if isinstance(data, Mapping) else {}
        for name, known in (("sequential", SEQUENTIAL), ("diverging", DIVERGING)):
            if isinstance(found.get(name), str) and found[name] in known:
                setattr(made, name, found[name])
        for each in fields(cls):
            if isinstance(getattr(made, each.name), bool) and isinstance(found.get(each.name), bool):
                setattr(made, each.name, found[each.name])
        return made


# A range covers values (shared by actual and oracle), differences, or a picture's brightness.
Kind = Literal["value", "difference", "picture"]
KINDS: tuple[Kind, ...] = ("value", "difference", "picture")
# The most layers of one target whose ranges a file may hold.
MOST_LAYERS = 10_000

BACKGROUND = (0.055, 0.060, 0.072, 1.0)
# Colours of non-finite values, and of a picture's values above white and below black, as in
# shaders/viewer/canvas.frag.glsl.
NAN, INFINITY = (1.0, 0.1, 0.1), (0.1, 0.9, 0.2)
ABOVE, BELOW = (1.0, 0.45, 0.0), (0.2, 0.75, 1.0)
# float32 has 24 binary digits.
_ONE_MORE_IS_NONE = 2.0**24
# Numbers between this and its reciprocal are far from the ends of float32.
_FAR = 2.0**64


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


def shown_range(chosen: Range, low: float, high: float) -> tuple[float, float]:
    """Returns the range to show data from `low` to `high` with: symmetric about zero if there are negative values.

    The range is never empty: a single number becomes its start, or its end if the number is too large to add one.
    """
    if not chosen.follows:
        return chosen.low, chosen.high
    if low < 0.0:
        reach = max(-low, high)
        return -reach, reach
    if high > low:
        return low, high
    return (low, low + 1.0) if low < _ONE_MORE_IS_NONE else (0.0, low)


def unit_of(low: float, high: float) -> float:
    """Returns the factor for values on the GPU, so that a range neither overflows there nor is flushed to zero."""
    reach = max(abs(low), abs(high))
    return _FAR if 0.0 < reach < 1.0 / _FAR else 1.0 / _FAR if reach > _FAR else 1.0
