"""Sums that set where they should add: of several that come together at one place the last is kept."""

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
# Of larger results it is not tried which elements come together.
_MOST = 1 << 12


def kept_last(case: FailingPass) -> Iterator[tuple[Node, NodeChange]]:
    """Of nodes that scatter, and of windows that are put back where they overlap."""
    for node in case.redo.nodes:
        if node.attributes.get("reduction") == "add":
            yield node, node_as(case, node, with_attributes(node, reduction="none"))
        if node.op_type == "Col2Im" and case.redo.values[node.outputs[0]].size <= _MOST:
            yield node, NodeChange(node.name, _last_window(case, node))


def _last_window(case: FailingPass, node: Node) -> Callable[[Node, Values], Array]:
    """Each element as the last window with anything there leaves it."""

    def change(_node: Node, inputs: Values) -> Array:
        operator, call, columns = operator_of(node), case.redo.call(node), np.asarray(inputs[0])
        shape = case.redo.values[node.outputs[0]].shape
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
