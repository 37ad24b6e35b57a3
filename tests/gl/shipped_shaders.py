"""The shaders that are shipped, each as a small plan to run: from ONNX's own nodes, and from what those leave out."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray
from onnx import defs

from tests.conformance.cases import collect
from tests.conformance.runner import graph_of_case
from tests.gl.operators.single_node import NodeCase, floats, normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.operators.families.folded import Folded
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.operators.families.softmax import LONGEST_AXIS
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.planner import plan_graph

# Elements of all tensors of a plan together, at most: this is about reads, not about size.
MOST_ELEMENTS = 20_000
# Nodes of an operator that are looked at for a shader that no other had.
LOOKED_AT = 60

# Operators without a pass, since planning computes their results; and those outside ONNX: passes that other operators
# become and are tested with, recorded ones, which another program wrote, and those of other domains.
FOLDED = frozenset(name for name, operator in all_operators().items() if isinstance(operator, Folded))
_OF_ONNX = frozenset(schema.name for schema in defs.get_all_schemas_with_history())
PARTS = frozenset(all_operators()) - _OF_ONNX
# Operators with nodes of their own to run, and those of them that ONNX tests with none.
WITH_NODES = sorted(set(all_operators()) - FOLDED - PARTS)
WITHOUT_CASES = frozenset({"GlobalLpPool", "MaxRoiPool"})

HALF = normal(2, 3).astype(np.float16)

# Shaders without a node in ONNX's own tests: five axes, odd types, a layout with a separate shader.
MORE = (
    (NodeCase("Add", (normal(2, 1, 3, 1, 4), normal(2, 2, 1, 2, 1))), "row_major_rgba"),
    (NodeCase("Max", (normal(2, 1, 3, 1, 4), normal(2, 2, 1, 2, 1), normal(4))), "tfjs_packed"),
    (NodeCase("Cast", (normal(2, 3),), {"to": 9}), "channel_tiles"),
    (NodeCase("Conv", (normal(1, 6, 5, 4), normal(5, 6, 3, 3, seed=1), normal(5)), {"pads": (1, 1, 1, 1)}, (1, 2)),
     "channel_tiles_rgba"),
    (NodeCase("Conv", (normal(1, 2, 3, 4, 5), normal(3, 2, 2, 2, 2, seed=1)), {}, (1,)), "tfjs_unpacked"),
    (NodeCase("QuantizeLinear", (HALF, np.array(0.1, np.float16), np.array(3, np.uint8)), {}, (1, 2)), "filter_tiles"),
    (NodeCase("Softmax", (normal(1, 6, 5, 4),), {"axis": 1}), "channel_tiles_rgba"),
    (NodeCase("Softmax", (normal(1, 6, 5, 4),), {"axis": 3}), "row_major_rgba"),
    (NodeCase("MaxRoiPool", (normal(1, 2, 6, 7), floats(0, 0, 0, 4, 5).reshape(1, 5)), {"pooled_shape": (2, 3)}),
     "channel_tiles"),
    (NodeCase("GlobalLpPool", (normal(2, 3, 4, 5),)), "channel_tiles_rgba"),
    (NodeCase("Softmax", (normal(1, LONGEST_AXIS + 1),)), "row_major_rgba"),
    (NodeCase("Softmax", (normal(3, 8),)), "row_major_rgba"),
    (NodeCase("Softmax", (normal(1, 5, 3, 2),), {"axis": 1}), "channel_tiles_rgba"),
    (NodeCase("ArgMax", (normal(1, LONGEST_AXIS + 1),), {"axis": 1}), "row_major_rgba"),
    (NodeCase("CumSum", (normal(1, LONGEST_AXIS + 1), np.array(1)), {}, (1,)), "row_major_rgba"),
    (NodeCase("TopK", (normal(2, 50), np.array([3])), {}, (1,), outputs=2), "channel_tiles"),
    (NodeCase("BatchNormalization", (normal(1, 5, 3, 2), *(np.abs(normal(5, seed=i)) for i in range(4)))),
     "channel_tiles_rgba"),
    (NodeCase("AveragePool", (normal(1, 6, 5, 4),), {"kernel_shape": (3, 2), "pads": (1, 1, 1, 0)}),
     "channel_tiles_rgba"),
    *((NodeCase("Resize", (normal(1, 5, 3, 2), np.zeros(0, np.float32), floats(1, 1, 2, 3)), {"mode": mode}, (1, 2)),
       "channel_tiles_rgba") for mode in ("nearest", "linear")),
    (NodeCase("Resize", (normal(1, 5, 3, 2), np.zeros(0, np.float32), floats(1, 1, 2, 3)),
              {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, (1, 2)), "channel_tiles_rgba"),
    (NodeCase("LRN", (normal(1, 7, 3, 2),), {"size": 3}), "channel_tiles_rgba"),
    *((NodeCase(f"Reduce{kind}", (normal(3, 8), np.array([1])), {}, (1,)), "row_major_rgba")
      for kind in ("Max", "Mean", "Sum")),
    *((NodeCase(f"Reduce{kind}", (normal(1, 6, 3, 2), np.array([2, 3])), {}, (1,)), "channel_tiles_rgba")
      for kind in ("Max", "Mean", "Sum")),
    *((NodeCase("Concat", (normal(1, 8, 3, 4), normal(1, 4, 3, 4, seed=1)), {"axis": 1}), layout)
      for layout in ("channel_tiles_rgba", "row_major_rgba")),
    (NodeCase("ConvTranspose", (normal(1, 6, 3, 2), normal(6, 5, 3, 3, seed=1)), {"strides": (2, 2)}, (1,)),
     "channel_tiles_rgba"),
    (NodeCase("MaxPool", (normal(1, 6, 5, 4),), {"kernel_shape": (3, 2), "pads": (1, 1, 1, 0)}),
     "channel_tiles_rgba"),
    (NodeCase("Where", (np.array([[True], [False]]), normal(2, 1, 3, 2, 4), normal(4))), "row_major_rgba"),
)  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """Holds a plan with inputs by key."""

    title: str
    plan: Plan
    inputs: dict[str, NDArray[Any]]

    def opened(self, gl: moderngl.Context) -> DebugSession:
        """A session with its inputs set; the caller releases it."""
        session = DebugSession(self.plan, gl)
        for name, value in self.inputs.items():
            if name in self.plan.inputs:
                session.set_input(name, value)
        return session


def onnx_subjects(limits: Limits, layout_of: Callable[[str], str]) -> dict[str, list[Subject]]:
    """Returns by operator the first of ONNX's nodes that runs, and those that bring another shader.

    `layout_of` chooses the layout by the case's name.
    """
    found: dict[str, list[Subject]] = {name: [] for name in all_operators()}
    shaders: set[str] = set()
    looked_at = collections.Counter[str]()
    for case in collect():
        if case.excuse or case.expanded or case.operator not in found or looked_at[case.operator] == LOOKED_AT:
            continue
        looked_at[case.operator] += 1
        layout = layout_of(case.name)
        try:
            plan = plan_graph(graph_of_case(case, limits), layout=layout, limits=limits)
        except TexelscopeError:
            continue
        own = {file.path for each in plan.passes for file in each.program.files}
        if _is_small(plan) and (not found[case.operator] or own - shaders):
            names = [value.name for value in case.model.graph.input]
            inputs = dict(zip(names, case.inputs, strict=True))
            found[case.operator].append(Subject(f"{case.name} in {layout}", plan, inputs))
            shaders |= own
    return found


def subject_of(node: NodeCase, graph: Graph, layout: str, limits: Limits) -> Subject:
    """A node\'s plan in a layout; inputs are called in0, in1, …"""
    inputs = {f"in{i}": value for i, value in enumerate(node.inputs) if value is not None}
    return Subject(f"{node} in {layout}", plan_graph(graph, layout=layout, limits=limits), inputs)


def _is_small(plan: Plan) -> bool:
    elements = sum(math.prod(stored.shape) for stored in plan.textures.values())
    return bool(plan.passes) and not plan.not_run and elements <= MOST_ELEMENTS
