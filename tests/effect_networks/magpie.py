"""Two networks as Magpie effects: one of convolutions over both signs, one with shared memory and parametric ReLUs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tests.effect_networks.weights import listed, weights

_HEADER = """// {name}
//!MAGPIE EFFECT
//!VERSION 4
//!USE MulAdd
//!CAPABILITY FP16

#include "StubDefs.hlsli"

//!TEXTURE
Texture2D INPUT;

//!TEXTURE
//!WIDTH INPUT_WIDTH * 2
//!HEIGHT INPUT_HEIGHT * 2
Texture2D OUTPUT;
"""
_TEXTURE = """
//!TEXTURE
//!WIDTH INPUT_WIDTH
//!HEIGHT INPUT_HEIGHT
//!FORMAT {format}
Texture2D {name};
"""
_SAMPLERS = """
//!SAMPLER
//!FILTER POINT
SamplerState sam;

//!SAMPLER
//!FILTER LINEAR
SamplerState sam1;
"""
_LETTERS = "adgbehcfi"


def both_signs() -> str:
    """Three convolutions, the last two of what ReLU leaves of both signs, then pixels of twice the size."""
    parts = [_HEADER.format(name="BothSigns")]
    parts += [_TEXTURE.format(name=name, format="R16G16B16A16_FLOAT") for name in ("tex1", "tex2", "tex3", "tex4")]
    return "".join([*parts, _SAMPLERS, _first(weights(1, 8, 3, 3, 3)), _second(weights(2, 8, 16, 3, 3)), _last()])


def _first(kernel: NDArray[np.float32]) -> str:
    """The pass that gathers a square of 4x4 texels, and makes four texels of both textures."""
    bodies = "".join(_of_square(f"First{half}", kernel[4 * half : 4 * half + 4], 0.01) for half in (0, 1))
    return f"""

//!PASS 1
//!DESC Conv-8x3x3x3
//!IN INPUT
//!OUT tex1, tex2
//!BLOCK_SIZE 16
//!NUM_THREADS 64

{bodies}
void Pass1(uint2 blockStart, uint3 threadId) {{
	uint2 gxy = (Rmp8x8(threadId.x) << 1) + blockStart;
	uint2 inputSize = GetInputSize();
	if (gxy.x >= inputSize.x || gxy.y >= inputSize.y) {{
		return;
	}}

	float2 inputPt = GetInputPt();

	MF3 src[4][4];
	[unroll]
	for (uint i = 0; i < 3; i += 2) {{
		[unroll]
		for (uint j = 0; j < 3; j += 2) {{
			float2 tpos = (gxy + uint2(i, j)) * inputPt;
			const MF4 sr = INPUT.GatherRed(sam, tpos);
			const MF4 sg = INPUT.GatherGreen(sam, tpos);
			const MF4 sb = INPUT.GatherBlue(sam, tpos);

			// w z
			// x y
			src[i][j] = MF3(sr.w, sg.w, sb.w);
			src[i][j + 1] = MF3(sr.x, sg.x, sb.x);
			src[i + 1][j] = MF3(sr.z, sg.z, sb.z);
			src[i + 1][j + 1] = MF3(sr.y, sg.y, sb.y);
		}}
	}}

	[unroll]
	for (i = 1; i <= 2; ++i) {{
		[unroll]
		for (uint j = 1; j <= 2; ++j) {{
			uint2 destPos = gxy + uint2(i - 1, j - 1);
			tex1[destPos] = First0(src, i, j);
			tex2[destPos] = First1(src, i, j);
		}}
	}}
}}
"""


def _of_square(name: str, kernel: NDArray[np.float32], bias: float) -> str:
    lines = [f"MF4 {name}(MF3 src[4][4], uint i, uint j) {{", f"\tMF4 result = {{ {bias}, -0.02, 0.03, {2 * bias} }};"]
    for x in range(3):
        for y in range(3):
            at = f"[i{_shift(x - 1)}][j{_shift(y - 1)}]"
            lines.append(f"\tresult = MulAdd(src{at}, MF3x4({listed(kernel[:, :, y, x].T)}), result);")
    return "\n".join([*lines, "\treturn result;", "}", ""])


def _shift(by: int) -> str:
    return "" if not by else f" {'-' if by < 0 else '+'} {abs(by)}"


def _second(kernel: NDArray[np.float32]) -> str:
    """The pass that reads nine texels of two textures, of both signs each."""
    reads = "\n".join(
        f"\tMF4 {letter}{texture} = tex{texture}.SampleLevel(sam, pos + float2({x - 1}, {y - 1}) * inputPt, 0);"
        for texture in (1, 2)
        for letter, (x, y) in _places()
    )
    sums = "\n".join(
        f"\ttarget{half + 1} = MulAdd({_signed(sign, letter, texture)}, "
        f"MF4x4({listed(_part(kernel, half, sign, texture)[:, :, y, x].T)}), target{half + 1});"
        for half in (0, 1)
        for sign in (1, -1)
        for texture in (1, 2)
        for letter, (x, y) in _places()
    )
    return f"""

