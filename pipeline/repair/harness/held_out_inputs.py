"""Makes held-out inputs for one pass and computes, by its oracle, what it should give for any, with its rounding.

A pass may be right only on special inputs, for example if shares outside a band are zero and are not read. Its own
inputs, shuffled, distinguish more edits; inputs that result from other ones of the pipeline are of the kind that the
pass is written for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import rounding, rounding_by_storage
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.deadline import within
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import Moment
from texelscope.pipeline.inputs.values import alike
from texelscope.pipeline.oracle.choice import in_frame, oracle_of
from texelscope.pipeline.plan import Pass, Plan

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Inputs = Mapping[str, NDArray[Any]]
# The seed of shuffled inputs; any number will do.
_SEED = 20
# The pipeline's inputs are shuffled this many times, and not scaled: its passes may not be written for larger ones.
_FOLLOWED, _AS_IT_IS = 3, (1.0, 0.0)
# The share of values that are rounded to halves.
_TIES = 0.2
# A pipeline whose oracle takes longer is skipped.
_SECONDS = 2.0


@dataclass(frozen=True)
class ExpectedOutput:
    """The expected output: its elements in order, each one's tolerance, and which lies in which lane.

    `address` is as layouts give it, [height, width, lanes], -1 for none.
    """

    value: NDArray[np.float64]
    bound: NDArray[np.float64]
    address: NDArray[np.int32]

    def held_against(
        self, texels: NDArray[np.float32], area: tuple[int, int, int, int]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Compares an area (x, y, width, height in texels): which elements are right, and their errors.

        `texels` are those of the area, [height, width, lanes].
        """
        x, y, width, height = area
        address = self.address[y : y + height, x : x + width]
        there = address >= 0
        elements, drawn = address[there], texels[there].astype(np.float64)
        value = self.value[elements]
        with np.errstate(all="ignore"):
            off = drawn - value
            close = (np.abs(off) <= self.bound[elements]) | (drawn == value) | (np.isnan(drawn) & np.isnan(value))
        return close, off


class Standard:
    """Computes each expected output of a pass, by its key. Raises TexelscopeError without an oracle."""

    def __init__(self, plan: Plan, shader_pass: Pass) -> None:
        self._plan, self._pass = plan, shader_pass
        self._oracle = oracle_of(plan)

    def wanted(self, inputs: Inputs, moment: Moment | None = None) -> Mapping[str, ExpectedOutput]:
        """Returns the expected outputs for inputs by tensor, in logical shapes, as far as there is an oracle.

        With a `moment` those of that frame, else those of the plan's.
        """
        found: dict[str, ExpectedOutput] = {}
        if self._oracle is None:
            return found
        oracle = self._oracle if moment is None else in_frame(self._oracle, self._plan.at(moment))
        assert oracle is not None
        errors = sampling_errors(self._plan, self._pass, inputs)
        for key in self._pass.outputs:
            stored = self._plan.textures[key]
            expected = oracle.isolated(inputs, stored.tensor, errors=errors)
            if expected is None:
                continue
            value = np.asarray(expected.value, dtype=np.float64)
            bound = np.broadcast_to(rounding(expected), value.shape)
            if stored.storage != "float32":
                bound = bound + rounding_by_storage(expected, stored)
            own = self._plan.tolerances.get(self._pass.name)
            if own is not None:
                bound = np.maximum(bound, own.atol + own.rtol * np.abs(value))
            address = np.asarray(stored.layout.address(stored.shape))
            if stored.quantization is not None:  # what the shader writes, which the harness draws into floats
                value, bound = stored.quantization.in_texels(value.reshape(stored.shape), bound.reshape(stored.shape))
            found[key] = ExpectedOutput(value.reshape(-1), np.asarray(bound, np.float64).reshape(-1), address)
        return found


