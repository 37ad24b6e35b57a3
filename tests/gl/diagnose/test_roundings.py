"""Another rounding than the model's is named, in pipelines by hand too, and is no straight line."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline

FILE = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, {channels}, 7, 9]
layout = "{layout}"
source = "x.npy"
[[pass]]
name = "y"
shader = "s.frag"
output = {{ shape = [1, {channels}, 7, 9], layout = "{layout}" }}
textures.u_x = "x"
"""
SHADERS = {
    "channel_tiles": "#version 330 core\nuniform sampler2D u_x;\nout float result;\nvoid main() {\n"
    "    float x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r;\n    result = RESULT;\n}\n",
    "channel_tiles_rgba": "#version 300 es\nprecision highp float;\nprecision highp sampler2D;\n"
    "uniform sampler2D u_x;\nout vec4 result;\n"
    "void main() {\n    vec4 x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0);\n"
    "    result = RESULT;\n}\n",
}


@pytest.mark.parametrize(
    ("model", "result", "layout", "function", "expected"),
    [
        ("np.round(u_x / 0.05) * 0.05", "floor(x / 0.05) * 0.05", "channel_tiles", "Floor", "Round"),
        ("np.round(u_x)", "ceil(x)", "channel_tiles", "Ceil", "Round"),
        ("np.clip(np.rint(u_x * 8.0), -100, 100)", "clamp(trunc(x * 8.0), -100.0, 100.0)", "channel_tiles_rgba",
         "Trunc", "Round"),
        ("np.floor(u_x * 3.0) / 3.0", "roundEven(x * 3.0) / 3.0", "channel_tiles_rgba", "Round", "Floor"),
        ("np.ceil(u_x * 4.0)", "floor(x * 4.0)", "channel_tiles", "Floor", "Ceil"),
    ],
)  # fmt: skip
def test_another_rounding_is_named_and_no_straight_line(
    model: str, result: str, layout: str, function: str, expected: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    channels = 1 if layout == "channel_tiles" else 4
    oracle = f"import numpy as np\ndef y(u_x):\n    return {model}\n"
    shader = SHADERS[layout].replace("RESULT", result)
    path = write_folder(tmp_path, FILE.format(layout=layout, channels=channels), oracle_py=oracle, s_frag=shader)
    values = np.random.default_rng(2).normal(0.0, 3.0, (1, channels, 7, 9)).astype(np.float32)
    np.save(tmp_path / "x.npy", values)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        found = session.compare().passes[0].findings
    assert found[0].cause == "wrong_function"
    assert {"function": function, "expected": expected}.items() <= dict(found[0].parameters).items()
    assert "affine" not in {each.cause for each in found}
    assert "affine" not in found[0].one_of
