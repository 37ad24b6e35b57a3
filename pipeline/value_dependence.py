"""What of a plan hangs on the values of its inputs, and whether it still is as they have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Plan

Array = NDArray[Any]


class Replan(Protocol):
    """Makes a plan anew: opens its target again."""

    def __call__(self, values: Mapping[str, Array]) -> Plan:
        """The plan for the values at hand, by tensor name, in logical shape."""

    def with_gradients(self, of: str, wrt: tuple[str, ...]) -> Replan:
        """What makes it with those backward passes, see `pipeline.target.OpenOptions`; without `of` with none."""


def hangs_on_values(plan: Plan) -> bool:
    """Whether control flow was, or would be, planned as values of tensors have it."""
    return plan.graph is not None and bool(plan.graph.decided or plan.graph.undecided)


def still_holds(plan: Plan, values: Mapping[str, Array]) -> bool:
    """Whether the plan is what `values`, of inputs and of what cannot run, make of the model.

    The oracle's word counts: a pass that rounds otherwise takes no other branch.
    """
    graph = plan.graph
    if graph is None or graph.undecided:
        return graph is None
    given = {**graph.constants, **{name: typed(graph, name, value) for name, value in values.items()}}
    try:
        made = Reference().run(graph.nodes, given, wanted=list(graph.decided))
    except TexelscopeError:
        return False
    return all(np.array_equal(made[name], value) for name, value in graph.decided.items())


def typed(graph: Graph, name: str, value: Array) -> Array:
    """What a texture holds of a tensor, float32, in the tensor's own type."""
    info = graph.tensors.get(name)
    if info is None:
        return value
    dtype = np.dtype(info.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        return (np.rint(value) if dtype.kind in "iu" and value.dtype.kind == "f" else value).astype(dtype, copy=False)
