"""Samplers of whole numbers, of slices and of buffers read the tensors that a pipeline file binds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession

ES = """#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp {kind};
"""
DESKTOP = "#version 330 core\n"
Array = NDArray[Any]


@dataclass(frozen=True)
class SamplerCase:
    """A pass that reads `x` and `index` through samplers, and what it should give for them.

    `body` are the statements of main, with `at`, the fragment's texel. `of_x` and `of_index` are lines of their tables,
    `bound` the table of a binding without its tensor.
    """

    kind: str
    x: Array
    body: str
    expected: Array
    index: Array | None = None
    layout: str = '"channel_tiles"'
    x_layout: str = '"channel_tiles"'
    head: str = DESKTOP
    of_index: str = ""
    bound: str = ""
    more: Mapping[str, str] = field(default_factory=dict)


def opened(folder: Path, case: SamplerCase, gl: moderngl.Context) -> DebugSession:
    """Opens a folder with the case; its values are in .npy files."""
    head = case.head.replace("{kind}", case.kind)
    plain = "" if case.index is None else "uniform sampler2D u_x;\n"
    text = f"{head}{plain}uniform {case.kind} u_index;\nout vec4 result;\nvoid main() {{\n"
    text += f"    ivec2 at = ivec2(gl_FragCoord.xy);\n    {case.body}\n}}\n"
    index = case.x if case.index is None else case.index
    toml = f"""[pipeline]
