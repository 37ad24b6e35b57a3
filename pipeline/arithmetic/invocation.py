"""Defines an `Invocation`: one evaluation of one operator, numpy in, numpy out, no onnx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.arithmetic.workers import Workers

Array = NDArray[Any]
Outputs = tuple[Array, ...]


@dataclass(frozen=True)
class Invocation:
    """Holds the inputs and attributes of one evaluation of an operator.

    `opset` is the version of ONNX's domain that the node was written for. `inputs` has None for an
    omitted input; trailing ones may be absent altogether. `attributes` is complete: where the node says
    nothing it has the default of that opset's schema, or None where the schema has no default.
    `output_count` counts outputs up to the last one that is read. `workers` share out heavy work.
    """

    opset: int
    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any]
    output_count: int = 1
    workers: Workers = field(default_factory=lambda: Workers(1))

    def input(self, index: int) -> Array | None:
        """Returns the input at `index`, or None if it is omitted."""
        return self.inputs[index] if index < len(self.inputs) else None

    def required(self, index: int) -> Array:
        """Returns the input at `index`, which the operator cannot do without."""
        array = self.input(index)
        if array is None:
            raise ValueError(f"input {index} is missing")
        return array

    def attribute(self, name: str) -> Any:
        """Returns the attribute, or None if neither the node nor the schema gives it a value."""
        return self.attributes.get(name)

    @property
    def is_real(self) -> bool:
        """Whether every input is float32 or float64.

        The reference evaluates halves and integers, which round and saturate by other rules.
        """
        return all(array is None or array.dtype in (np.float32, np.float64) for array in self.inputs)


# Returns the outputs; None for a case that it does not cover.
Evaluate = Callable[[Invocation], Outputs | None]
