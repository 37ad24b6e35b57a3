"""Tests that a trace shows what a fragment did: statements, values, reads, branches and turns, as on the driver."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from tests.gl.step_trace.one_pass import main_of, one_pass
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.step_trace.trace import TraceStep

pytestmark = pytest.mark.usefixtures("both_logs")

Told = tuple[int, str, dict[str, tuple[float, ...]]]


def told(steps: tuple[TraceStep, ...]) -> list[Told]:
    """Returns line, text and assignments of each step."""
    return [(each.line[1], each.text, {made.name: made.value for made in each.assigned}) for each in steps]


def test_the_broken_example_is_told_line_by_line(gl: moderngl.Context) -> None:
    with pipeline.open(ROOT / "examples/webgl_cnn/broken.toml", context=gl) as session:
        session.run(to="down1")
        trace = session.trace("down1", (0, 0, 6, 5))
        assert (trace.place, trace.element, trace.total) == ((5, 6), 6 * 32 + 5, len(trace.steps))
        at = trace.steps[14]
        assert (at.line, at.text) == (("down1.frag", 36), "vec2 at = position + (offset + 1.0) * input_texel")
        assert at.turns == (0, 0)
        read = trace.steps[23].reads[0]
        assert (read.uniform, read.texel, read.text) == (
            "u_texture", (10, 12), "texture(u_texture, source + input_tile * tile_size)"
        )  # fmt: skip
        assert trace.steps[23].assigned[0].value == (read.value[0],)
        assert read.elements == (12 * 64 + 10,)
        last = trace.steps[-1].assigned[0]
        assert (last.name, last.type, last.value) == ("result", "vec4", trace.outputs["result"])
        assert np.float32(last.value[0]) == session.tensor("down1")[0, 0, 6, 5]
        assert {each.uniform: (each.size, each.wrap) for each in trace.samplers}["u_texture"][0] == (128, 128)
        assert trace.uniforms["u_output_size"] == (32, 32)


def test_every_kind_of_assignment_is_told(gl: moderngl.Context, tmp_path: Path) -> None:
    body = """\
    float v = 1, u = v + 0.5;
    vec3 w = vec3(0.0);
    w.xz += vec2(2, 3);
    float a[3] = float[3](1.0, 2.0, 3.0);
    int i = 0;
    a[i++ + 1] = v = 7;
    --i;
    mat2 m = mat2(1.0); m[1] *= u;
    result = vec4(a[1], w.xz, m[1][1]);"""
    with one_pass(tmp_path, gl, main_of(body)) as session:
        trace = session.trace("y", 7)
        texel = session.texels("y")[trace.place[1], trace.place[0]]
    assert told(trace.steps) == [
        (6, "float v = 1, u = v + 0.5", {"v": (1.0,), "u": (1.5,)}),
        (7, "vec3 w = vec3(0.0)", {"w": (0.0, 0.0, 0.0)}),
        (8, "w.xz += vec2(2, 3)", {"w.xz": (2.0, 3.0)}),
        (9, "float a[3] = float[3](1.0, 2.0, 3.0)", {"a[0]": (1.0,), "a[1]": (2.0,), "a[2]": (3.0,)}),
        (10, "int i = 0", {"i": (0,)}),
        (11, "a[i++ + 1] = v = 7", {"i": (1,), "v": (7.0,), "a[1]": (7.0,)}),
        (12, "--i", {"i": (0,)}),
        (13, "mat2 m = mat2(1.0)", {"m": (1.0, 0.0, 0.0, 1.0)}),
        (13, "m[1] *= u", {"m[1]": (0.0, 1.5)}),
        (14, "result = vec4(a[1], w.xz, m[1][1])", {"result": (7.0, 2.0, 3.0, 1.5)}),
    ]
    assert tuple(texel.tolist()) == trace.outputs["result"] == (7.0, 2.0, 3.0, 1.5)


def test_loops_branches_and_calls_are_told(gl: moderngl.Context, tmp_path: Path) -> None:
    before = """\
float half_of(float x, out float rest) {
    rest = x - 0.5 * x;
    if (x > 2.0) return 0.5 * x; else return x;
}
"""
    body = """\
    float sum = 0.0, left;
    for (int i = 0; i < 4; i++) {
        if (i == 1) continue;
        if (i == 3) break;
        sum += half_of(float(i) + 1.0, left);
    }
    int n = 2;
    while (n > 0) n--;
    do n += 1; while (n < 1);
    result = vec4(sum + left);"""
    with one_pass(tmp_path, gl, main_of(body, before)) as session:
        trace = session.trace("y", 0)
    calls = [(each.function, each.call, each.depth) for each in trace.steps if each.depth]
    assert calls == [("half_of", 1, 1)] * 3 + [("half_of", 2, 1)] * 3
    assert [(each.text, each.branch) for each in trace.steps if each.depth and each.branch is not None] == [
        ("if (x > 2.0)", False), ("if (x > 2.0)", True)
    ]  # fmt: skip
    assert [each.returned for each in trace.steps if each.end == "return"] == [(1.0,), (1.5,)]
    conditions = [(each.turns, each.branch) for each in trace.steps if each.text == "i < 4"]
    assert conditions == [((turn,), True) for turn in range(4)]
    assert [each.turns for each in trace.steps if each.end] == [(), (1,), (), (3,)]
    assert [(each.turns, each.branch) for each in trace.steps if each.text == "while (n > 0)"] == [
        ((0,), True), ((1,), True), ((2,), False)
    ]  # fmt: skip
    assert [each.turns for each in trace.steps if each.text in ("n += 1", "while (n < 1)")] == [(0,), (0,)]
    summed = [each for each in trace.steps if each.text.startswith("sum +=")][1]
    made = {each.name: (each.value, each.function, each.call) for each in summed.assigned}
    assert made == {"x": ((3.0,), "half_of", 2), "left": ((1.5,), "main", 0), "sum": ((2.5,), "main", 0)}
    assert [each.begun - summed.number for each in summed.assigned] == [1, 4, 4]
    assert trace.outputs["result"] == (4.0, 4.0, 4.0, 4.0)


def test_a_discard_leaves_no_output(gl: moderngl.Context, tmp_path: Path) -> None:
    body = "    if (gl_FragCoord.x > 2.0) discard;\n    result = vec4(1.0);"
    with one_pass(tmp_path, gl, main_of(body)) as session:
        trace, other = session.trace("y", (0, 0, 1, 3)), session.trace("y", (0, 0, 1, 1))
    assert (trace.discarded, trace.outputs, trace.steps[-1].end) == (True, {}, "discard")
    assert (other.discarded, other.outputs) == (False, {"result": (1.0, 1.0, 1.0, 1.0)})


def test_an_element_outside_is_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, main_of("    result = vec4(1.0);")) as session:
        message = r"trace of 'y': expected an element of a tensor of shape \[1, 4, 3, 5\], got \(0, 4, 0, 0\)"
        with pytest.raises(TexelscopeError, match=message):
            session.trace("y", (0, 4, 0, 0))