//!PASS 2
//!DESC Conv-8x3x3x16
//!IN tex1, tex2
//!OUT tex3, tex4
//!BLOCK_SIZE 8
//!NUM_THREADS 64

void Pass2(uint2 blockStart, uint3 threadId) {{
	uint2 gxy = Rmp8x8(threadId.x) + blockStart;
	uint2 inputSize = GetInputSize();
	if (gxy.x >= inputSize.x || gxy.y >= inputSize.y) {{
		return;
	}}

	float2 inputPt = GetInputPt();
	float2 pos = (gxy + 0.5f) * inputPt;

{reads}

	MF4 target1 = {{ 0.01, 0.02, -0.01, 0.0 }};
	MF4 target2 = {{ -0.03, 0.01, 0.02, 0.01 }};
{sums}

	tex3[gxy] = target1;
	tex4[gxy] = target2;
}}
"""


def _places() -> Iterator[tuple[str, tuple[int, int]]]:
    return ((letter, (number % 3, number // 3)) for number, letter in enumerate(_LETTERS))


def _signed(sign: int, letter: str, texture: int) -> str:
    return f"max({'' if sign > 0 else '-'}{letter}{texture}, 0)"


def _part(kernel: NDArray[np.float32], half: int, sign: int, texture: int) -> NDArray[np.float32]:
    """The weights of four rows over four channels of one sign of one texture."""
    first = 8 * (sign < 0) + 4 * (texture - 1)
    return kernel[4 * half : 4 * half + 4, first : first + 4]


def _last() -> str:
    """The pass that makes four pixels of the lanes of a sum, and adds the picture."""
    kernel = weights(3, 4, 16, 1, 1)
    sums = "\n".join(
        f"\tc = MulAdd({_signed(sign, 'e', texture)}, "
        f"MF4x4({listed(_part(kernel, 0, sign, texture)[:, :, 0, 0].T)}), c);"
        for sign in (1, -1)
        for texture in (1, 2)
    )
    return f"""

//!PASS 3
//!DESC Conv-4x1x1x16, Depth-to-Space
//!IN INPUT, tex3, tex4
//!OUT OUTPUT
//!BLOCK_SIZE 16
//!NUM_THREADS 64

void Pass3(uint2 blockStart, uint3 threadId) {{
	uint2 gxy = (Rmp8x8(threadId.x) << 1) + blockStart;

	const uint2 outputSize = GetOutputSize();
	if (gxy.x >= outputSize.x || gxy.y >= outputSize.y) {{
		return;
	}}

	float2 inputPt = GetInputPt();
	float2 outputPt = GetOutputPt();
	float2 pos = ((gxy >> 1) + 0.5f) * inputPt;

	MF4 e1 = tex3.SampleLevel(sam, pos, 0);
	MF4 e2 = tex4.SampleLevel(sam, pos, 0);
	MF4 c = {{ 0.01, 0.0, -0.01, 0.02 }};
{sums}

	pos -= 0.5f * outputPt;
	OUTPUT[gxy] = MF4(c.x + INPUT.SampleLevel(sam1, pos, 0).rgb, 1);

	++gxy.x;
	pos.x += outputPt.x;
	OUTPUT[gxy] = MF4(c.y + INPUT.SampleLevel(sam1, pos, 0).rgb, 1);

	++gxy.y;
	pos.y += outputPt.y;
	OUTPUT[gxy] = MF4(c.w + INPUT.SampleLevel(sam1, pos, 0).rgb, 1);

	--gxy.x;
	pos.x -= outputPt.x;
	OUTPUT[gxy] = MF4(c.z + INPUT.SampleLevel(sam1, pos, 0).rgb, 1);
}}
"""


def shared_tiles() -> str:
    """Features of luma from tiles in shared memory, a narrow layer, a wide one, and pixels of twice the size."""
    textures = [_TEXTURE.format(name=f"feature{number}", format="R16G16B16A16_FLOAT") for number in (1, 2)]
    textures += [
        _TEXTURE.format(name="narrow", format="R8G8B8A8_SNORM"),
        _TEXTURE.format(name="grey", format="R16_FLOAT"),
    ]
    common = """

