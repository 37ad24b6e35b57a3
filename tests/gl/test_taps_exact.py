"""Recorded reads are the reads that operators list: for every operator and every shader that is shipped.

The nodes are those that ONNX tests operators with, in layouts drawn at random, elements drawn at random; what those
nodes leave out is added below. The same passes show that a diagnosis is silent where nothing is wrong.
"""

from __future__ import annotations

import collections
import dataclasses
import math
import random
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

import layouts
from pipeline.compare import Comparer
from pipeline.diagnose.naming import name_bugs
from pipeline.errors import TexelscopeError
from pipeline.gl_context import limits_of
from pipeline.glsl import SHADER_FOLDER
from pipeline.graph import OWN_DOMAIN, Graph
from pipeline.importers.onnx_model import load
from pipeline.local_response import LocalResponse
from pipeline.operators.base import Limits
from pipeline.operators.registry import all_operators
from pipeline.operators.softmax import LONGEST_AXIS
from pipeline.plan import Pass, Plan
from pipeline.planner import plan_graph
from pipeline.session import Session
from tests.conformance.cases import collect
from tests.conformance.runner import graph_of_case
from tests.gl.operators.single_node import NodeCase, floats, normal

# ONNX makes its cases when they are first asked for: seconds, but minutes where others want the same cores.
pytestmark = pytest.mark.timeout(300)

DRAWS = 10
# Elements of all tensors of a plan together, at most: this is about reads, not about size.
MOST_ELEMENTS = 20_000
# Nodes of an operator that are looked at for a shader that no other had.
LOOKED_AT = 60

# They read where their inputs say, so that the reads are not known before the run.
READS_BY_DATA = frozenset(
    {
        "BlockArg", "ByRank", "DeformConv", "Gather", "GatherElements", "GatherND", "GridSample", "MaxRoiPool",
        "MaxUnpool", "ReverseSequence", "RoiAlign", "ScatterElements", "ScatterND", "TensorScatter", "TopK",
    }
)  # fmt: skip

HALF = normal(2, 3).astype(np.float16)

# Shaders for what ONNX has no node of its own to test: five axes, odd types, a layout with a shader of its own.
MORE = (
    (NodeCase("Add", (normal(2, 1, 3, 1, 4), normal(2, 2, 1, 2, 1))), "row_major_rgba"),
    (NodeCase("Max", (normal(2, 1, 3, 1, 4), normal(2, 2, 1, 2, 1), normal(4))), "tfjs_packed"),
    (NodeCase("Cast", (normal(2, 3),), {"to": 9}), "channel_tiles"),
    (NodeCase("Conv", (normal(1, 6, 5, 4), normal(5, 6, 3, 3, seed=1), normal(5)), {"pads": (1, 1, 1, 1)}, (1, 2)),
     "channel_tiles_rgba"),
    (NodeCase("Conv", (normal(1, 2, 3, 4, 5), normal(3, 2, 2, 2, 2, seed=1)), {}, (1,)), "tfjs_unpacked"),
    (NodeCase("QuantizeLinear", (HALF, np.array(0.1, np.float16), np.array(3, np.uint8)), {}, (1, 2)), "filter_tiles"),
    (NodeCase("MaxRoiPool", (normal(1, 2, 6, 7), floats(0, 0, 0, 4, 5).reshape(1, 5)), {"pooled_shape": (2, 3)}),
     "channel_tiles"),
    (NodeCase("Softmax", (normal(1, LONGEST_AXIS + 1),)), "row_major_rgba"),
    (NodeCase("ArgMax", (normal(1, LONGEST_AXIS + 1),), {"axis": 1}), "row_major_rgba"),
    (NodeCase("CumSum", (normal(1, LONGEST_AXIS + 1), np.array(1)), {}, (1,)), "row_major_rgba"),
    (NodeCase("TopK", (normal(2, 50), np.array([3])), {}, (1,), outputs=2), "channel_tiles"),
)  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """A plan with inputs by key."""

    title: str
    plan: Plan
    inputs: dict[str, NDArray[Any]]

    def opened(self, gl: moderngl.Context) -> Session:
        """A session with its inputs set; the caller releases it."""
        session = Session(self.plan, gl)
        for name, value in self.inputs.items():
            if name in self.plan.inputs:
                session.set_input(name, value)
        return session


@dataclass
class Tally:
    """What the tests of this module did, for its last two."""

    draws: int = 0
    shaders: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@pytest.fixture(scope="module")
