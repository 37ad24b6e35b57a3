"""What is bound in the wrong place is said with its sampler and the line of the pipeline file."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node, value
from texelscope import pipeline

SHADER = """\
#version 330 core
uniform sampler2D t_A;
uniform sampler2D t_B;
out vec4 Y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    Y = texelFetch(t_A, at, 0) - 0.5 * texelFetch(t_B, at, 0);
}
"""
DISPATCHED = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer A { float a[]; };
layout(std430) readonly buffer B { float b[]; };
layout(std430) writeonly buffer Y { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < 192u) { y[i] = a[i] - 0.5 * b[i]; }
}
"""
# y = h - k / 2 with h = -x and k = h * h.
PASSES = """\
[[pass]]
name = "h"
shader = "negative.frag"
output = {{tensor}}
textures.t_X = "x"
[[pass]]
name = "k"
shader = "square.frag"
output = {{tensor}}
textures.t_X = "h"
[[pass]]
name = "y"
shader = "y.frag"
output = {{tensor}}
"""
ONE = "#version 330 core\nuniform sampler2D t_X;\nout vec4 Y;\nvoid main() {{ Y = {}; }}\n"
READ = "texelFetch(t_X, ivec2(gl_FragCoord.xy), 0)"
SHADERS = {
    "negative.frag": ONE.format(f"-{READ}"),
    "square.frag": ONE.format(f"{READ} * {READ}"),
    "y.frag": SHADER,
    "y.comp": DISPATCHED,
}
BUFFERS = 'buffers.A = "{}"\nbuffers.B = "{}"\nbuffers.Y = "y"\ndispatch = [3, 1, 1]'


@pytest.mark.parametrize(
    ("kind", "first", "second", "said"),
    [
        ("frag", "h", "h", {"got": "h", "expected": "k", "sampler": "t_B"}),
        ("frag", "k", "k", {"got": "k", "expected": "h", "sampler": "t_A"}),  # h follows from nothing that is bound
        ("comp", "h", "x", {"got": "x", "expected": "k", "sampler": "B"}),
    ],
)
def test_another_tensor_bound_is_named_with_its_line(
    gl: moderngl.Context, tmp_path: Path, kind: str, first: str, second: str, said: dict[str, str]
) -> None:
    nodes = [node("Neg", "x", "h"), node("Mul", "h h", "k"), node("Mul", "k half", "l"), node("Sub", "h l", "y")]
    made = model(nodes, [value("x")], [value("y")], weights={"half": np.full(1, 0.5, np.float32)})
    bound = f'textures.t_A = "{first}"\ntextures.t_B = "{second}"' if kind == "frag" else BUFFERS.format(first, second)
    layout = "channel_tiles" if kind == "frag" else "linear"
    path = small_pipeline(tmp_path, made, SHADERS, layout, PASSES.replace("y.frag", f"y.{kind}") + bound)
    with pipeline.open(path, context=gl) as session:
        session.run()
        found = session.compare().find("y")
    assert found is not None
    assert found.findings, (found.verdict, found.message)
    finding = found.findings[0]
    assert (finding.cause, finding.parameters, finding.explained) == ("wrong_input", said, 1.0)
    line = 22 if said["sampler"].endswith("A") else 23
    assert (finding.shader, finding.line) == ("pipeline.toml", line)
    assert finding.remedy.startswith(f"Bind '{said['expected']}' to {said['sampler']}.")
    edit = found.repairs[0].edits[0]
    assert (edit.file, edit.line, edit.before) == ("pipeline.toml", line, path.read_text("utf-8").split("\n")[line - 1])
    assert edit.after == (edit.before or "").replace(f'"{said["got"]}"', f'"{said["expected"]}"')
    assert found.repairs[0].inputs_tried == 4
