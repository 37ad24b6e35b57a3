"""Recordings of programs that are wrong in their release: the page has what the text computes, not the meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.tfjs_recordings import HEAD, Page, numbers

Array = NDArray[np.float32]
# Weights of x's channel c lie at row c of each tap; filter m of channel c makes channel 2 c + m.
_DEPTHWISE = """uniform sampler2D x;
uniform sampler2D W;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int row = at.y / 8, column = at.y % 8, channel = at.x / 2, one = at.x % 2;
    float total = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int y = row + 2 * i - 2, z = column + 2 * j - 2, tap = @;
            if (y < 0 || y >= 7 || z < 0 || z >= 8 || tap > 2) continue;
            float weight = texelFetch(W, ivec2(one, (i * 3 + tap) * 3 + channel), 0).r;
            total += texelFetch(x, ivec2(channel, y * 8 + z), 0).r * weight;
        }
    }
    setOutput(total);
}
"""
# 3 x 3 by 2, `same`: one row above, one column to the right.
_AVERAGE = """uniform sampler2D x;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int row = at.y / 3 * 2 - 1, column = at.y % 3 * 2;
    float total = 0.0, count = 0.0;
    for (int r = row; r < row + 3; r++) {
        for (int c = column; c < column + 3; c++) {
            if (r < 0 || r >= 5 || c >= 6) continue;
            total += texelFetch(x, ivec2(at.x, r * 6 + c), 0).r;
            count += 1.0;
        }
    }
    setOutput(total / @);
}
"""
_BILINEAR = """uniform sampler2D A;
float get(ivec2 at, int channel) {
    at = clamp(at, ivec2(0), ivec2(3, 4));
    return texelFetch(A, ivec2(channel, at.x * 5 + at.y), 0).r;
}
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 from = @;
    ivec2 low = ivec2(floor(from));
    vec2 part = from - vec2(low);
    float upper = mix(get(low, at.x), get(low + ivec2(0, 1), at.x), part.y);
    float lower = mix(get(low + ivec2(1, 0), at.x), get(low + ivec2(1, 1), at.x), part.y);
    setOutput(mix(upper, lower, part.x));
}
"""
# Packed: a texel has 2 x 2 elements of the last two axes. b is 5 x 6 and meant transposed.
_PRODUCT = """uniform sampler2D matrixA;
uniform sampler2D matrixB;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 total = vec4(0.0);
    for (int i = 0; i < 3; i++) {
        vec4 a = texelFetch(matrixA, ivec2(i, at.y), 0);
        vec4 b = texelFetch(matrixB, ivec2(i, at.x), 0)@;
        total += a.xxzz * b.xyxy + a.yyww * b.zwzw;
    }
    setOutput(total);
}
"""


@dataclass(frozen=True)
class WrongProgram:
    """Describes a program with two variants: the release's, and the one that does what the kernel means.

    `page` is what the release's variant computes, `meant` the meaning.
    """

    name: str
    kernel: str
    template: str
    wrong: str
    right: str
    reads: Mapping[str, Array]
    page: Array
    meant: Array
    attributes: Mapping[str, Any] = field(default_factory=dict)
    arrangement: str = "unpacked"

    def text(self, variant: str) -> str:
        """Returns the whole shader with that variant."""
        return HEAD + self.template.replace("@", variant)

    def recording(self, *, variant: str | None = None, page: Array | None = None) -> Page:
        """Returns the release's recording, or one with another variant of the text or other values of the page."""
        made = Page()
        reads = {name: (made.texture(value, self.arrangement), value.shape) for name, value in self.reads.items()}
        output = made.texture(self.page if page is None else page, self.arrangement)
        text = self.text(self.wrong if variant is None else variant)
        made.program(self.name, text, reads, output, kernel=self.kernel, attributes=dict(self.attributes))
        made.about["tfjs"] = "0.1.2"
        return made


