"""Recorded reads are the reads that operators list: for every operator and every shader that is shipped.

The nodes are those that ONNX tests operators with, in layouts drawn at random, elements drawn at random; what those
nodes leave out is added below. The same passes show that a diagnosis is silent where nothing is wrong.
"""

from __future__ import annotations

import dataclasses
import random
from dataclasses import dataclass, field
from types import MappingProxyType

import moderngl
import pytest

from tests.gl.operators.single_node import NodeCase, normal
from tests.gl.read_trace.differences import difference, drawn
from tests.gl.shipped_shaders import FOLDED, MORE, PARTS, WITH_NODES, Subject, onnx_subjects, subject_of
from texelscope import layouts
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import name_bugs
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.graph import OWN_DOMAIN, Graph
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.conventions import LocalResponse
from texelscope.pipeline.plan import Pass, Plan

# ONNX makes its cases when they are first asked for: seconds, but minutes where others want the same cores.
pytestmark = pytest.mark.timeout(300)

DRAWS = 10


@dataclass
class Tally:
    """Counts what the tests of this module did, for its last two."""

    draws: int = 0
    shaders: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@pytest.fixture(scope="module")
def subjects(gl: moderngl.Context) -> dict[str, list[Subject]]:
    """Returns subjects by operator, in random layouts, with cases that ONNX's nodes leave out."""
    limits = limits_of(gl)
    found = onnx_subjects(limits, _layout_for)
    for node, layout in MORE:
        found[node.op_type].append(subject_of(node, load(node.model()), layout, limits))
    window = NodeCase("LRN", (normal(1, 2, 5, 4),), {"size": 3})
    found["LRN"].append(subject_of(window, _over_space(load(window.model())), "channel_tiles", limits))
    return found


def _over_space(graph: Graph) -> Graph:
    """The graph of one LRN with a window over the picture, which ONNX has no node for."""
    response = LocalResponse(3, 1, 0.1, 1.0, 0.75, spatial=True)
    node = dataclasses.replace(
        graph.nodes[0], domain=OWN_DOMAIN, attributes=MappingProxyType(dataclasses.asdict(response))
    )
    return dataclasses.replace(graph, nodes=(node,))


@pytest.mark.parametrize("operator", WITH_NODES)
def test_recorded_reads_are_those_that_the_operator_lists(
    operator: str, subjects: dict[str, list[Subject]], tally: Tally, gl: moderngl.Context
) -> None:
    assert subjects[operator]
    for subject in subjects[operator]:
        with subject.opened(gl) as session:
            for each in _not_tried_before(subject.plan, operator, tally):
                tally.shaders |= {file.path for file in each.program.files}
                for element in drawn(session.plan, each, DRAWS):
                    tally.draws += 1
                    assert difference(session, each, element) == "", f"{subject.title}, {each.name}[{element}]"


def _not_tried_before(plan: Plan, operator: str, tally: Tally) -> list[Pass]:
    """The operator's own passes, and those with a shader that no other had."""
    return [
        each
        for each in plan.passes
        if each.operator == operator or {file.path for file in each.program.files} - tally.shaders
    ]


@pytest.mark.parametrize("operator", WITH_NODES)
def test_a_diagnosis_of_an_operator_that_is_right_is_silent(
    operator: str, subjects: dict[str, list[Subject]], gl: moderngl.Context
) -> None:
    assert subjects[operator]
    for subject in subjects[operator][:1]:
        with subject.opened(gl) as session:
            session.run()
            comparer, capture = Comparer(session.plan), session.capture()
            report = name_bugs(session, comparer, capture, comparer.compare(capture))
        assert {each.name: each.findings for each in report.passes if each.findings} == {}, subject.title
        assert {each.name: each.verdict for each in report.passes if each.verdict != "match"} == {}, subject.title


def _layout_for(name: str) -> str:
    """Draws a layout by the highest of random numbers: one more layout changes few draws of the others."""
    return max(sorted(layouts.all_layouts()), key=lambda layout: random.Random(f"{name} {layout}").random())


def test_only_what_has_no_pass_of_its_own_is_left_out(subjects: dict[str, list[Subject]]) -> None:
    assert {name for name, found in subjects.items() if not found} == FOLDED | PARTS


def test_a_thousand_draws_were_made(tally: Tally) -> None:
    assert tally.draws >= 1000


def test_every_shipped_shader_was_tried(tally: Tally) -> None:
    shipped = {file.relative_to(SHADER_FOLDER.parent).as_posix() for file in SHADER_FOLDER.glob("operators/**/*.glsl")}
    assert shipped - tally.shaders == set()