def other_moments(plan: Plan) -> tuple[Moment, ...]:
    """Returns the next frame's moment, the first one's and one far behind.

    A repair that moves the beginning of a fault by one frame is wrong in one of them.
    """
    now = plan.frames.moment
    frames = (now.frame + 1, 0, 2 * now.frame + 7)
    return tuple(dataclasses.replace(now, frame=frame) for frame in frames)


def shuffled(inputs: Inputs) -> list[dict[str, NDArray[Any]]]:
    """Returns inputs of the same shapes and kinds: shuffled, scaled, with other signs. Integers are only shuffled.

    One half of the larger ones is negative: what begins with a number that is too large shows there. The last ones have
    ties: a share of their fractions is rounded to halves, and so to zeros. Inputs without negative values keep that:
    they may go into a root or a logarithm.
    """
    first, larger, smaller = (_shuffled(inputs, *each) for each in enumerate(((1.0, 0.0), (2.0, 0.0), (0.5, 0.5))))
    return [
        first,
        {name: _half_negative(value) for name, value in larger.items()},
        {name: _with_ties(value) for name, value in smaller.items()},
    ]


def _half_negative(value: NDArray[Any]) -> NDArray[Any]:
    """Returns the values, the second half of them negative, if they have both signs."""
    if not np.issubdtype(value.dtype, np.floating) or not ((value < 0.0).any() and (value > 0.0).any()):
        return value
    made = value.reshape(-1).copy()
    made[made.size // 2 :] = -np.abs(made[made.size // 2 :])
    return made.reshape(value.shape)


def _with_ties(value: NDArray[Any]) -> NDArray[Any]:
    """Returns the values, a share of them rounded to halves; to zeros too where there are values of both signs."""
    if not np.issubdtype(value.dtype, np.floating) or _is_whole(value):
        return value
    halves = np.round(2.0 * value) / 2.0
    has_both = bool((value < 0.0).any() and (value > 0.0).any())
    is_tied = np.random.default_rng(_SEED).uniform(size=value.shape) < _TIES
    return np.where(is_tied & (has_both | (halves != 0.0)), halves, value).astype(value.dtype)


def followed(session: Session, wanted: Inputs) -> list[dict[str, NDArray[Any]]]:
    """Returns the tensors `wanted` for shuffled inputs of the pipeline; none if the oracle is missing or too slow.

    They are float32, in their logical shapes.
    """
    plan = session.plan
    oracle = oracle_of(plan)
    if oracle is None:
        return []
    found = []
    try:
        with within(_SECONDS, f"other inputs of {plan.name}"):
            given = {plan.textures[key].tensor: session.tensor(key) for key in plan.inputs}
            for number in range(_FOLLOWED):
                expected = oracle.chained(_shuffled(given, number, _AS_IT_IS))
                found.append({name: _like(expected[name].value, value) for name, value in wanted.items()})
    except (TexelscopeError, KeyError):
        return []
    return found


def _shuffled(inputs: Inputs, number: int, changes: tuple[float, float]) -> dict[str, NDArray[Any]]:
    """Returns the inputs shuffled with that seed, scaled, and with a share of their signs flipped."""
    made, (size, turned) = {}, changes
    for place, (name, value) in enumerate(sorted(inputs.items())):
        random = np.random.default_rng((_SEED, number, place))
        if not np.issubdtype(value.dtype, np.floating) or _is_whole(value):
            mixed = random.permutation(value.reshape(-1)).reshape(value.shape)
        else:
            mixed = size * alike(random, value)
            if value.size and np.nanmin(value) < 0.0:
                mixed = np.where(random.uniform(size=value.shape) < turned, -mixed, mixed)
            mixed = mixed.astype(value.dtype)
        made[name] = mixed
    return made


def _like(value: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(value, dtype=other.dtype).reshape(other.shape)


def _is_whole(value: NDArray[Any]) -> bool:
    finite = value[np.isfinite(value)]
    return bool(np.all(finite == np.rint(finite)))
