"""Storage blocks of whole numbers have those of a tensor, and what they write is read back."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from texelscope import pipeline

FILE = """\
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [3, 7]
layout = "linear"
source = "x.npy"
dtype = "{dtype}"
[[pass]]
name = "y"
shader = "y.comp"
output = {{ shape = [3, 7] }}
buffers = {{ X = "x", Y = "y" }}
dispatch = [21, 1, 1]
"""
SHADER = """\
#version 430
layout(local_size_x = 1) in;
layout(std430) readonly buffer X {{ {kind} x[]; }};
layout(std430) writeonly buffer Y {{ float y[]; }};
void main() {{ y[gl_GlobalInvocationID.x] = float(x[gl_GlobalInvocationID.x] >> 1); }}
"""


@pytest.mark.parametrize(("dtype", "kind", "least"), [("int32", "int", -9), ("uint32", "uint", 0)])
def test_a_block_has_the_whole_numbers_of_an_input(
    dtype: str, kind: str, least: int, tmp_path: Path, gl: moderngl.Context
) -> None:
    values = np.random.default_rng(1).integers(least, 16_777_216, (3, 7))
    np.save(tmp_path / "x.npy", values.astype(np.float32))
    (tmp_path / "pipeline.toml").write_text(FILE.format(dtype=dtype), encoding="utf-8")
    (tmp_path / "y.comp").write_text(SHADER.format(kind=kind), encoding="utf-8")
    (tmp_path / "oracle.py").write_text("import numpy as np\ndef y(X):\n    return np.floor(X / 2)\n", encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl, trust=True) as session:
        session.run()
        assert np.array_equal(session.tensor("y"), values >> 1)
        session.run()  # once more, from the buffers of the first run
        assert session.compare().passes[0].verdict == "match"
