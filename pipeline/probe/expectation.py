"""What every pass should give: from the target's inputs on, and on the inputs that it should have had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.device import Device
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.storage import components, values_of

Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Expectation:
    """By key: `chained` and `isolated` as the oracle has them; what it does not know is in neither.

    `capture` holds the chained tensors and the inputs as textures hold them: a run as it should have been.
    """

    chained: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    capture: Capture


def expectation(plan: Plan, inputs: Values) -> Expectation:
    """What the oracle expects of a plan with those inputs (by key, logical shape)."""
    comparer = Comparer(plan)
    chained = comparer.expected({plan.textures[key].tensor: value for key, value in inputs.items()})
    known = {key: chained[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in chained}
    tensors = {key: _as_stored(plan.textures[key], expected) for key, expected in known.items()}
    capture = Capture(plan.name, Device("expected", ""), MappingProxyType({**tensors, **inputs}), {}, {})
    comparer.compare(capture)
    return Expectation(known, comparer.isolated_values(), capture)


def in_float32(expected: Expected) -> NDArray[np.float32]:
    """The values; what float32 cannot hold is infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(expected.value, dtype=np.float32)


def _as_stored(stored: StoredTensor, expected: Expected) -> NDArray[np.float32]:
    """The tensor as the page uploads it."""
    return values_of(components(in_float32(expected).reshape(stored.shape), stored.storage), stored.storage)
