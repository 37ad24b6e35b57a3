"""A wrong shader that reads through another kind of sampler gets the right name and its line, or none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.pipeline_file.test_sampler_kinds import places, values
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline

PIPELINE = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "t"
shape = {shape}
layout = "{layout}"
source = "t.npy"
[[input]]
name = "x"
shape = [1, 1, 6, 6]
layout = "channel_tiles"
source = "x.npy"
[[pass]]
name = "y"
shader = "y.frag"
output = {{ shape = [1, 1, 6, 6], layout = "channel_tiles" }}
textures.u_t = "t"
textures.u_x = "x"
"""
TEXT = """#version 330 core
uniform {kind} u_t;
uniform sampler2D u_x;
out vec4 result;
void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    {body}
}}
"""
GATHER = "return x.reshape(-1)[t % 36]"
SUM = "return x + t[:, :4].sum(axis=1, keepdims=True)"
LOOP = "float sum = texelFetch(u_x, at, 0).r; for (int z = {}; z < {}; z++) sum += texelFetch(u_t, ivec3({}, z), 0).r;"


@dataclass(frozen=True)
class SamplerFault:
    """A wrong body, the right function, and the causes that are no false names; it may stay without a name."""

    kind: str
    body: str
    function: str
    causes: frozenset[str]
    channels: int = 1
    layout: str = "channel_tiles"
    is_unnamed: bool = False


FAULTS = {
    "an index map off by one": SamplerFault(
        "isampler2D",
        "int i = texelFetch(u_t, at, 0).r + 1; result = texelFetch(u_x, ivec2(i % 6, i / 6), 0);",
        GATHER,
        frozenset({"index_map", "shift", "affine"}),  # t + 1, or the texel beside
        is_unnamed=True,  # unless a repair is found in time
    ),
    "an index map with x and y exchanged": SamplerFault(
        "usampler2D",
        "int i = int(texelFetch(u_t, at, 0).r); result = texelFetch(u_x, ivec2(i / 6, i % 6), 0);",
        GATHER,
        frozenset({"transpose_xy", "index_map"}),
    ),
    "an index map read one texel beside": SamplerFault(
        "isampler2D",
        "int i = texelFetch(u_t, at + ivec2(1, 0), 0).r; result = texelFetch(u_x, ivec2(i % 6, i / 6), 0);",
        GATHER,
        frozenset({"index_map", "shift", "affine"}),  # t + 1, or the texel beside
        is_unnamed=True,  # unless a repair is found in time
    ),
    "slices from the second on": SamplerFault(
        "sampler2DArray",
        LOOP.format(1, 5, "at") + " result = vec4(sum);",
        SUM,
        frozenset({"channel_permutation", "index_map"}),
        6,
    ),
    "a slice too few": SamplerFault(
        "sampler3D",
        LOOP.format(0, 3, "at") + " result = vec4(sum);",
        SUM,
        frozenset({"missing_channels", "channel_permutation", "missing_taps"}),
        6,
    ),
    "a buffer off by one": SamplerFault(
        "samplerBuffer",
        "result = texelFetch(u_x, at, 0) * texelFetch(u_t, at.y * 6 + at.x + 1).r;",
        "return x * t",
        frozenset({"shift", "index_map", "wrong_partner"}),
        layout="linear",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_gets_no_false_name_and_its_own_line(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    fault = FAULTS[name]
    is_whole = fault.kind[0] in "iu"
    shape = (1, fault.channels, 6, 6)
    np.save(tmp_path / "t.npy", places(*shape) if is_whole else values(*shape))
    np.save(tmp_path / "x.npy", values(1, 1, 6, 6))
    path = write_folder(
        tmp_path,
        PIPELINE.format(shape=list(shape), layout=fault.layout),
        y_frag=TEXT.format(kind=fault.kind, body=fault.body),
        oracle_py=f"def y(t, x):\n    {fault.function}\n",
    )
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        (report,) = session.compare().passes
        assert report.verdict == "mismatch"
        whole = [finding for finding in report.findings if finding.explained == 1.0]
        assert fault.is_unnamed or {finding.cause for finding in whole} & fault.causes
        assert {finding.cause for finding in report.findings} <= fault.causes
        assert {(finding.shader, finding.line) for finding in whole} <= {("y.frag", 7)}
