"""Makes a pipeline of one pass with a given shader, to trace."""

from __future__ import annotations

from pathlib import Path

import moderngl

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession

HEAD = "#version 330 core\nuniform sampler2D u_x;\nuniform float u_scale;\nout vec4 result;\n"
_FILE = """
[pipeline]
name = "one"

[[input]]
name = "x"
shape = [1, 4, 3, 5]
source = "ramp"
layout = "channel_tiles_rgba"

[[pass]]
name = "y"
shader = "y.frag"
output = { shape = [1, 4, 3, 5], layout = "channel_tiles_rgba" }
textures.u_x = "x"
uniforms.u_scale = 0.5
"""


def one_pass(folder: Path, gl: moderngl.Context, text: str, *, vertex: str = "", file: str = _FILE) -> DebugSession:
    """A session that has run the pass `y` from `x`, both [1, 4, 3, 5] in four channels a texel: a texel is (w, h)."""
    if vertex:
        (folder / "y.vert").write_text(vertex)
        file += 'vertex = "y.vert"\n'
    (folder / "pipeline.toml").write_text(file)
    (folder / "y.frag").write_text(text)
    session = pipeline.open(folder / "pipeline.toml", context=gl)
    session.run()
    error = session.shader_error("y")
    assert error is None, error
    return session


def main_of(body: str, before: str = "") -> str:
    """A shader with that in its main, from line 6 on if nothing stands `before` it."""
    return f"{HEAD}{before}void main() {{\n{body}\n}}\n"
