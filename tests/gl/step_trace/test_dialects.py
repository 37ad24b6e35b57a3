"""Tests traces of GLSL's variants: macros, versions, structs, overloads, switches, out parameters; and refusals."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.seen.subjects import dispatches
from tests.gl.step_trace.one_pass import main_of, one_pass
from tests.traces.sources import made
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.step_trace.trace import Trace

pytestmark = pytest.mark.usefixtures("both_logs")


def traced(folder: Path, gl: moderngl.Context, text: str, element: int = 0) -> Trace:
    """The trace of an element, which is as exact as it has to be."""
    with one_pass(folder, gl, text) as session:
        trace = session.trace("y", element)
        texel = session.texels("y")[trace.place[1], trace.place[0]]
    assert trace.agrees is True
    assert next(iter(trace.outputs.values())) == tuple(texel.tolist())
    return trace


def values(trace: Trace, name: str) -> list[tuple[float, ...]]:
    """Returns the values of a variable, in order."""
    return [each.value for step in trace.steps for each in step.assigned if each.name == name]


def test_statements_that_macros_make_are_told_where_they_are_used(gl: moderngl.Context, tmp_path: Path) -> None:
    before = """\
#define ADD(i, w) sum += (w) * texelFetch(u_x, ivec2(i, 0), 0).x; \\
    last = sum;
#define NEXT(x) x++
#define WEIGHT 0.5
"""
    body = """\
    float sum = 0.0, last; int n = 0;
    ADD(1, WEIGHT)
    ADD(2, 2.0)
#define HIGH 1
#if (HIGH == 1)
    if (NEXT(n) == 0) NEXT(n);
#else
    n = 100;
#endif
    result = vec4(sum, last, n, 1.0);"""
    trace = traced(tmp_path, gl, main_of(body, before))
    assert [(each.line[1], each.text) for each in trace.steps[2:6]] == [
        (11, "ADD(1, WEIGHT)"), (11, "ADD(1, WEIGHT)"), (12, "ADD(2, 2.0)"), (12, "ADD(2, 2.0)")
    ]  # fmt: skip
    assert [each.texel for step in trace.steps for each in step.reads] == [(1, 0), (2, 0)]
    assert values(trace, "n") == [(0,), (1,), (2,)]


def test_structs_overloads_and_switches_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    before = """\
struct Inner { vec2 at; bool used[2]; };
struct Sum { float total; Inner inner; };
Sum sum_of(float x) { Sum s = Sum(x, Inner(vec2(x), bool[2](true, false))); s.inner.at.y += 1.0; return s; }
float twice(float x) { return 2.0 * x; }
vec2 twice(vec2 x) { return vec2(twice(x.x), twice(x.y)); }
bool split(float x, out float whole, inout vec2 rest) { rest.x += modf(x, whole); return whole > 1.0; }
"""
    body = """\
    Sum s = sum_of(3.5), other;
    other = s;
    float whole; vec2 rest[2]; rest[1] = vec2(0.25);
    int i = 1;
    if (split(s.total, whole, rest[i])) s.total = whole;
    mat2 grid[2]; grid[i][0] = twice(vec2(whole));
    switch (i) {
        case 0: s.total = 100.0; break;
        case 1: s.total += 1.0;
        default: s.total *= 2.0;
    }
    result = vec4(s.total, rest[1].x, grid[1][0]) * (i > 0 ? 1.0 : 0.0);"""
    trace = traced(tmp_path, gl, main_of(body, before))
    assert trace.outputs["result"] == (8.0, 0.75, 6.0, 6.0)
    assert values(trace, "other.inner.at") == [(3.5, 4.5)]
    assert values(trace, "s.inner.used[0]") == [(True,), (True,)]  # in the function and behind it
    assert next(each.returned for each in trace.steps if each.text == "return s") == (3.5, 3.5, 4.5, True, False)
    assert (values(trace, "whole"), values(trace, "rest[1]")) == ([(3.0,), (3.0,)], [(0.25, 0.25), (0.75, 0.25)])
    assert values(trace, "grid[1][0]") == [(6.0, 6.0)]
    assert values(trace, "s.total") == [(3.5,), (3.5,), (3.0,), (4.0,), (8.0,)]
    assert [each.depth for each in trace.steps if each.text == "return 2.0 * x"] == [2, 2]


def test_embedded_and_old_versions_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    embedded = """#version 300 es
precision mediump float;
uniform sampler2D u_x;
uniform float u_scale;
out vec4 result;
float taken(sampler2D from, vec2 at) { return texture(from, at).x; }
void main() {
    float sum = 0.0;
    for (lowp int i = 0; i < 3; i++) sum += taken(u_x, vec2(float(i) + 0.5, 0.5) / vec2(5.0, 3.0)) * u_scale;
    result = vec4(sum + 0.0001, sum, 0.0, 1.0);
}
"""
    trace = traced(tmp_path, gl, embedded)
    assert [each.texel for step in trace.steps for each in step.reads] == [(0, 0), (1, 0), (2, 0)]
    assert next(each.text for step in trace.steps for each in step.reads) == "texture(from, at)"
    old = """#version 130
