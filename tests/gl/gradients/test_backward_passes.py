"""Backward nodes are passes: each runs, and matches the oracle alone and end to end."""

from __future__ import annotations

import moderngl
import pytest

from tests.gradient_cases import GradientCase, all_cases
from tests.pure.gradients.checked import SEED, of_case
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.planning.planner import plan_graph


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_backward_nodes_run_as_passes_and_match(case: GradientCase, gl: moderngl.Context) -> None:
    found, seed = of_case(case.node, output=case.output)
    plan = plan_graph(found.graph, limits=limits_of(gl))
    assert not plan.not_run, plan.not_run[0].reason
    with DebugSession(plan, gl) as session:
        for position, x in enumerate(case.node.inputs):
            if f"in{position}" in plan.inputs and x is not None:
                session.set_input(f"in{position}", x)
        if SEED in plan.inputs:
            session.set_input(SEED, seed)
        session.run()
        for each in session.compare(findings=False).passes:
            assert each.verdict == "match", (
                f"{each.name} {each.operator}: {each.verdict} {each.isolated} {each.message}"
            )
