"""Designs inputs whose numbers identify their lanes, and decodes a pass's answers to them.

Each lane has a code, or few lanes are lit. Every number is exact in float32, at most 1, and a multiple of a power of
two, so that sums, moves and scales by a power of two stay exact and no activation saturates. An answer shows which
element was read, which two were multiplied, and by which factor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.probes.wiring import SumWiring, Wiring
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[np.float32]
Indices = NDArray[np.int64]

# More lanes have no codes that float32 holds exactly.
MOST_LANES = 1 << 22
# The second code has this many values: the product of two of them is exact.
_CHECKS = 1 << 12
NOTHING, UNKNOWN, PADDING = -1, -2, -3
Numbers = NDArray[np.float64]
# Inverts the function that follows a sum.
Inverse = Callable[[NDArray[np.float32]], Numbers]

# A response below this share of the largest is none; a check may be off by this share.
_NONE, _AGREES = 1e-6, 2e-4
_NONE_OF_DIFFERENCES = 1e-4


@dataclass(frozen=True)
class ProbeLanes:
    """All lanes of some textures, numbered; `stored` are the tensors in them."""

    stored: tuple[StoredTensor, ...]
    seed: int = 0
    _sizes: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        sizes = tuple(math.prod(each.texture_shape) * each.layout.lanes for each in self.stored)
        object.__setattr__(self, "_sizes", sizes)

    @property
    def count(self) -> int:
        """Returns the number of lanes."""
        return sum(self._sizes)

    @cached_property
    def element(self) -> Indices:
        """Returns the element of its tensor that each lane holds, -1 for none."""
        found = [each.layout.address(each.shape).reshape(-1) for each in self.stored]
        return np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)

    @cached_property
    def tensor(self) -> Indices:
        """Returns the number of the tensor that a lane's texture holds."""
        return np.repeat(np.arange(len(self.stored)), self._sizes)

    @property
    def unit(self) -> float:
        """Returns the step between codes."""
        return 2.0 ** -max(int(self.count).bit_length(), 1)

    @cached_property
    def one(self) -> NDArray[np.float64]:
        """Returns 1 for each lane; 0 in padding, as for all other codes, since a pass reads padding as 0."""
        return np.where(self.element >= 0, 1.0, 0.0)

    @cached_property
    def code(self) -> NDArray[np.float64]:
        """Returns each lane's number, from 1, in units."""
        return np.where(self.element >= 0, (np.arange(self.count) + 1) * self.unit, 0.0)

    @cached_property
    def check(self) -> NDArray[np.float64]:
        """Returns a second, random code that several lanes share."""
        random = np.random.default_rng(self.seed + 1)
        return np.where(self.element >= 0, random.integers(1, _CHECKS, self.count) / _CHECKS, 0.0)

    def textures(self, values: NDArray[np.float64]) -> Mapping[str, Array]:
        """Returns by key the texels, float32 [height, width, lanes], that hold a number for each lane."""
        parts = np.split(values.astype(np.float32), np.cumsum(self._sizes)[:-1])
        return {
            each.key: np.ascontiguousarray(part.reshape(*each.texture_shape, each.layout.lanes))
            for each, part in zip(self.stored, parts, strict=True)
        }

    def lane_of(self, values: NDArray[np.float64]) -> Indices:
        """Returns the lanes with those codes; UNKNOWN if there is none."""
        with np.errstate(all="ignore"):
            number = np.nan_to_num(values / self.unit, nan=-9.0, posinf=-9.0, neginf=-9.0)
        lane = np.rint(number).astype(np.int64) - 1
        fits = (np.abs(number - np.rint(number)) < _OFF) & (lane >= 0) & (lane < self.count)
        lane = np.where(fits, lane, UNKNOWN)
        return np.where((lane >= 0) & (self.element[np.maximum(lane, 0)] < 0), UNKNOWN, lane)


# How far a code may be from an integer number of units.
_OFF = 0.2


def lit(lanes: ProbeLanes, density: float, random: np.random.Generator) -> NDArray[np.bool_]:
    """Chooses a few lanes that hold elements, at least one of each tensor."""
    chosen = (random.random(lanes.count) < density) & (lanes.element >= 0)
    for number in range(len(lanes.stored)):
        own = np.flatnonzero((lanes.tensor == number) & (lanes.element >= 0))
        if not chosen[own].any():
            chosen[random.choice(own)] = True
    return chosen


def lanes_of(stored: Sequence[StoredTensor], seed: int = 0) -> ProbeLanes | None:
    """Returns the lanes of some tensors; None if there are too many to distinguish."""
    lanes = ProbeLanes(tuple(stored), seed)
    return lanes if 0 < lanes.count <= MOST_LANES else None


