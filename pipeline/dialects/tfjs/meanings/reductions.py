"""Rows of a matrix reduced to a number each; long ones in several programs, parts of a row first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program

# What is stored in the end tells what was reduced to.
_RESULTS = {"max(": "ReduceMax", "min(": "ReduceMin", "sumValue": "ReduceSum", "prodValue": "ReduceProd"}


def readings(program: Program, text: str) -> Sequence[Reading]:
    """By what the text stores, since a softmax takes the largest, then the sum."""
    if program.name == "MeanProgram":
        return (partial(_reduced, "ReduceMean"), partial(_reduced, "ReduceSum"), _share)
    if program.name != "ReduceProgram":
        return ()
    found = [op_type for result, op_type in _RESULTS.items() if f"setOutput({result}" in text]
    return [partial(_reduced, op_type) for op_type in found]


def _share(step: NodeBuilder) -> None:
    """Parts of a mean: sums of parts of a row over the size of the whole."""
    _reduced("ReduceSum", step, over=step.shape("x")[1])


def _reduced(op_type: str, step: NodeBuilder, over: int = 1) -> None:
    batch, size = step.shape("x")
    parts = math.prod(step.output_shape) // batch
    if parts < 1 or size % parts:
        raise NoMeaningError("parts of different sizes")
    x = step.reshaped(step.plain("x"), (batch * parts, size // parts))
    y = step.add(op_type, x, step.whole(1), keepdims=1, noop_with_empty_axes=0)
    if over > 1:
        y = step.add("Div", y, step.constant(np.array(over, dtype=np.float32)))
    step.ends(step.reshaped(y, step.output_shape))
