"""Watches are computed by the driver before each statement that knows their names; a bad one is refused by name."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.gl.step_trace.one_pass import main_of, one_pass

pytestmark = pytest.mark.usefixtures("both_logs")

BEFORE = """\
const vec2 BOTH = vec2(0.5, 2.0);
float counted = 0.0;
float count() { return ++counted; }
float twice(float x) { float y = 2.0 * x; return y; }
"""
BODY = """\
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        float x = twice(float(i));
        if (x > 1.0) sum += x * BOTH.x;
    }
    result = vec4(sum, count(), BOTH);"""


def test_watches_are_told_before_each_statement_that_knows_their_names(gl: moderngl.Context, tmp_path: Path) -> None:
    watches = ("i == 2 && sum > 0.5", "vec2(sum, u_scale)", "x * BOTH", "twice(sum)", "y")
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        trace, plain = session.trace("y", 0, watches=watches), session.trace("y", 0)
        assert session.trace("y", 0, watches=watches, window=(8, 9)).steps == trace.steps[8:9]
    assert (trace.watches, trace.refused, trace.outputs) == (watches, {}, plain.outputs)
    assert [(each.text, each.assigned, each.branch) for each in trace.steps] == [
        (each.text, each.assigned, each.branch) for each in plain.steps
    ]
    told = {text: [(each.text, each.watched[text]) for each in trace.steps if text in each.watched] for text in watches}
    assert [value for text, value in told["i == 2 && sum > 0.5"] if text == "if (x > 1.0)"] == [
        (False,), (False,), (True,)
    ]  # fmt: skip
    assert told["vec2(sum, u_scale)"][-1] == ("result = vec4(sum, count(), BOTH)", (3.0, 0.5))
    assert [value for _, value in told["x * BOTH"]][-2:] == [(2.0, 8.0), (2.0, 8.0)]
    assert told["twice(sum)"][-1][1] == (6.0,)
    assert told["y"] == [("return y", (0.0,)), ("return y", (2.0,)), ("return y", (4.0,))]


def test_a_bad_watch_is_refused_and_the_rest_goes_on(gl: moderngl.Context, tmp_path: Path) -> None:
    watches = (
        "sum",
        "sum +",
        "sum = 1.0",
        "sum + nothing",
        "sum + i",
        "sum.xyz",
        "sum); discard; (sum",
        "count()",
        "sum \udcff",
    )
    with one_pass(tmp_path, gl, main_of(BODY, BEFORE)) as session:
        trace = session.trace("y", 0, watches=watches)
    assert trace.watches == ("sum", "sum + i")
    by_driver = trace.refused["sum.xyz"]  # Mesa's for desktop OpenGL, and for OpenGL ES
    assert by_driver in ("invalid swizzle / mask `xyz'", "cannot access field `xyz' of non-structure / non-vector")
    assert trace.refused == {
        "sum +": "no expression",
        "sum \udcff": "no expression",
        "sum = 1.0": "an expression that changes a variable",
        "sum + nothing": "nowhere are all of these declared: nothing, sum",
        "sum.xyz": by_driver,
        "sum); discard; (sum": "no expression",
        "count()": "a call that changes variables: count",
    }
    assert trace.steps[-2].watched == {"sum": (3.0,)}


def test_constants_uniforms_and_agreement_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, main_of(BODY, f"const float HALF = 0.5; const int N = -3;\n{BEFORE}")) as session:
        trace = session.trace("y", 0)
        assert (trace.constants, trace.uniforms) == (
            {"HALF": (0.5,), "N": (-3,), "BOTH": (0.5, 2.0)}, {"u_scale": (0.5,)}
        )  # fmt: skip
        assert trace.agrees is True
        assert [(each.name, each.value, each.begun) for each in trace.before] == [("counted", (0.0,), 0)]
        session.replace_shader("y", main_of(BODY, BEFORE))
        assert session.trace("y", 0).agrees is None