@dataclass(frozen=True)
class AskedTensor:
    """The answers about one tensor: `draws` float32 [4, elements] with it all 0, all 1, its codes and its check codes.

    `is_alone`: all other inputs held their own values.
    """

    lanes: ProbeLanes
    draws: Array
    is_alone: bool = False

    @property
    def key(self) -> str:
        """Returns the key of its texture."""
        return self.lanes.stored[0].key


@dataclass(frozen=True)
class AskedSum:
    """The answers about a sum of products with few lanes of its `sources` lit, bool [turns, lanes], all others 0.

    `draws` float32 [turns, 4, elements] are with the lit ones 1, their codes, 1 and their checks; the weights are 1, 1,
    their codes and their checks; None if they are in the shader's text. `nothing` [elements] is with no lane lit.
    `by_weights` is the same with few weights lit, sources and weights exchanged. If other nodes read the sum's textures
    too, `draws` are what both factors give together less what each gives alone, and `nothing` is 0; in a texture of
    both, the weights are the lanes that are not lit.
    """

    wiring: SumWiring
    sources: ProbeLanes
    weights: ProbeLanes | None
    lit: NDArray[np.bool_]
    draws: Array
    nothing: Array
    by_weights: AskedSum | None = None


@dataclass(frozen=True)
class ProbeAnswers:
    """All answers for those `elements` of a pass's output (linear indices); `filled` is the content of textures."""

    wiring: Wiring
    elements: Indices
    filled: Mapping[str, float]
    tensors: tuple[AskedTensor, ...] = ()
    totals: tuple[AskedSum, ...] = ()


@dataclass(frozen=True)
class Responses:
    """For each probed element the lane whose code it shows, NOTHING or UNKNOWN, and its weight there."""

    lane: Indices
    factor: Numbers


def taken(lanes: ProbeLanes, draws: Numbers) -> Responses:
    """Decodes `draws` [4, elements] with a tensor all 0, all 1, its codes and its checks: the lane of each element."""
    with np.errstate(all="ignore"):
        factor = draws[1] - draws[0]
        size = np.nanmax(np.abs(factor), initial=0.0, where=np.isfinite(factor))
        none = ~(np.abs(factor) > _NONE * max(size, 1e-12))
        lane = lanes.lane_of((draws[2] - draws[0]) / factor)
        agrees = np.abs((draws[3] - draws[0]) / factor - lanes.check[np.maximum(lane, 0)]) < _AGREES
    same = none & (np.abs(draws[2] - draws[0]) <= _NONE * max(size, 1.0))
    lane = np.where(agrees & (lane >= 0), lane, UNKNOWN)
    return Responses(np.where(same, NOTHING, lane), factor)


@dataclass(frozen=True)
class DecodedProducts:
    """Observed products: element number `asked` sums the source `lane` times the weight `lane`, `factor` times.

    The weight is UNKNOWN if it is in the shader's text. `silent` [turns, elements] says where no product with a lit
    lane was seen.
    """

    turn: Indices
    asked: Indices
    source: Indices
    weight: Indices
    factor: Numbers
    silent: NDArray[np.bool_]


def products(found: AskedSum, undone: Inverse) -> DecodedProducts:
    """Decodes products with a lit lane, of elements that have only one in a turn; those with a lit weight too."""
    if found.by_weights is not None:
        first, other = products(replace(found, by_weights=None), undone), products(found.by_weights, undone)
        join = np.concatenate
        return DecodedProducts(
            join([first.turn, other.turn + len(found.lit)]), join([first.asked, other.asked]),
            join([first.source, other.weight]), join([first.weight, other.source]),
            join([first.factor, other.factor]), first.silent,
        )  # fmt: skip
    draws = undone(found.draws) - undone(found.nothing)
    factor = draws[:, 0]
    with np.errstate(all="ignore"):
        size = float(np.nanmax(np.abs(factor), initial=0.0, where=np.isfinite(factor)))
        least = _NONE_OF_DIFFERENCES if found.wiring.is_shared else _NONE
        there = np.abs(factor) > least * max(size, 1e-12)
        source = found.sources.lane_of(draws[:, 1] / factor)
        check = found.sources.check[np.maximum(source, 0)]
        if found.weights is None:
            weight = np.full(source.shape, UNKNOWN)
            known = source >= 0
        else:
            weight = found.weights.lane_of(draws[:, 2] / factor)
            check = check * found.weights.check[np.maximum(weight, 0)]
            known = (source >= 0) & (weight >= 0)
        agrees = there & known & (np.abs(draws[:, 3] / factor - check) < _AGREES)
    lit = np.take_along_axis(found.lit, np.maximum(source, 0), axis=1)
    turn, asked = np.nonzero(agrees & lit)
    return DecodedProducts(turn, asked, source[turn, asked], weight[turn, asked], factor[turn, asked], ~there)
