"""Without storage buffers a trace is the same, entry by entry: of discards, inputs, derivatives, several outputs."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.gl.step_trace.in_colours import traced_in_colours
from tests.gl.step_trace.one_pass import HEAD, main_of, one_pass
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.state import is_es
from texelscope.pipeline.read_trace import colour_scan
from texelscope.pipeline.step_trace import colour_log
from texelscope.pipeline.step_trace.recorder import TraceRecorder

VARYING = HEAD.replace("out vec4", "in vec2 v_uv;\nout vec4")
OWN_DEPTH = "a depth of its own"
SHADERS = {
    "a loop": main_of(
        """\
    float sum = 0.0;
    for (int i = 0; i < 20; i++) sum += texelFetch(u_x, ivec2(i % 5, i % 3), 0).x * u_scale;
    result = vec4(sum, gl_FragCoord.xy, gl_FragCoord.z + gl_FragCoord.w);"""
    ),
    "a macro with the place": main_of(
        "    vec2 at = HERE / vec2(5.0, 3.0);\n    result = texture(u_x, at);", "#define HERE gl_FragCoord.xy\n"
    ),
    "an input": f"{VARYING}void main() {{ result = texture(u_x, v_uv) + vec4(v_uv, 0.1 * v_uv); }}\n",
    "derivatives": f"""\
{VARYING}
vec2 slope(vec2 x) {{ return dFdx(x) + fwidth(x * x); }}
void main() {{
    vec4 read = texture(u_x, v_uv, 0.5);
    vec2 s = slope(v_uv * v_uv);
    result = vec4(s, dFdy(read.x), dFdx(gl_FragCoord.x) + fwidth(gl_FragCoord.y * gl_FragCoord.y));
}}
""",
    "differences of the place": main_of(
        "    float x = gl_FragCoord.x * gl_FragCoord.x;\n    result = vec4(x, dFdx(x), fwidth(x), dFdy(x + 1.0));"
    ),
    "a block of inputs": HEAD.replace("out vec4", "in Corner { vec2 uv; flat int number; } corner;\nout vec4")
    + "void main() { float x = corner.uv.x * 3.0; result = vec4(x, corner.uv, corner.number); }\n",
    OWN_DEPTH: HEAD.replace("330", "420") + "layout(depth_any) out float gl_FragDepth;\n"
    "void main() { gl_FragDepth = 0.25; result = vec4(gl_FragDepth); }\n",
    "words between comments": """\
#version 330
uniform sampler2D u_x;
uniform float u_scale;
layout(location = 0) /* the only one */ out /* as ever */ highp vec4 result; // so
void main() { result = u_scale * texelFetch(u_x, ivec2(gl_FragCoord), 0); }
""",
    "GLSL ES 3.00": """\
#version 300 es
precision mediump float;
uniform highp sampler2D u_x;
uniform float u_scale;
out vec4 result;
void main() {
    mat2 m = mat2(1.0, 2.0, 3.0, u_scale);
    uint bits = 5u;
    for (int i = 0; i < 3; i++) bits = bits << 1u ^ uint(i);
    result = vec4(m[1], float(bits), texelFetch(u_x, ivec2(1, 2), 0).x);
}
""",
    "GLSL ES 1.00": """\
#version 100
precision highp float;
uniform highp sampler2D u_x;
uniform float u_scale;
varying vec2 v_place;
void main() { gl_FragColor = texture2D(u_x, v_place) * u_scale; }
""",
    "GLSL 1.30": """\
