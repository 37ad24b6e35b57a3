"""Textbook forms of functions that overflow in float32 where the careful form does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.redo.softmax import Softmax, softmaxes
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Hypothesis
from pipeline.graph import Node

Array = NDArray[Any]
Form = tuple[str, Callable[[Node, Sequence[Array | None]], Array], tuple[str, ...]]


def naive_forms(case: Case) -> Iterator[tuple[str, NodeChange, tuple[str, ...]]]:
    """What it is, the change, and the built-ins that give it away, for every node that has such a form."""
    for node in case.redo.nodes:
        for says, form, calls in _FORMS.get(node.op_type, ()):
            yield f"{node.op_type} as {says}", NodeChange(node.name, form), calls
    for softmax in softmaxes(case.redo):
        says = f"{softmax.node.op_type} by e^x / Σ e^x without subtracting the largest"
        yield says, NodeChange(softmax.node.name, _plain(softmax)), ("exp", "log")


def naive_hypotheses(cause: str, case: Case, remedy: str) -> Iterator[Hypothesis]:
    """That one of the nodes is computed in such a form."""
    for says, change, calls in naive_forms(case):
        yield Hypothesis(
            cause, f"{says} in float32", remedy, {"operation": calls[0]}, (change,),
            line=lines.call(*calls), weight=1.0, observed=True,
        )  # fmt: skip


def _plain(softmax: Softmax) -> Callable[[Node, Sequence[Array | None]], Array]:
    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        powers = np.exp(softmax.of(np.asarray(inputs[0])).astype(np.float32))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return softmax.made(np.log(shares.astype(np.float64)), np.zeros(()))

    return change


def _x(inputs: Sequence[Array | None]) -> Array:
    return np.asarray(inputs[0], dtype=np.float32)


# Ways to go wrong, by the function that is meant.
_FORMS: Mapping[str, tuple[Form, ...]] = MappingProxyType(
    {
        "Sigmoid": (("e^x / (1 + e^x)", lambda _, inputs: np.exp(_x(inputs)) / (1.0 + np.exp(_x(inputs))), ("exp",)),),
        "Softplus": (("log(1 + e^x)", lambda _, inputs: np.log(1.0 + np.exp(_x(inputs))), ("exp", "log")),),
    }
)
