"""What was not written has the remedies of its kind of pass: a dispatch has no discard and no scissor rectangle."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.report import Finding

HEAD = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 4, 6, 5]
layout = "{layout}"
source = "random:4"
[[pass]]
name = "y"
"""
BUFFERS = """shader = "s.comp"
output = { shape = [1, 4, 6, 5], layout = "linear" }
buffers = { X = "x", Y = "y" }
dispatch = GROUPS
"""
IMAGE = """shader = "s.comp"
output = { shape = [1, 4, 6, 5], layout = "channel_tiles_rgba" }
textures.u_x = "x"
images.i_y = "y"
dispatch = [1, 1, 1]
"""
DRAWN = """shader = "s.frag"
output = { shape = [1, 4, 6, 5], layout = "channel_tiles_rgba" }
textures.u_x = "x"
"""
ORACLE = "def y(**given):\n    return 2.0 * next(iter(given.values()))\n"
OF_BUFFERS = """#version 430
layout(local_size_x = 8) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) writeonly buffer Y { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    STORE
}
"""
OF_IMAGE = """#version 430
layout(local_size_x = 5, local_size_y = 4) in;
uniform sampler2D u_x;
layout(rgba32f) writeonly uniform image2D i_y;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(i_y, at, 2.0 * texelFetch(u_x, at, 0));
}
"""
OF_DRAW = """#version 330 core
uniform sampler2D u_x;
out vec4 result;
void main() {
    if (gl_FragCoord.y > 4.0) discard;
    result = 2.0 * texelFetch(u_x, ivec2(gl_FragCoord.xy), 0);
}
"""


def unwritten(folder: Path, gl: moderngl.Context, passes: str, shader: str) -> Finding:
    layout = "linear" if "buffers" in passes else "channel_tiles_rgba"
    name = {"s_comp": shader} if ".comp" in passes else {"s_frag": shader}
    path = write_folder(folder, HEAD.format(layout=layout) + passes, oracle_py=ORACLE, **name)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        (report,) = session.compare().passes
        return next(each for each in report.findings if each.cause == "unwritten_texels")


@pytest.mark.parametrize(
    ("store", "groups"),
    [
        ("if (i % 7u == 3u) return;\n    y[i] = 2.0 * x[i];", 15),
        ("if (x[i] < 0.7) y[i] = 2.0 * x[i];", 15),
        ("y[i] = 2.0 * x[i];", 11),
    ],
)
def test_a_dispatch_into_a_buffer_is_told_of_invocations_and_work_groups(
    store: str, groups: int, gl: moderngl.Context, tmp_path: Path
) -> None:
    passes = BUFFERS.replace("GROUPS", str(groups))
    remedy = unwritten(tmp_path, gl, passes, OF_BUFFERS.replace("STORE", store)).remedy
    assert "discard" not in remedy
    assert "scissor" not in remedy
    assert f"an early return, an `if` around the store, or fewer work groups ({groups} x 1 x 1)" in remedy


def test_a_dispatch_into_an_image_is_told_the_same(gl: moderngl.Context, tmp_path: Path) -> None:
    assert "work groups (1 x 1 x 1)" in unwritten(tmp_path, gl, IMAGE, OF_IMAGE).remedy


def test_a_draw_is_told_of_discard_and_the_scissor_rectangle(gl: moderngl.Context, tmp_path: Path) -> None:
    remedy = unwritten(tmp_path, gl, DRAWN, OF_DRAW).remedy
    assert remedy.endswith("look for discard, an early return or a scissor rectangle.")