def subjects(gl: moderngl.Context) -> dict[str, list[Subject]]:
    """By operator: the first of ONNX's nodes that runs, and those that bring another shader."""
    limits = limits_of(gl)
    found: dict[str, list[Subject]] = {name: [] for name in all_operators()}
    shaders: set[str] = set()
    looked_at = collections.Counter[str]()
    for case in collect():
        if case.excuse or case.expanded or case.operator not in found or looked_at[case.operator] == LOOKED_AT:
            continue
        looked_at[case.operator] += 1
        layout = random.Random(case.name).choice(sorted(layouts.all_layouts()))
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
    for node, layout in MORE:
        found[node.op_type].append(_subject(node, load(node.model()), layout, limits))
    window = NodeCase("LRN", (normal(1, 2, 5, 4),), {"size": 3})
    found["LRN"].append(_subject(window, _over_space(load(window.model())), "channel_tiles", limits))
    return found


def _subject(node: NodeCase, graph: Graph, layout: str, limits: Limits) -> Subject:
    inputs = {f"in{i}": value for i, value in enumerate(node.inputs) if value is not None}
    return Subject(f"{node} in {layout}", plan_graph(graph, layout=layout, limits=limits), inputs)


def _over_space(graph: Graph) -> Graph:
    """The graph of one LRN with a window over the picture, which ONNX has no node for."""
    response = LocalResponse(3, 1, 0.1, 1.0, 0.75, spatial=True)
    node = dataclasses.replace(
        graph.nodes[0], domain=OWN_DOMAIN, attributes=MappingProxyType(dataclasses.asdict(response))
    )
    return dataclasses.replace(graph, nodes=(node,))


def _is_small(plan: Plan) -> bool:
    elements = sum(math.prod(stored.shape) for stored in plan.textures.values())
    return bool(plan.passes) and not plan.not_run and elements <= MOST_ELEMENTS


@pytest.mark.parametrize("operator", all_operators())
def test_recorded_reads_are_those_that_the_operator_lists(
    operator: str, subjects: dict[str, list[Subject]], tally: Tally, gl: moderngl.Context
) -> None:
    for subject in subjects[operator]:
        with subject.opened(gl) as session:
            for each in _not_tried_before(subject.plan, operator, tally):
                tally.shaders |= {file.path for file in each.program.files}
                for element in _drawn(session.plan, each):
                    tally.draws += 1
                    assert _difference(session, each, element) == "", f"{subject.title}, {each.name}[{element}]"


def _not_tried_before(plan: Plan, operator: str, tally: Tally) -> list[Pass]:
    """The operator's own passes, and those with a shader that no other had."""
    return [
        each
        for each in plan.passes
        if each.operator == operator or {file.path for file in each.program.files} - tally.shaders
    ]


def _drawn(plan: Plan, each: Pass) -> list[int]:
    count = math.prod(plan.textures[each.output].shape)
    return random.Random(each.name).sample(range(count), min(count, DRAWS))


def _difference(session: Session, each: Pass, element: int) -> str:
    """How the recorded reads differ from the expected ones; empty if they do not, or if nobody can know."""
    taps = session.taps(each.name, element)
    if taps.expected is None:
        return "" if each.operator in READS_BY_DATA else "the operator does not say what it reads"
    if taps.unexpected() or taps.missing():
        return f"unexpected {taps.unexpected()}, missing {taps.missing()}"
    return ""


@pytest.mark.parametrize("operator", all_operators())
def test_a_diagnosis_of_an_operator_that_is_right_is_silent(
    operator: str, subjects: dict[str, list[Subject]], gl: moderngl.Context
) -> None:
    for subject in subjects[operator][:1]:
        with subject.opened(gl) as session:
            session.run()
            comparer, capture = Comparer(session.plan), session.capture()
            report = name_bugs(session, comparer, capture, comparer.compare(capture))
        assert {each.name: each.findings for each in report.passes if each.findings} == {}, subject.title
        assert {each.name: each.verdict for each in report.passes if each.verdict != "match"} == {}, subject.title


def test_a_thousand_draws_were_made(tally: Tally) -> None:
    assert tally.draws >= 1000


def test_every_shipped_shader_was_tried(tally: Tally) -> None:
    shipped = {file.relative_to(SHADER_FOLDER.parent).as_posix() for file in SHADER_FOLDER.glob("operators/**/*.glsl")}
    assert shipped - tally.shaders == set()