oracle = "oracle.py"
[[constant]]
name = "index"
source = "index.npy"
layout = {case.layout}
{case.of_index}
[[pass]]
name = "y"
shader = "y.frag"
output = {{ shape = {list(case.expected.shape)}, layout = {case.x_layout} }}
textures.u_index = {{ tensor = "index"{case.bound} }}
"""
    if case.index is not None:
        toml += 'textures.u_x = "x"\n[[input]]\nname = "x"\nsource = "x.npy"\n'
        toml += f"shape = {list(case.x.shape)}\nlayout = {case.x_layout}\n"
    folder.mkdir(exist_ok=True)
    np.save(folder / "index.npy", index)
    np.save(folder / "x.npy", case.x)
    np.save(folder / "expected.npy", case.expected)
    oracle = f"import numpy as np\ndef y():\n    return np.array({case.expected.tolist()})\n"
    path = write_folder(folder, toml, y_frag=text, oracle_py=oracle, **case.more)
    return pipeline.open(path, context=gl, trust=True)


def values(*shape: int) -> Array:
    """Returns numbers that differ, of either sign."""
    count = int(np.prod(shape))
    return (np.random.default_rng(count).permutation(count).reshape(shape) / 8 - 1).astype(np.float32)


def places(*shape: int, seed: int = 1) -> Array:
    """Returns the whole numbers from 0, in another order."""
    count = int(np.prod(shape))
    return np.random.default_rng(seed).permutation(count).reshape(shape)


def gathered(x: Array, index: Array) -> Array:
    return x.reshape(-1)[index]


GATHER = "int place = int(texelFetch(u_index, at, 0).r); result = texelFetch(u_x, ivec2(place % {w}, place / {w}), 0);"
SMALL, WIDE, BATCH = values(1, 1, 6, 6), values(1, 1, 5, 7), values(2, 1, 4, 3)
# A batch of two lies in two tiles side by side.
IN_TWO_TILES = """int place = texelFetch(u_index, at, 0).r;
    result = texelFetch(u_x, ivec2(place / 12 * 3 + place % 3, place % 12 / 3), 0);"""
LANES = values(1, 7, 3, 4)
SUMS = 3.0 * places(1, 7, 3, 4) + LANES
SIGNED = places(1, 1, 3, 5) - 7

WHOLE = {
    "signed, ES 3.00, floats in the file": SamplerCase(
        "isampler2D", SMALL, GATHER.replace("{w}", "6"), gathered(SMALL, places(1, 1, 6, 6)),
        places(1, 1, 6, 6).astype(np.float32), head=ES,
    ),
    "unsigned, integers in the file": SamplerCase(
        "usampler2D", WIDE, GATHER.replace("{w}", "7"), gathered(WIDE, places(1, 1, 5, 7)),
        places(1, 1, 5, 7).astype(np.uint16),
    ),
    "a batch of two, with its dtype": SamplerCase(
        "isampler2D", BATCH, IN_TWO_TILES, gathered(BATCH, places(2, 1, 4, 3)), places(2, 1, 4, 3),
        of_index='dtype = "int32"',
    ),
    "four lanes, ES 3.00, the dtype at the sampler": SamplerCase(
        "usampler2D", LANES, "result = vec4(3u * texelFetch(u_index, at, 0)) + texelFetch(u_x, at, 0);", SUMS,
        places(1, 7, 3, 4), '"channel_tiles_rgba"', '"channel_tiles_rgba"', head=ES, bound=', dtype = "uint32"',
    ),
    "negative numbers": SamplerCase(
        "isampler2D", SIGNED, "result = vec4(texelFetch(u_index, at, 0).r / 2);", np.trunc(SIGNED / 2),
    ),
    "a type that is a macro": SamplerCase(
        "WHOLE_SAMPLER", SIGNED, "result = vec4(texelFetch(u_index, at, 0).r / 4);", np.trunc(SIGNED / 4),
        head=f"{DESKTOP}#define WHOLE_SAMPLER isampler2D\n",
    ),
}  # fmt: skip

EIGHT, FIVE, SIX, TWO = values(1, 8, 6, 6), values(1, 5, 3, 4), values(2, 6, 3, 5), values(2, 3, 4, 4)
ROWS = values(1, 1, 6, 4)
SLICES = {
    "an array of ncnn's groups of four channels": SamplerCase(
        "sampler2DArray", EIGHT, "result = texelFetch(u_index, ivec3(at, 0), 0) + "
        "texelFetch(u_index, ivec3(at, 1), 0);",
        EIGHT[:, :4] + EIGHT[:, 4:], layout='"ncnn_pack4"', x_layout='"channel_tiles_rgba"', head=ES,
    ),
    "a volume of the same": SamplerCase(
        "sampler3D", EIGHT, "result = texelFetch(u_index, ivec3(at, 0), 0) - "
        "texelFetch(u_index, ivec3(at, 1), 0);",
        EIGHT[:, :4] - EIGHT[:, 4:], layout='"ncnn_pack4"', x_layout='"channel_tiles_rgba"', head=ES,
    ),
    "a volume of channels that lie in a grid": SamplerCase(
        "sampler3D", FIVE, "result = vec4(texelFetch(u_index, ivec3(at, 4), 0).r);", FIVE[:, 4:],
    ),
    "an array of a batch of groups": SamplerCase(
        "sampler2DArray", SIX, "result = texelFetch(u_index, ivec3(at.x % 5, at.y, at.x < 5 ? 1 : 3), 0);",
        np.concatenate([SIX[:, 4:], np.zeros((2, 2, 3, 5))], axis=1), layout='"channel_tiles_rgba"',
        x_layout='"channel_tiles_rgba"', head=ES,
    ),
    "whole numbers in a volume": SamplerCase(
        "isampler3D", places(1, 5, 3, 4), "result = vec4(texelFetch(u_index, ivec3(at, 3), 0).r * 2);",
        2 * places(1, 5, 3, 4)[:, 3:4],
    ),
    "unsigned numbers in an array": SamplerCase(
        "usampler2DArray", places(2, 3, 4, 4), "result = vec4(texelFetch(u_index, ivec3(at, 5), 0).r);",
        places(2, 3, 4, 4)[1:, 2:], head=ES,
    ),
    "a size of its own": SamplerCase(
        "sampler2DArray", ROWS, "result = vec4(texelFetch(u_index, ivec3(at, 2), 0).r);", ROWS[:, :, 4:],
        bound=', size = [4, 2, "shape(index).h / 2"]',
    ),
    "half floats, read between slices": SamplerCase(
        "sampler3D", TWO.round(), "result = texture(u_index, vec3((vec2(at) + 0.5) / 4.0, 2.0 / 6.0));",
        (TWO[:1, 1:2].round() + TWO[:1, 2:].round()) / 2, of_index='dtype = "float16"', bound=', filter = "linear"',
    ),
}  # fmt: skip

BUFFERS = {
    "floats": SamplerCase(
        "samplerBuffer", SMALL, "result = texelFetch(u_x, at, 0) * texelFetch(u_index, at.x).r;",
        SMALL * ROWS.reshape(-1)[:6], ROWS,
    ),
    "four lanes": SamplerCase(
        "samplerBuffer", values(1, 4, 2, 3), "result = texelFetch(u_index, 5 - (at.y * 3 + at.x));",
        values(1, 4, 2, 3)[:, :, ::-1, ::-1], layout='"channel_tiles_rgba"', x_layout='"channel_tiles_rgba"',
    ),
    "whole numbers": SamplerCase(
        "isamplerBuffer", SMALL, "result = vec4(texelFetch(u_index, at.y * 6 + at.x).r - 40);",
        places(1, 1, 6, 6).astype(np.float32) - 40, places(1, 1, 6, 6), layout='"linear"',
    ),
    "unsigned numbers": SamplerCase(
        "usamplerBuffer", places(1, 2, 3, 5), "result = vec4(texelFetch(u_index, textureSize(u_index) - 1 - at.x).r);",
        places(1, 2, 3, 5).reshape(-1)[: -4 : -1].reshape(1, 1, 1, 3), layout='"linear"', of_index='dtype = "uint32"',
    ),
}  # fmt: skip
CASES = {**WHOLE, **SLICES, **BUFFERS}


@pytest.mark.parametrize("name", CASES)
def test_a_shader_reads_the_tensor_that_is_bound(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    case = CASES[name]
    with opened(tmp_path, case, gl) as session:
        session.run()
        np.testing.assert_allclose(session.tensor("y"), case.expected, atol=1e-6)
        report = session.compare()
        assert report.verdict == "match"
        assert report.passes[0].findings == ()
        if case.index is None:  # the tensor itself is shown as it is
            np.testing.assert_array_equal(session.tensor("index"), case.x.astype(np.float32))
