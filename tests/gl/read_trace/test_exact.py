"""Recorded reads are the reads that operators list, none of which is called wrong: a few operators of every kind.

`make operators` tries every operator and every shader that is shipped.
"""

from __future__ import annotations

import moderngl
import pytest

from tests.gl.operators.single_node import NodeCase
from tests.gl.read_trace.differences import difference, drawn
from tests.gl.shipped_shaders import MORE, subject_of
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load

ELEMENTS = 4
ONE_OF_EACH = {node.op_type: (node, layout) for node, layout in MORE}


@pytest.mark.parametrize(("node", "layout"), ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_recorded_reads_are_those_that_the_operator_lists_and_none_is_wrong(
    node: NodeCase, layout: str, gl: moderngl.Context
) -> None:
    subject = subject_of(node, load(node.model()), layout, limits_of(gl))
    with subject.opened(gl) as session:
        session.run()
        assert {each.verdict for each in session.compare(findings=False).passes} == {"match"}
        for each in session.plan.passes:
            for element in drawn(session.plan, each, ELEMENTS):
                assert difference(session, each, element) == "", f"{each.name}[{element}]"
                taps = session.taps(each.name, element)
                assert not any(taps.is_wrong(tap) for tap in taps.reads), f"{each.name}[{element}]"
