"""A convolution of what a Resize repeats is one sum over the elements, right for every window, beside NaN.

Whether its weights are inputs or constants.
"""

from __future__ import annotations

import dataclasses
import math

import moderngl
import numpy as np
import pytest

from tests.gl.lowerings.test_repeats import Case, put
from tests.gl.operators.single_node import normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.planning.planner import plan_graph

CASES = (
    Case((2, 2), (1, 8, 4, 5), 6, (4, 4), pads=(1, 1, 2, 2)),
    Case((2, 2), (2, 5, 3, 19), 3, (3, 3), pads=(1, 1, 1, 1)),
    Case((2, 3), (1, 6, 5, 7), 9, (2, 5), pads=(0, 4, 1, 0)),
    Case((1, 4), (2, 4, 6, 9), 4, (1, 3)),
    Case((4, 1), (1, 3, 2, 5), 5, (7, 1), pads=(5, 0, 3, 0)),
    Case((4, 2), (1, 5, 6, 17), 3, (7, 3), pads=(2, 1, 4, 0)),
    Case((2, 2), (1, 40, 3, 3), 4, (1, 1)),
    Case((2, 2), (1, 8, 4, 4), 3, (4, 4), pads=(1, 1, 2, 2), joined=True),
    Case((3, 2), (2, 24, 3, 9), 7, (2, 3), pads=(1, 0, 0, 1), joined=True),
    Case((2, 2), (1, 8, 4, 5), 6, (4, 4), pads=(1, 1, 2, 2), learned=False),
    Case((2, 2), (1, 8, 12, 12), 3, (4, 4), pads=(1, 1, 2, 2), joined=True, learned=False),
)


def opened(case: Case, gl: moderngl.Context) -> DebugSession:
    """The model with weights that are an input, all inputs set, with NaN wherever no element lies."""
    session = DebugSession(plan_graph(load(case.model()), layout="channel_tiles_rgba", limits=limits_of(gl)), gl)
    textures = session.plan.textures
    put(session, {name: normal(*textures[name].shape, seed=i) for i, name in enumerate(session.plan.inputs)})
    return session


def covered(session: DebugSession) -> list[tuple[str, ...]]:
    return [item.covers for item in session.fused() if isinstance(item, Lowering)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_sum_over_repeats_is_the_convolution_of_the_repeated(case: Case, gl: moderngl.Context) -> None:
    with opened(case, gl) as session:
        assert covered(session) == [("up", *(["both"] if case.joined else []), "y")]
        session.run()
        wanted = session.tensor("y")
        for settle in (False, True, True):
            session.invalidate("y")
            session.run_fused(settle=settle)
            np.testing.assert_allclose(session.tensor("y"), wanted, rtol=1e-5, atol=1e-4)
        assert {each.name: each.verdict for each in session.compare(findings=False).passes}["y"] == "match"


@pytest.mark.parametrize(
    "case",
    [
        dataclasses.replace(CASES[0], dilations=(2, 1)),
        dataclasses.replace(CASES[0], nearest="ceil"),
        Case((2, 2), (1, 6, 4, 4), 3, (3, 3), joined=True),
    ],
    ids=["dilations", "no repeats", "part of a group beside"],
)
def test_other_convolutions_read_what_is_repeated(case: Case, gl: moderngl.Context) -> None:
    with opened(case, gl) as session:
        assert all("up" not in covers for covers in covered(session))


def test_what_is_repeated_is_stored_where_it_is_asked_for(gl: moderngl.Context) -> None:
    with opened(CASES[0], gl) as session:
        session.run_fused(("up",))
        assert "up" in [item for item in session.fused(("up",)) if isinstance(item, str)]
        assert session.tensor("up").shape == (1, 8, 8, 10)


def test_an_infinity_reaches_only_the_outputs_whose_window_reads_it(gl: moderngl.Context) -> None:
    with opened(CASES[0], gl) as session:
        x = normal(*CASES[0].x)
        x[0, 3, 1, 2] = math.inf
        session.set_input("x", x)
        session.run()
        wanted = np.isfinite(session.tensor("y"))
        session.invalidate("y")
        session.run_fused()
        np.testing.assert_array_equal(np.isfinite(session.tensor("y")), wanted)
        assert 0 < np.count_nonzero(~wanted) < wanted.size
