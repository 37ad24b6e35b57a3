"""Lists operators whose value is known before the run, as shapes and constants are: they need no pass.

Their results become constants of the plan; if one depended on the run, so would its shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator


@dataclass(frozen=True)
class Folded(Operator):
    """Evaluates to a constant when the plan is made."""

    op_type: str
    description: str

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the entry's description."""
        return f"{self.description} Known before the run."

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Raises an error: a node that is left depends on the run."""
        names = ", ".join(f"'{name}'" for name in call.node.inputs)
        raise UnsupportedError(
            call.who,
            "a value known before the run",
            f"one that depends on {names}",
            "Make them initializers of the model, or go on after the node with the oracle's value: --inject.",
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return np.zeros(evaluation.output.shape)


OPERATORS = (
    Folded("BlackmanWindow", "Evaluates a window function."),
    Folded("Constant", "Holds a tensor of the model."),
    Folded("ConstantOfShape", "Fills with one value."),
    Folded("EyeLike", "Sets ones on a diagonal."),
    Folded("HammingWindow", "Evaluates a window function."),
    Folded("HannWindow", "Evaluates a window function."),
    Folded("MelWeightMatrix", "Computes triangular filters on the mel scale."),
    Folded("NonZero", "Finds the places of elements other than 0."),
    Folded("Range", "Counts from start to limit."),
    Folded("Shape", "Returns the sizes of a tensor's axes."),
    Folded("Size", "Counts a tensor's elements."),
    Folded("Unique", "Finds the distinct elements, where they are and how often."),
)
