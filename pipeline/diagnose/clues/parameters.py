"""Parameters of one value a channel, such as scale and shift of a norm, that a shader reads by one index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.normalised import normalised
from pipeline.diagnose.clues.wired import reading
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Parameter:
    """A constant of the model and the node that reads it: it says something of each element of the output."""

    node: Node
    tensor: str


def parameters_of(case: Case) -> list[list[Parameter]]:
    """Those of one shape together, in the order in which they are read; of several elements each."""
    graph = case.redo.graph
    found: dict[tuple[int, ...], list[Parameter]] = {}
    for node in case.redo.nodes if graph is not None and len(case.output.shape) == 4 else ():
        of_norm = node.op_type == "Normalise"
        if case.redo.values[node.outputs[0]].size != case.actual.size or not (of_norm or facts_of(node).pointwise):
            continue
        for name in node.inputs:
            value = case.redo.values[name] if graph is not None and name in graph.constants else None
            if value is not None and value.dtype.kind == "f" and 1 < value.size == case.dims[1]:
                found.setdefault(value.shape, []).append(Parameter(node, name))
    return list(found.values())


def indices_of(case: Case, held: Sequence[Parameter]) -> Iterator[tuple[str, Indices]]:
    """In words, and for every element of the output, in the 4-d view, the element of the parameters that is taken."""
    n, c, h, w = (np.broadcast_to(each, case.dims) for each in np.indices(case.dims, sparse=True))
    count = case.dims[1]
    for says, index in (("by the picture's number", n), ("by the row", h), ("by the column", w)):
        yield says, np.minimum(index, count - 1)
    for says, index in (
        ("those of channel c + 1", c + 1), ("those of channel c - 1", c - 1), ("those of channel c / 4", c // 4),
        ("those of channel c % 4", c % 4), ("those of channel 4 (c / 4)", c // 4 * 4), ("those of the first", 0 * c),
        ("those of channel c / 2", c // 2), ("those in reverse", count - 1 - c),
    ):  # fmt: skip
        if len(held) > 1:
            yield says, index % count
            yield f"{says}, held at the ends", np.clip(index, 0, count - 1)


def changed_together(case: Case, held: Sequence[Parameter], index: Indices) -> tuple[NodeChange, ...]:
    """Every node that reads some of them with those taken by `index`; none where one cannot be made so."""
    changes = []
    for node in {each.node.name: each.node for each in held}.values():
        names = {each.tensor for each in held if each.node.name == node.name}
        taken = {name: np.asarray(case.redo.values[name]).reshape(-1)[index] for name in names}
        if node.op_type == "Normalise":
            found = normalised(case, node)
            if found is None or found.x.size != index.size:
                return ()
            fields = {
                field: taken[name].reshape(found.x.shape).astype(np.float64)
                for field, name in zip(("scale", "shift"), node.inputs[3:5], strict=False)
                if name in taken
            }
            changes.append(found.change(**fields))
        else:
            shape = case.redo.values[node.outputs[0]].shape
            operands = {name: value.reshape(shape) for name, value in taken.items()}
            changes.append(NodeChange(node.name, reading(case, operands)))
    return tuple(changes)
