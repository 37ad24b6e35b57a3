"""Proposes sums that assign where they should add, so that only the last of several values remains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.parts import with_attributes
from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange, Values
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.model_edits import node_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import operator_of

Array = NDArray[Any]
# Larger results are not searched for elements that come together.
_MOST = 1 << 12


def kept_last(case: FailingPass) -> Iterator[tuple[Node, NodeChange]]:
    """Yields nodes that scatter, and windows put back where they overlap, with the edit."""
    for node in case.model_slice.nodes:
        if node.attributes.get("reduction") == "add":
            yield node, node_as(case, node, with_attributes(node, reduction="none"))
        if node.op_type == "Col2Im" and case.model_slice.values[node.outputs[0]].size <= _MOST:
            yield node, NodeChange(node.name, _last_window(case, node))


def _last_window(case: FailingPass, node: Node) -> Callable[[Node, Values], Array]:
    """Computes each element as the last window with any value there leaves it."""

    def change(_node: Node, inputs: Values) -> Array:
        operator, call, columns = operator_of(node), case.model_slice.call(node), np.asarray(inputs[0])
        shape = case.model_slice.values[node.outputs[0]].shape
        found = np.zeros(shape, dtype=columns.dtype)
        for element in range(found.size):
            read = None if operator is None else operator.reads(call, element)
            if read is None:
                raise DoesNotApplyError(node.name)
            places = read[0]
            ordered = columns.reshape(-1)[places[np.argsort(places % columns.shape[-1], kind="stable")]]
            there = ordered[ordered != 0.0]
            found.reshape(-1)[element] = there[-1] if there.size else 0.0
        return found

    return change
