"""Functions worked out by approximations that shaders are known to use, where they miss by more than rounding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.facts import FromPowers, Function
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

_LIMITS = tuple(2**power for power in range(3, 13))
_ORDERS = tuple(range(3, 13))


def approximations(case: Case) -> Iterator[tuple[str, NodeChange]]:
    """What it is, and the change, for every node whose function has such an approximation."""
    for node in case.redo.nodes:
        if node.op_type == "Tanh":
            yield "Tanh as x (27 + x²) / (27 + 9 x²)", _pointwise(node, _rational)
            capped = _pointwise(node, lambda x: _rational(np.clip(x, -3.0, 3.0)))
            yield "Tanh as x (27 + x²) / (27 + 9 x²) up to 3", capped
        form = facts_of(node).from_powers
        for says, exponential in _exponentials() if form is not None else ():
            yield f"{node.op_type} with e^x as {says}", _pointwise(node, _of(node, form, exponential))


def _exponentials() -> Iterator[tuple[str, Function]]:
    for n in _LIMITS:
        yield f"(1 + x / {n})^{n}", _limit(n)
    for order in _ORDERS:
        yield f"its series up to x^{order}", _series(order)


def _limit(n: int) -> Function:
    # 1 + x / n is rounded as the shader rounds it: the power makes n times as much of that.
    return lambda x: np.power((np.float32(1.0) + x.astype(np.float32) / np.float32(n)).astype(np.float64), n)


def _series(order: int) -> Function:
    return lambda x: np.asarray(sum(x.astype(np.float64) ** k / math.factorial(k) for k in range(order + 1)))


def _rational(x: Array) -> Array:
    return np.asarray(x * (27.0 + x * x) / (27.0 + 9.0 * x * x))


def _of(node: Node, form: FromPowers | None, exponential: Function) -> Function:
    assert form is not None
    return lambda x: form(x, exponential, node.attributes)


def _pointwise(node: Node, function: Function) -> NodeChange:
    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        first = inputs[0]
        assert first is not None
        with np.errstate(all="ignore"):
            return np.asarray(function(first), dtype=np.float32)

    return NodeChange(node.name, change, pointwise=True)
