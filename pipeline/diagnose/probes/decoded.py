"""Answers read back: which element was taken, which two were multiplied, and with which factor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.probes.answers import AskedSum
from texelscope.pipeline.diagnose.probes.designs import NOTHING, UNKNOWN, ProbeLanes

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
# Undoes what is done to a sum afterwards.
Inverse = Callable[[NDArray[np.float32]], Array]

# Less than this, of the largest response, is none; so far may a check be off, relatively.
_NONE, _AGREES = 1e-6, 2e-4
_NONE_OF_DIFFERENCES = 1e-4


@dataclass(frozen=True)
class Responses:
    """By element asked, the lane whose number it shows, NOTHING or UNKNOWN, and how much one there counts."""

    lane: Indices
    factor: Array


def taken(lanes: ProbeLanes, draws: Array) -> Responses:
    """Of `draws` [4, elements] with a tensor 0, 1, its codes and its checks: the lane that each element shows."""
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
    """Products that were seen: of element number `asked` the source `lane` with the weight `lane`, counted `factor`
    times; weight UNKNOWN where the shader has it in its text. `silent` [turns, elements] says where no product with
    a lit lane was seen."""

    turn: Indices
    asked: Indices
    source: Indices
    weight: Indices
    factor: Array
    silent: NDArray[np.bool_]


def products(found: AskedSum, undone: Inverse) -> DecodedProducts:
    """The products with a lit lane, of elements that have a single one in a turn; those with a lit weight too."""
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
