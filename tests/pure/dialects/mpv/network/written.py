"""Shader text in the styles in which people write networks, made of weights that a test knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.block_text import BlockText
from texelscope.pipeline.dialects.mpv.network.surroundings import WorkGroup
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture

Array = NDArray[np.float32]
NINE = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def block(
    text: str,
    bound: Mapping[str, int],
    *,
    tensor: str = "out",
    channels: int = 4,
    scale: int = 1,
    group: WorkGroup | None = None,
    first_line: int = 1,
) -> BlockText:
    """A block that reads tensors by their own names; `bound` has their channels, `scale` is result / their size."""
    textures = {name: BlockTexture(name, count, (Fraction(scale), Fraction(scale))) for name, count in bound.items()}
    return BlockText(tensor, channels, "own.glsl", first_line, text, textures, group)


def numbers(values: Sequence[float] | Array) -> str:
    """Literals that are exactly these float32 numbers."""
    return ", ".join(repr(float(str(np.float32(value)))) for value in np.ravel(np.asarray(values)))


def mat4(weights: Array) -> str:
    """The matrix [4 rows out, 4 channels in] as GLSL writes it, column by column."""
    return f"mat4({numbers(weights.T)})"


def weights(seed: int, rows: int, channels: int, side: int = 3) -> Array:
    """Weights [rows, channels, side, side] of a size as networks have them."""
    return np.random.default_rng(seed).normal(0, 0.3, (rows, channels, side, side)).astype(np.float32)


def convolution_text(weight: Array, bias: Array, taps: Sequence[str], *, ending: str = "return result;") -> str:
    """A 3x3 convolution over macros `taps`, four channels each, column after column as trained networks are written."""
    lines, start = [], "vec4 result ="
    for number, tap in enumerate(taps):
        for dx, dy in NINE:
            part = weight[:, 4 * number : 4 * number + 4, dy + 1, dx + 1]
            lines.append(f"    {start} {mat4(part)} * {tap}({dx:.1f}, {dy:.1f});")
            start = "result +="
    return "\n".join(["vec4 hook() {", *lines, f"    result += vec4({numbers(bias)});", f"    {ending}", "}"])


def convolved(image: Array, weight: Array, bias: Array | None = None) -> NDArray[np.float64]:
    """A convolution of [channels, height, width] in float64, edges repeated."""
    side = weight.shape[-1]
    padded = np.pad(image.astype(np.float64), ((0, 0), (side // 2,) * 2, (side // 2,) * 2), mode="edge")
    height, width = image.shape[1:]
    total = np.zeros((len(weight), height, width))
    for y in range(side):
        for x in range(side):
            total += np.einsum("oc,chw->ohw", weight[:, :, y, x], padded[:, y : y + height, x : x + width])
    return total if bias is None else total + bias[:, None, None]


def shared_memory_text(weight: Array) -> str:
    """A compute block, 2x2 texels an invocation, over texels that its group fetched into shared memory."""
    lines = [
        f"    result{q} += {float(weight[q, s, y, x])!r} * inp[{s}][local_xy.y + {y}][local_xy.x + {x}];"
        for q in range(4) for s in range(4) for y in range(3) for x in range(3)
    ]  # fmt: skip
    fetches = [
        f"            inp[{s}][y][x] = V4(a_mul * texelFetch(a_raw, input_base + ivec2({s % 2}, {s // 2}), 0));"
        for s in range(4)
    ]
    stores = [
        f"    imageStore(out_image, output_base + ivec2({q % 2}, {q // 2}), max(result{q}, V4(0.0)));" for q in range(4)
    ]
    return "\n".join([
        "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable",
        "#ifdef GL_EXT_shader_explicit_arithmetic_types_float16", "#   define V4 f16vec4", "#else",
        "#   define V4 vec4", "#endif",
        "const ivec2 ksize = ivec2(3, 3);", "const ivec2 offset = ksize / 2;",
        "const ivec2 wg_size = ivec2(gl_WorkGroupSize);", "const ivec2 isize = wg_size + ksize - 1;",
        "shared V4 inp[4][isize.y][isize.x];",
        "void hook() {", "    const uvec2 local_xy = gl_LocalInvocationID.xy;",
        "    ivec2 base = ivec2(gl_WorkGroupID) * wg_size;",
        "    for (uint y = local_xy.y; y < isize.y; y += wg_size.y) {",
        "        for (uint x = local_xy.x; x < isize.x; x += wg_size.x) {",
        "            const ivec2 input_base = (base + ivec2(x,y) - offset) * ivec2(2, 2);",
        *fetches, "        }", "    }",
        "    barrier();", *(f"    V4 result{q} = V4(0.0);" for q in range(4)), *lines,
        "    const ivec2 output_base = ivec2(gl_GlobalInvocationID) * ivec2(2, 2);", *stores, "}",
    ])  # fmt: skip