#version 130
uniform sampler2D u_x;
uniform float u_scale;
void main() { gl_FragData[0] = u_scale * texture(u_x, gl_FragCoord.xy / vec2(5.0, 3.0)); }
""",
    "values of all sizes": main_of(
        """\
    mat4 m = mat4(u_scale); m[2] = vec4(1.0, 2.0, 3.0, 4.0);
    mat4x3 n = mat4x3(2.0); ivec4 i = ivec4(1, -2, 3, -4); uvec3 u = uvec3(7u); bvec2 b = bvec2(true, false);
    float zero = u_scale - 0.5;
    vec2 gone = vec2(zero / zero, -1.0 / zero);
    float cells[3] = float[3](1.0, 2.0, 3.0); cells[i.x] += 1.5;
    result = m * vec4(n[1], float(i.w)) + float(u.x) + (b.x ? cells[1] : gone.x);"""
    ),
}  # fmt: skip
DISCARDING = {
    "in main": main_of("    float x = 2.0;\n    if (x > u_scale) discard;\n    else x = 3.0;\n    result = vec4(x);"),
    "in a function": main_of(
        "    float x = kept(2.0);\n    result = vec4(x);",
        "float kept(float x) { x += 1.0; if (x > u_scale) discard; return x; }\n",
    ),
    "in a loop that only it ends": main_of(
        "    int turns = 0;\n    for (;;) stop(turns++);\n    result = vec4(1.0);",
        "void stop(int turns) { if (turns == 4) discard; }\n",
    ),
    "in loops around loops": main_of(
        """\
    int turns = 0;
    do while (turns >= 0) if (ended(turns)) turns = -1; else turns++; while (turns < 100);
    result = vec4(1.0);""",
        "bool ended(int turns) { switch (turns) { case 5: discard; default: return false; } }\n",
    ),
    "in a function of a structure": main_of(
        "    Pair p = pair(u_scale);\n    result = vec4(p.a, p.b, 1.0);",
        """\
struct Pair { float a; vec2 b; };
Pair pair(float x) { if (x > 0.0) { discard; } return Pair(x, vec2(x)); }
""",
    ),
    "by a macro": main_of(
        "    float x = 2.0;\n    STOP(x > u_scale)\n    result = vec4(x);", "#define STOP(c) if (c) discard;\n"
    ),
}  # fmt: skip
KEEPING = main_of(
    "    float x = 2.0;\n    if (x < u_scale) discard;\n    result = vec4(kept(x));",
    "float kept(float x) { if (x < 0.0) discard; return 2.0 * x; }\n",
)
A_LOOP_AND_AN_INPUT = f"""\
{VARYING}
void main() {{
    float sum = v_uv.x;
    for (int i = 0; i < 99; i++) sum += v_uv.y;
    result = vec4(sum);
}}
"""
VERTEX = """\
#version 330 core
out Corner { vec2 uv; flat int number; } corner;
void main() {
    corner.uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    corner.number = 7;
    gl_Position = vec4(corner.uv * 2.0 - 1.0, 0.25, 1.0);
}
"""
SEVERAL = """
[pipeline]
name = "several"

[[input]]
name = "x"
shape = [1, 4, 3, 5]
source = "ramp"
layout = "channel_tiles_rgba"

