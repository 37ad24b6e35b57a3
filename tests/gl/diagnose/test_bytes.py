"""A texture of bytes rounds, and a few results may equal any sentinel: neither is called a fault of the shader."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.compare.report import Finding

FILE = """
[pipeline]
oracle = "oracle.py"

[[input]]
name = "x"
shape = [1, {channels}, {size}, {size}]
layout = "channel_tiles_rgba"
source = "x.npy"
dtype = "{stored}"

[[pass]]
name = "y"
shader = "s.frag"
output = {{ shape = [1, {channels}, {size}, {size}], layout = "channel_tiles_rgba", dtype = "uint8" }}
textures.u_x = "x"
"""
SHADER = """#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D u_x;
out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    SKIPPED
    result = (texelFetch(u_x, at, 0) - 0.5) * 1.5 + 0.5;
}
"""
ORACLE = "def y(u_x):\n    return ((u_x - 0.5) * 1.5 + 0.5).clip(0, 1)\n"


def findings(
    folder: Path, gl: moderngl.Context, size: int, channels: int, stored: str = "uint8", skipped: str = ""
) -> tuple[Finding, ...]:
    file = FILE.format(size=size, channels=channels, stored=stored)
    path = write_folder(folder, file, oracle_py=ORACLE, s_frag=SHADER.replace("SKIPPED", skipped))
    values = np.random.default_rng(size).uniform(0.0, 1.0, (1, channels, size, size)).astype(np.float32)
    np.save(folder / "x.npy", values)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        (report,) = session.compare().passes
        return report.findings


# Of 512 and 405 elements a few equal the first sentinel's byte of their place.
@pytest.mark.parametrize(("size", "channels"), [(8, 8), (9, 5)])
@pytest.mark.parametrize("stored", ["uint8", "float32"])
def test_results_that_equal_a_sentinel_were_written_and_the_storage_is_named(
    size: int, channels: int, stored: str, gl: moderngl.Context, tmp_path: Path
) -> None:
    (finding,) = findings(tmp_path, gl, size, channels, stored)
    assert finding.cause in ("precision", "quantized_8bit")
    if finding.cause == "precision":
        assert finding.line is None
        assert 'dtype = "uint8" stores' in finding.evidence
        assert finding.remedy.startswith("Store the tensor as float32 or float16")


@pytest.mark.parametrize("skipped", ["if (at.x == 1) discard;", "if ((at.x + at.y) % 3 == 0) discard;"])
def test_texels_that_were_not_written_are_still_found(skipped: str, gl: moderngl.Context, tmp_path: Path) -> None:
    assert "unwritten_texels" in {each.cause for each in findings(tmp_path, gl, 8, 8, skipped=skipped)}
