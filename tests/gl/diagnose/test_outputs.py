"""Of a pass with several outputs the wrong one is what a diagnosis is about."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node, value
from texelscope import pipeline

DRAWN = """\
#version 330 core
uniform sampler2D u_x;
layout(location = 0) out vec4 o_plus;
layout(location = 1) out vec4 o_minus;
void main() {
    vec4 x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0);
    o_minus = -x;
    o_plus = max(x, 0.0);
}
"""
DISPATCHED = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) writeonly buffer P { float p[]; };
layout(std430) writeonly buffer M { float m[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= 192u) return;
    m[i] = -x[i];
    p[i] = max(x[i], 0.0);
}
"""
# Both halves of a CReLU in one pass: the second without its activation.
PASS = """\
[[pass]]
name = "p"
shader = "both.frag"
output = [
    {{tensor}},
    {name = "m", {tensor}},
]
"""
BUFFERS = 'buffers.X = "x"\nbuffers.P = "p"\nbuffers.M = "m"\ndispatch = [3, 1, 1]'


@pytest.mark.parametrize(("kind", "line"), [("frag", 7), ("comp", 9)])
def test_a_second_output_that_is_wrong_is_diagnosed(gl: moderngl.Context, tmp_path: Path, kind: str, line: int) -> None:
    nodes = [node("Relu", "x", "p"), node("Neg", "x", "n"), node("Relu", "n", "m")]
    made = model(nodes, [value("x")], [value("p"), value("m")])
    layout, bound = ("channel_tiles", 'textures.u_x = "x"') if kind == "frag" else ("linear", BUFFERS)
    shaders = {"both.frag": DRAWN, "both.comp": DISPATCHED}
    path = small_pipeline(tmp_path, made, shaders, layout, PASS.replace("frag", kind) + bound)
    with pipeline.open(path, context=gl) as session:
        session.set_input("x", np.random.default_rng(5).normal(size=(1, 3, 8, 8)).astype(np.float32))
        session.run()
        found = session.compare().find("p")
        taps = session.taps("m", (0, 0, 3, 4))
    assert found is not None
    finding = found.findings[0]
    assert (finding.cause, finding.explained, finding.line) == ("activation_missing", 1.0, line)
    assert finding.evidence.startswith("output 'm': the values before Relu")
    assert {(tap.key, tap.elements) for tap in taps.reads} == {("x", (28,))}
