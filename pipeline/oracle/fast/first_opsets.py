"""Evaluates operators as their first opsets defined them, which onnx.reference lacks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs


def concat(invocation: Invocation) -> Outputs | None:
    """Evaluates Concat before opset 4, where the axis is 1 by default. Maps tensors → all of them along `axis`."""
    if invocation.opset >= 4:
        return None
    axis = invocation.attribute("axis")
    return (np.concatenate([x for x in invocation.inputs if x is not None], axis=1 if axis is None else axis),)


def dropout(invocation: Invocation) -> Outputs | None:
    """Evaluates Dropout below opset 7, which onnx.reference lacks: at inference it returns its input.

    Maps X → X and, if requested, a mask of ones. `is_test` is taken as set: nothing here trains.
    """
    if invocation.opset >= 7:
        return None
    x = invocation.required(0)
    return (x, np.ones_like(x))[: invocation.output_count]


def gemm(invocation: Invocation) -> Outputs | None:
    """Maps A, B, C → alpha · A · B + beta · C, either factor transposed by its attribute:"""
    if invocation.opset >= 7:
        return None
    a, b, c = (invocation.required(i) for i in range(3))
    left = a.T if invocation.attribute("transA") else a
    right = b.T if invocation.attribute("transB") else b
    alpha, beta = (a.dtype.type(invocation.attribute(name)) for name in ("alpha", "beta"))
    return (alpha * (left @ right) + beta * c,)


def reshape(invocation: Invocation) -> Outputs | None:
    """Evaluates Reshape before opset 5, whose shape is an attribute; onnx.reference reads it from an input alone.

    Maps X → the same elements; in `shape` 0 keeps a size and -1 is what is left.
    """
    if invocation.opset >= 5:
        return None
    x = invocation.required(0)
    shape = [x.shape[axis] if size == 0 else size for axis, size in enumerate(invocation.attribute("shape"))]
    return (x.reshape(shape),)


def split(invocation: Invocation) -> Outputs | None:
    """Maps X → its parts along `axis`, the first one without it:"""
    if invocation.opset >= 2:
        return None
    x, sizes = invocation.required(0), invocation.input(1)
    given = invocation.attribute("split") if sizes is None else sizes
    ends: int | list[int] = invocation.output_count if given is None else np.cumsum(given)[:-1].tolist()
    return tuple(np.split(x, ends, axis=invocation.attribute("axis") or 0))


def tile(invocation: Invocation) -> Outputs | None:
    """Maps X, a count, an axis → X repeated along that axis: a number of repeats along one axis."""
    if invocation.opset >= 6:
        return None
    x = invocation.required(0)
    repeats = [1] * x.ndim
    repeats[int(invocation.required(2).item())] = int(invocation.required(1).item())
    return (np.tile(x, repeats),)


OPERATORS: Mapping[str, Evaluate] = {
    "Concat": concat,
    "Dropout": dropout,
    "Gemm": gemm,
    "Reshape": reshape,
    "Split": split,
    "Tile": tile,
}