[[pass]]
name = "y"
shader = "y.frag"
output = [
    { shape = [1, 4, 3, 5], layout = "channel_tiles_rgba", dtype = "float16" },
    { name = "z", shape = [1, 4, 3, 5], layout = "channel_tiles_rgba", dtype = "uint8" },
]
textures.u_x = "x"
uniforms.u_scale = 0.3
"""
TWO = """\
#version 330 core
uniform sampler2D u_x;
uniform float u_scale;
layout(location = 1) out vec4 second;
layout(location = 0) out vec4 first;
void main() {
    first = texelFetch(u_x, ivec2(gl_FragCoord), 0) * u_scale;
    second = first / 7.0;
    first += second;
}
"""


@pytest.mark.parametrize("text", SHADERS.values(), ids=SHADERS)
def test_a_trace_in_colours_is_the_same(text: str, gl: moderngl.Context, tmp_path: Path) -> None:
    if text == SHADERS[OWN_DEPTH] and gl.version_code < 420:
        pytest.skip("the driver has no depth that a text declares anew")
    with one_pass(tmp_path, gl, text, vertex=VERTEX if "Corner" in text else "") as session:
        for element in (0, 11):
            assert traced_in_colours(session, element).agrees is True


@pytest.mark.parametrize("text", DISCARDING.values(), ids=DISCARDING)
def test_a_discarded_fragment_is_traced_to_its_discard(text: str, gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, text) as session:
        trace = traced_in_colours(session)
    assert trace.discarded
    assert trace.steps[-1].end == "discard"
    assert (trace.total, trace.outputs, trace.agrees) == (len(trace.steps), {}, None)


def test_a_discard_that_is_not_reached_changes_nothing(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, KEEPING) as session:
        trace = traced_in_colours(session)
    assert (trace.discarded, trace.outputs, trace.agrees) == (False, {"result": (4.0,) * 4}, True)


def test_each_of_several_outputs_is_held_against_its_own_target(gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, TWO, file=SEVERAL) as session:
        assert traced_in_colours(session, 7).agrees is True
        session.texture("z").write(bytes(4 * 15))
        assert traced_in_colours(session, 7).agrees is False


def test_watches_show_the_place_of_the_texel(gl: moderngl.Context, tmp_path: Path) -> None:
    body = "    float sum = 0.0;\n    for (int i = 0; i < 4; i++) sum += float(i);\n    result = vec4(sum);"
    watches = ["gl_FragCoord.xy + sum", "twice(sum)", "sum > 2.0", "nothing * 2", "sum = 2"]
    before = "float twice(float x) { return 2.0 * x; }\n"
    with one_pass(tmp_path, gl, main_of(body, before)) as session:
        trace = traced_in_colours(session, 2, watches=watches)
    assert trace.watches == ("gl_FragCoord.xy + sum", "twice(sum)", "sum > 2.0")
    assert trace.steps[-1].watched["gl_FragCoord.xy + sum"] == (8.5, 6.5)


@pytest.mark.parametrize("window", [(0, 5), (30, 70), (190, 300), (500, 501)])
@pytest.mark.parametrize("text", [SHADERS["a loop"], A_LOOP_AND_AN_INPUT], ids=["a loop", "an input"])
def test_a_window_is_the_same(text: str, window: tuple[int, int], gl: moderngl.Context, tmp_path: Path) -> None:
    with one_pass(tmp_path, gl, text) as session:
        traced_in_colours(session, 3, window=window)


def test_a_window_that_takes_too_many_runs_is_refused(
    gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(colour_log, "MOST_STEPS_RUN", 30 * 64)
    message = (
        r"trace of 'y': expected storage buffers \(OpenGL 4\.3\) for a window this late, got one up to step 41 of 64"
    )
    with one_pass(tmp_path, gl, SHADERS["a loop"]) as session:
        recorder = TraceRecorder(session, in_colours=True)
        assert len(recorder.trace("y", (0, 0), window=(20, 25)).steps) == 5
        with pytest.raises(TexelscopeError, match=message):
            recorder.trace("y", (0, 0), window=(20, 40))
        assert 0 < len(recorder.trace("y", (0, 0)).steps) < 30  # without a window, as much as can be had
        recorder.release()


def test_a_texel_too_far_to_be_drawn_at_its_place_is_refused(
    gl: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(colour_scan, "MOST_PLACED_BYTES", 16 * 4 * 6)
    with one_pass(tmp_path, gl, SHADERS["an input"]) as session:
        assert traced_in_colours(session, 6).place == (1, 1)
        with pytest.raises(UnsupportedError, match=r"pass 'y': .* got texel 4,2, on a driver without"):
            traced_in_colours(session, 14)


def test_a_place_with_its_own_origin_is_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    text = HEAD + "layout(origin_upper_left) in vec4 gl_FragCoord;\nvoid main() { result = gl_FragCoord; }\n"
    if is_es(gl):
        pytest.skip("OpenGL ES has no other origin")
    message = r"trace of 'y' \(y.frag:5\): expected gl_FragCoord as the language has it, got a declaration"
    with one_pass(tmp_path, gl, text) as session, pytest.raises(UnsupportedError, match=message):
        session.trace("y", 0)