uniform sampler2D u_x;
uniform float u_scale;
void main() { gl_FragData[0] = u_scale * texture(u_x, gl_FragCoord.xy / vec2(5.0, 3.0)); }
"""
    (tmp_path / "old").mkdir()
    trace = traced(tmp_path / "old", gl, old)
    assert [each.name for each in trace.steps[0].assigned] == ["gl_FragData[0]"]
    assert trace.steps[0].line == ("y.frag", 4)


def test_shaders_of_web_gl_1_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    text = """#version 100
precision highp float;
uniform sampler2D u_x;
uniform float u_scale;
varying vec2 v_place;
void main() {
    float read = texture2D(u_x, v_place).x;
    gl_FragColor = vec4(read * u_scale);
}
"""
    trace = traced(tmp_path, gl, text)
    assert [(step.line[1], step.assigned[0].name) for step in trace.steps[:2]] == [(7, "read"), (8, "gl_FragColor")]
    assert [(each.text, each.texel) for step in trace.steps for each in step.reads] == [
        ("texture2D(u_x, v_place)", (0, 0))
    ]


def test_loops_without_conditions_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    body = """\
    int n = 0;
    for (;;) { while (n % 2 == 0) n++; if (n++ > 4) break; }
    result = vec4(n);"""
    trace = traced(tmp_path, gl, main_of(body))
    whiles = [each.turns for each in trace.steps if each.text == "while (n % 2 == 0)"]
    assert whiles == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert [each.turns for each in trace.steps if each.end == "break"] == [(2,)]


def test_an_infinite_value_is_what_it_is(gl: moderngl.Context, tmp_path: Path) -> None:
    body = "    float zero = u_scale - 0.5;\n    result = vec4(1.0 / zero, -1.0 / zero, zero / zero, 1.0);"
    with one_pass(tmp_path, gl, main_of(body)) as session:
        trace = session.trace("y", 0)
    assert trace.outputs["result"][:2] == (np.inf, -np.inf)
    assert '"Infinity"' in trace.to_json()
    assert '"NaN"' in trace.to_json()


GATHERED = "    result = textureGather(u_x, vec2(0.5));"


def test_what_cannot_be_followed_is_refused_by_name(gl: moderngl.Context, tmp_path: Path) -> None:
    if gl.version_code < 400:
        pytest.skip("the driver has no textureGather")
    with (
        one_pass(tmp_path, gl, main_of(GATHERED).replace("#version 330", "#version 400")) as session,
        pytest.raises(UnsupportedError, match=r"trace of 'y' \(y\.frag:6\): expected reads by .*, got textureGather"),
    ):
        session.trace("y", 0)


@pytest.mark.usefixtures("compute")
@pytest.mark.parametrize("both_logs", ["logged in a buffer"], indirect=True)
def test_a_dispatch_that_has_not_run_is_traced(gl: moderngl.Context) -> None:
    with made(dispatches.conv_shared, gl) as session:
        first = next(each.name for each in session.plan.passes if each.dispatch is not None)
        trace = session.trace(first, 0)
        session.run()
        (written,) = trace.steps[-1].assigned
        assert written.value[0] == session.tensor(first).reshape(-1)[0]


@pytest.mark.usefixtures("compute")
@pytest.mark.parametrize("both_logs", ["logged in colours"], indirect=True)
def test_a_dispatch_is_refused_by_name_where_there_are_no_buffers(gl: moderngl.Context) -> None:
    with made(dispatches.conv_shared, gl) as session:
        first = next(each.name for each in session.plan.passes if each.dispatch is not None)
        with pytest.raises(UnsupportedError, match=r"expected storage buffers \(OpenGL 4\.3\) for a compute shader"):
            session.trace(first, 0)


def test_a_pass_that_nothing_fed_is_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, main_of("    result = vec4(1.0);")) as opened:
        unfed = dataclasses.replace(opened.plan, initial_inputs={})
    with (
        DebugSession(unfed, gl) as session,
        pytest.raises(TexelscopeError, match="tensor 'x': expected a tensor that was"),
    ):
        session.trace("y", 0)
