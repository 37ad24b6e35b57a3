"""Names the ways in which a formula departs from another one: by elements, terms, numbers and functions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from texelscope.pipeline.symbolic.canonical import Place

# Numbers this near to one another, relatively, are equal.
NEAR = 1e-3


class UnclearError(Exception):
    """Two formulas are too different to say how."""


@dataclass(frozen=True)
class Moved:
    """An element is read in place of another one, of the same tensor or not; `is_weight` of a constant."""

    expected: Place
    got: Place
    is_weight: bool
    row: int
    weight: Place | None = None


@dataclass(frozen=True)
class Missed:
    """A term is not there, or there without need (`is_extra`), or several `times`; `place` is what it reads.

    A term that is a function has the name of it, and `place` is one of several elements that it reads. A factor of a
    product is `is_factor`. The row of a term that is not there is that of the statement that has its neighbours.
    """

    place: Place
    is_extra: bool
    row: int
    times: float = 0.0
    weight: Place | None = None
    function: str = ""
    is_factor: bool = False


@dataclass(frozen=True)
class Numbered:
    """A number differs: of a term (`place`), of the whole (`is_whole`), or one that is added (`is_added`)."""

    expected: float
    got: float
    row: int
    is_whole: bool = False
    is_added: bool = False
    expected_at: tuple[Place, ...] = ()
    got_at: tuple[Place, ...] = ()
    place: Place | None = None
    inside: str = ""


@dataclass(frozen=True)
class Curved:
    """Another function of a linear sum: the values of both where the sum has those of `points`."""

    expected: tuple[float, ...]
    got: tuple[float, ...]
    points: tuple[float, ...]
    row: int


@dataclass(frozen=True)
class Renamed:
    """Another function of several sums, or of one that is not linear, by its name; empty where there is none.

    The same function of the same operands in the other order is `is_swapped`.
    """

    expected: str
    got: str
    row: int
    is_swapped: bool = False


Divergence = Moved | Missed | Numbered | Curved | Renamed


def near(a: float, b: float, scale: float = 0.0) -> bool:
    """Whether two numbers are equal but for rounding."""
    if a == b or (a != a and b != b):
        return True
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    return abs(a - b) <= NEAR * max(abs(a), abs(b), scale)
