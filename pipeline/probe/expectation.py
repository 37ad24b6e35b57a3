"""Computes the expected output of every pass: from the target's inputs on, and from the right inputs of the pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.storage import components, values_of

Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Expectation:
    """Holds by key the oracle's `chained` and `isolated` values; tensors that it does not know are left out.

    `capture` holds the chained tensors and the inputs as textures hold them: a faultless run.
    """

    chained: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    capture: Capture


def expectation(plan: Plan, inputs: Values) -> Expectation:
    """Returns the oracle's expectation of a plan with those inputs (by key, logical shape)."""
    comparer = Comparer(plan)
    chained = comparer.expected({plan.textures[key].tensor: value for key, value in inputs.items()})
    known = {key: chained[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in chained}
    tensors = {key: _as_stored(plan.textures[key], expected) for key, expected in known.items()}
    capture = Capture(plan.name, DeviceInfo("expected", ""), MappingProxyType({**tensors, **inputs}), {}, {})
    comparer.compare(capture)
    return Expectation(known, comparer.isolated_values(), capture)


def in_float32(expected: Expected) -> NDArray[np.float32]:
    """Converts the values to float32; those beyond its range become infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(expected.value, dtype=np.float32)


def _as_stored(stored: StoredTensor, expected: Expected) -> NDArray[np.float32]:
    """Returns the tensor as the page uploads it."""
    return values_of(components(in_float32(expected).reshape(stored.shape), stored.storage), stored.storage)
