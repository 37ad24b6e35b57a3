"""What a pass should make of any inputs: the oracle of what it covers, with the rounding that is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import rounding, stored_rounding
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.plan import Pass, Plan

Inputs = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class ExpectedOutput:
    """What one output should be: its elements in order, how far each may be off, and which of them lies in which lane.

    `address` is as layouts give it, [height, width, lanes], -1 for none.
    """

    value: NDArray[np.float64]
    bound: NDArray[np.float64]
    address: NDArray[np.int32]

    def held_against(
        self, texels: NDArray[np.float32], area: tuple[int, int, int, int]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Of the elements in an area (x, y, width, height in texels), in its order: right or not, and off by.

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
    """Tells what each output of a pass should be, by its key. Raises TexelscopeError where nothing says so."""

    def __init__(self, plan: Plan, each: Pass) -> None:
        self._plan, self._pass = plan, each
        self._oracle = oracle_of(plan)

    def wanted(self, inputs: Inputs) -> Mapping[str, ExpectedOutput]:
        """Of inputs by tensor, in their logical shapes. Outputs that no oracle knows are left out."""
        found: dict[str, ExpectedOutput] = {}
        if self._oracle is None:
            return found
        errors = sampling_errors(self._plan, self._pass, inputs)
        for key in self._pass.outputs:
            stored = self._plan.textures[key]
            expected = self._oracle.isolated(inputs, stored.tensor, errors=errors)
            if expected is None:
                continue
            value = np.asarray(expected.value, dtype=np.float64)
            bound = np.broadcast_to(rounding(expected), value.shape)
            if stored.storage != "float32":
                bound = bound + stored_rounding(expected, stored.storage)
            own = self._plan.tolerances.get(self._pass.name)
            if own is not None:
                bound = np.maximum(bound, own.atol + own.rtol * np.abs(value))
            address = np.asarray(stored.layout.address(stored.shape))
            found[key] = ExpectedOutput(value.reshape(-1), np.asarray(bound, np.float64).reshape(-1), address)
        return found
