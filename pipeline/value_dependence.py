"""Finds the parts of a plan that depend on input values, and checks whether they are still valid."""

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
    """Makes a new plan: opens its target again."""

    def __call__(self, values: Mapping[str, Array]) -> Plan:
        """Returns the plan for the present values, by tensor name, in logical shape."""

    def with_gradients(self, of: str, wrt: tuple[str, ...]) -> Replan:
        """Returns a `Replan` with those backward passes, see `pipeline.target.OpenOptions`; without `of` with none."""


def hangs_on_values(plan: Plan) -> bool:
    """Whether values of tensors decided, or would decide, how control flow was planned."""
    return plan.graph is not None and bool(plan.graph.decided or plan.graph.undecided)


def still_holds(plan: Plan, values: Mapping[str, Array]) -> bool:
    """Whether `values`, of inputs and of tensors that cannot be computed, still lead to the same plan.

    The oracle decides: a pass that rounds otherwise takes no other branch.
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
    """Converts the float32 values that a texture holds to the tensor's own type."""
    info = graph.tensors.get(name)
    if info is None:
        return value
    dtype = np.dtype(info.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        return (np.rint(value) if dtype.kind in "iu" and value.dtype.kind == "f" else value).astype(dtype, copy=False)