def _depthwise(x: Array, w: Array, step: int) -> Array:
    y = np.zeros((1, 7, 8, 6), np.float32)
    padded = np.pad(x, ((0, 0), (2, 2), (2, 2), (0, 0)))
    for i, j in np.ndindex(3, 3):
        if step * j < 3:
            part = padded[:, 2 * i : 2 * i + 7, 2 * j : 2 * j + 8, :, None] * w[i, step * j]
            y += part.reshape(y.shape)
    return y


def _averages(x: Array, *, inside: bool) -> Array:
    padded = np.pad(x, ((0, 0), (1, 1), (0, 1), (0, 0)))
    ones = np.pad(np.ones_like(x), ((0, 0), (1, 1), (0, 1), (0, 0)))
    y = np.zeros((1, 3, 3, 2), np.float32)
    for r, c in np.ndindex(3, 3):
        there = np.s_[:, 2 * r : 2 * r + 3, 2 * c : 2 * c + 3]
        y[:, r, c] = padded[there].sum((1, 2)) / (ones[there].sum((1, 2)) if inside else 9.0)
    return y


def _resized(x: Array, offset: float) -> Array:
    rows, columns = ((np.arange(n) + offset) * (size / n) - offset for n, size in ((7, 4), (8, 5)))
    y = np.zeros((1, 7, 8, 2))
    for r, c in np.ndindex(7, 8):
        low, left = int(np.floor(rows[r])), int(np.floor(columns[c]))
        for dy, dx in np.ndindex(2, 2):
            share = abs(1 - dy - (rows[r] - low)) * abs(1 - dx - (columns[c] - left))
            y[0, r, c] += share * x[0, np.clip(low + dy, 0, 3), np.clip(left + dx, 0, 4)]
    return y.astype(np.float32)


def _with_blocks_turned(b: Array) -> Array:
    """Transposes each 2 x 2 block: what a product uses that transposes the order of the blocks alone."""
    even = np.pad(b[0], ((0, 1), (0, 0))).reshape(3, 2, 3, 2).transpose(0, 3, 2, 1).reshape(6, 6)
    return even[None]


X, W = numbers(1, 7, 8, 3), numbers(3, 3, 3, 2, seed=2)
POOLED, SMALL = numbers(1, 5, 6, 2, seed=3), numbers(1, 4, 5, 2, seed=4)
A, B = numbers(1, 4, 6, seed=5), numbers(1, 5, 6, seed=6)
_ATTRIBUTES = {"strides": [1, 1], "pad": "same", "dataFormat": "NHWC", "dilations": [2, 2]}

WRONG_PROGRAMS = {
    "weights_of_a_dilated_window": WrongProgram(
        "DepthwiseConv2DProgram", "DepthwiseConv2dNative", _DEPTHWISE, "2 * j", "j", {"x": X, "W": W},
        _depthwise(X, W, 2), _depthwise(X, W, 1), _ATTRIBUTES,
    ),
    "count_of_an_average": WrongProgram(
        "Pool2DProgram", "AvgPool", _AVERAGE, "9.0", "count", {"x": POOLED},
        _averages(POOLED, inside=False), _averages(POOLED, inside=True),
        {"filterSize": [3, 3], "strides": [2, 2], "pad": "same"},
    ),
    "centres_of_pixels": WrongProgram(
        "ResizeBilinearProgram", "ResizeBilinear", _BILINEAR,
        "vec2(at.y / 8, at.y % 8) * vec2(4.0 / 7.0, 5.0 / 8.0)",
        "(vec2(at.y / 8, at.y % 8) + 0.5) * vec2(4.0 / 7.0, 5.0 / 8.0) - 0.5", {"A": SMALL},
        _resized(SMALL, 0.0), _resized(SMALL, 0.5),
        {"alignCorners": False, "halfPixelCenters": True, "size": [7, 8]},
    ),
    "blocks_of_a_transposed_product": WrongProgram(
        "MatMulPackedProgram", "BatchMatMul", _PRODUCT, "", ".xzyw", {"matrixA": A, "matrixB": B},
        (A @ _with_blocks_turned(B).transpose(0, 2, 1))[..., :5], A @ B.transpose(0, 2, 1),
        {"transposeA": False, "transposeB": True}, "packed",
    ),
}  # fmt: skip
