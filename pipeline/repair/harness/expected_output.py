"""Computes what a pass should give for any inputs: its oracle, with the allowed rounding."""

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

    def wanted(self, inputs: Inputs) -> Mapping[str, ExpectedOutput]:
        """Returns the expected outputs for inputs by tensor, in logical shapes, as far as there is an oracle."""
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
