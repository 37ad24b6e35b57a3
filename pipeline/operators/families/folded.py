"""Operators whose value is known before the run, for shapes and constants are: no pass is left of them.

Their results become constants of the plan; where one depends on the run after all, its shape would too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator


@dataclass(frozen=True)
class Folded(Operator):
    """A constant by the time that a plan is made."""

    op_type: str
    description: str

    def names(self) -> tuple[str, ...]:
        """The one operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """The entry's own line."""
        return f"{self.description} Known before the run."

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """There is none; a node that is left depends on the run."""
        names = ", ".join(f"'{name}'" for name in call.node.inputs)
        raise UnsupportedError(
            call.who,
            "a value known before the run",
            f"one that depends on {names}",
            "Make them initializers of the model, or go on after the node with the oracle's value: --inject.",
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return np.zeros(evaluation.output.shape)


OPERATORS = (
    Folded("BlackmanWindow", "A window function."),
    Folded("Constant", "A tensor in the model."),
    Folded("ConstantOfShape", "One value everywhere."),
    Folded("EyeLike", "Ones on a diagonal."),
    Folded("HammingWindow", "A window function."),
    Folded("HannWindow", "A window function."),
    Folded("MelWeightMatrix", "Triangular filters on the mel scale."),
    Folded("NonZero", "The places of elements other than 0."),
    Folded("Range", "Numbers from start to limit."),
    Folded("Shape", "The sizes of a tensor's axes."),
    Folded("Size", "The number of a tensor's elements."),
    Folded("Unique", "The distinct elements, where they are and how often."),
)