//!COMMON
#define TILE_X (MP_BLOCK_WIDTH + 4)
#define TILE_Y (MP_BLOCK_HEIGHT + 4)
#define PRELU(x, a) (max(x, 0.0) + a * min(x, 0.0))
static const MF3 lumaWeights = { 0.299, 0.587, 0.114 };
"""
    head = _HEADER.format(name="SharedTiles")
    return "".join([head, *textures, _SAMPLERS, common, _features(), _narrowed(), _pixels()])


def _features() -> str:
    kernel = weights(4, 8, 1, 5, 5)
    sums = "\n".join(
        f"\t\tvalue{half} = mad(tile[at.y + {y}][at.x + {x}], MF4({listed(rows[:, y, x])}), value{half});"
        for half, rows in enumerate((kernel[:4, 0], kernel[4:, 0]))
        for y in range(5)
        for x in range(5)
    )
    return f"""
//!PASS 1
//!DESC features of luma
//!IN INPUT
//!OUT feature1, feature2, grey
//!BLOCK_SIZE 16, 8
//!NUM_THREADS 64

groupshared MF tile[TILE_Y][TILE_X];

void Pass1(uint2 blockStart, uint3 threadId) {{
	uint i;
	uint2 inputSize = GetInputSize();
	for (i = threadId.x; i < TILE_X * TILE_Y; i += MP_NUM_THREADS_X) {{
		int2 place = int2(blockStart) + int2(i % TILE_X, i / TILE_X) - 2;
		place = clamp(place, 0, int2(inputSize) - 1);
		tile[i / TILE_X][i % TILE_X] = dot(lumaWeights, INPUT.Load(int3(place, 0)).rgb);
	}}

	GroupMemoryBarrierWithGroupSync();

	for (i = threadId.x; i < MP_BLOCK_WIDTH * MP_BLOCK_HEIGHT; i += MP_NUM_THREADS_X) {{
		uint2 at = uint2(i % MP_BLOCK_WIDTH, i / MP_BLOCK_WIDTH);
		uint2 gxy = blockStart + at;
		if (gxy.x >= inputSize.x || gxy.y >= inputSize.y) {{
			continue;
		}}
		MF4 value0 = {{ -0.1, 0.05, 0.02, 0.0 }};
		MF4 value1 = {{ 0.03, 0.0, -0.02, 0.1 }};
{sums}
		feature1[gxy] = PRELU(value0, MF4(0.2, -0.1, 0.3, 0.05));
		feature2[gxy] = PRELU(value1, MF4(0.1, 0.25, -0.2, 0.15));
		grey[gxy] = tile[at.y + 2][at.x + 2];
	}}
}}
"""


def _narrowed() -> str:
    kernel = weights(5, 4, 8, 1, 1)
    return f"""
//!PASS 2
//!DESC narrow
//!STYLE PS
//!IN feature1, feature2
//!OUT narrow

MF4 Pass2(float2 pos) {{
	MF4 sum = mul(feature1.SampleLevel(sam, pos, 0), MF4x4({listed(kernel[:, :4, 0, 0].T)}));
	sum += mul(MF4x4({listed(kernel[:, 4:, 0, 0])}), feature2.SampleLevel(sam, pos, 0));
	return sum + 0.01;
}}
"""


def _pixels() -> str:
    kernel = weights(6, 4, 4, 3, 3)
    rows = ",\n".join(f"\t{listed(kernel[row])}" for row in range(4))
    return f"""
//!PASS 3
//!DESC wide, and pixels
//!IN INPUT, narrow, grey
//!OUT OUTPUT
//!BLOCK_SIZE 16
//!NUM_THREADS 8, 8

const static MF kernels[4 * 36] = {{
{rows}
}};

void Pass3(uint2 blockStart, uint3 threadId) {{
	uint2 gxy = blockStart + threadId.xy * 2;
	uint2 outputSize = GetOutputSize();
	if (gxy.x >= outputSize.x || gxy.y >= outputSize.y) {{
		return;
	}}
	float2 inputPt = GetInputPt();
	float2 pos = ((gxy >> 1) + 0.5f) * inputPt;

	MF4 sum = 0;
	[unroll]
	for (int y = 0; y < 3; ++y) {{
		[unroll]
		for (int x = 0; x < 3; ++x) {{
			MF4 texel = narrow.SampleLevel(sam, pos + float2(x - 1, y - 1) * inputPt, 0);
			[unroll]
			for (int c = 0; c < 4; ++c) {{
				int at = c * 9 + y * 3 + x;
				sum += texel[c] * MF4(kernels[at], kernels[36 + at], kernels[72 + at], kernels[108 + at]);
			}}
		}}
	}}
	sum += grey.SampleLevel(sam, pos, 0);

	[unroll]
	for (uint j = 0; j < 2; ++j) {{
		[unroll]
		for (uint i = 0; i < 2; ++i) {{
			uint2 destPos = gxy + uint2(i, j);
			MF3 rgb = INPUT.SampleLevel(sam1, (destPos + 0.5f) * GetOutputPt(), 0).rgb;
			OUTPUT[destPos] = MF4(saturate(rgb - dot(lumaWeights, rgb) + sum[j * 2 + i]), 1);
		}}
	}}
}}
"""
