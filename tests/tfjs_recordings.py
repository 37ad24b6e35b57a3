"""Small recordings in TensorFlow.js's dialect, in GLSL of our own, written as the recorder of a page writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference

VERTEX = """#version 300 es
precision highp float;
in vec3 clipSpacePos;
in vec2 uv;
out vec2 resultUV;
void main() { resultUV = uv; gl_Position = vec4(clipSpacePos, 1.0); }
"""
HEAD = """#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
in vec2 resultUV;
out vec4 outputColor;
uniform float NAN;
void setOutput(float value) { outputColor = vec4(value, 0.0, 0.0, 0.0); }
void setOutput(vec4 value) { outputColor = value; }
float sampleTexture(sampler2D from, vec2 at) { return texture(from, at).r; }
"""
# Same padding, one stride; x is 1, 4, 5, 2 and W 3, 3, 2, 3.
CONVOLUTION = (
    HEAD
    + """uniform sampler2D x;
float getX(int n, int row, int column, int channel) {
    return sampleTexture(x, (vec2(channel, row * 5 + column) + 0.5) / vec2(2.0, 20.0));
}
uniform sampler2D W;
float getW(int row, int column, int channel, int one) {
    return sampleTexture(W, (vec2(one, (row * 3 + column) * 2 + channel) + 0.5) / vec2(3.0, 18.0));
}
ivec4 getOutputCoords() {
    ivec2 at = ivec2(resultUV.yx * vec2(20, 3));
    return ivec4(0, at.x / 5, at.x % 5, at.y);
}

const ivec2 pads = ivec2(1, 1);

void main() {
    ivec4 at = getOutputCoords();
    float total = 0.0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            ivec2 from = at.yz + ivec2(r, c) - pads;
            if (from.x < 0 || from.x >= 4 || from.y < 0 || from.y >= 5) continue;
            for (int k = 0; k < 2; k++) {
                total += getX(0, from.x, from.y, k) * getW(r, c, k, at.w);
            }
        }
    }
    setOutput(total);
}
"""
)
# y = max(x, 0) of packed texels.
RELU = (
    HEAD
    + """uniform sampler2D A;
vec4 getAAtOutCoords() { return texture(A, resultUV); }

vec4 unaryOperation(vec4 x) { return max(x, vec4(0.0)); }

void main() { setOutput(unaryOperation(getAAtOutCoords())); }
"""
)
# 1, 4, 5, 3 from a texture of one value a texel to packed ones, 2 x 2 of column and channel.
PACK = (
    HEAD
    + """uniform sampler2D A;
float getA(int n, int row, int column, int channel) {
    return sampleTexture(A, (vec2(channel, row * 5 + column) + 0.5) / vec2(3.0, 20.0));
}

void main() {
    ivec2 at = ivec2(resultUV.yx * vec2(12, 2));
    int row = at.x / 3, column = at.x % 3 * 2, channel = at.y * 2;
    bool right = channel + 1 < 3, down = column + 1 < 5;
    setOutput(vec4(
        getA(0, row, column, channel),
        right ? getA(0, row, column, channel + 1) : 0.0,
        down ? getA(0, row, column + 1, channel) : 0.0,
        right && down ? getA(0, row, column + 1, channel + 1) : 0.0));
}
"""
)
# No reading has it, and WebGL 1's text has no #version: y = x² · gain.
SQUARES = """precision highp float;
precision highp sampler2D;
varying vec2 resultUV;
uniform sampler2D A;
uniform float gain;
void main() {
    vec4 x = texture2D(A, resultUV);
    gl_FragColor = x * x * gain;
}
"""
VERTEX_100 = """precision highp float;
attribute vec3 clipSpacePos;
attribute vec2 uv;
varying vec2 resultUV;
void main() { resultUV = uv; gl_Position = vec4(clipSpacePos, 1.0); }
"""
_LAYOUTS = {"unpacked": "tfjs_unpacked", "packed": "tfjs_packed", "dense": "row_major_rgba", "texels": "row_major_rgba"}


@dataclass
class Page:
    """What a page would have recorded; `write` makes it a folder."""

    about: dict[str, Any] = field(
        default_factory=lambda: {"format": "texelscope-tfjs", "version": 1, "textures": [], "programs": []}
    )
    files: dict[str, bytes] = field(default_factory=dict)

    def texture(self, values: NDArray[np.float32], arrangement: str = "unpacked", width: int = 0) -> int:
        """One more content of a texture, in the shape that TensorFlow.js gives it; returns its number."""
        layout = layouts.layout(_LAYOUTS[arrangement], width=width)
        texels = layout.encode(values)
        number = len(self.about["textures"])
        self.files[f"textures/{number}.bin"] = texels.astype("<f4").tobytes()
        self.about["textures"].append({
            "id": number, "width": texels.shape[1], "height": texels.shape[0], "lanes": texels.shape[2],
            "type": "float32", "layout": arrangement, "shape": list(values.shape), "dtype": "float32",
            "values": f"textures/{number}.bin",
        })  # fmt: skip
        return number

    def program(
        self, name: str, text: str, reads: dict[str, tuple[int, tuple[int, ...]]], output: int, **more: Any
    ) -> None:
        """One more program; `reads` are a texture and a shape by variable, `more` other fields of its entry."""
        stem = f"programs/{len(self.about['programs']):03d}_{name}"
        self.files[f"{stem}.frag"] = text.encode()
        self.files[f"{stem}.vert"] = (VERTEX if text.startswith("#version") else VERTEX_100).encode()
        inputs = [
            {"uniform": uniform, "texture": number, "shape": list(shape)} for uniform, (number, shape) in reads.items()
        ]
        self.about["programs"].append({
            "name": name, "key": f"{name}_key", "fragment": f"{stem}.frag", "vertex": f"{stem}.vert",
            "inputs": inputs, "uniforms": {"NAN": "NaN"}, "output": output, "shapes": "constants", "ms": 0.25, **more,
        })  # fmt: skip

    def write(self, folder: Path) -> Path:
        """The recording as a folder."""
        for name, data in {"programs.json": json.dumps(self.about).encode(), **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder


def numbers(*shape: int, seed: int = 1) -> NDArray[np.float32]:
    """Noise."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def convolved(x: NDArray[np.float32], filters: NDArray[np.float32], **attributes: Any) -> NDArray[np.float32]:
    """x n, h, w, c with filters h, w, c, o, as ONNX has it."""
    node = Node("conv", "Conv", ("x", "w"), ("y",), {"auto_pad": "NOTSET", "group": 1, **attributes}, opset=18)
    (y,) = Reference().run_node(node, [x.transpose(0, 3, 1, 2), filters.transpose(3, 2, 0, 1)])
    assert y is not None
    return np.ascontiguousarray(y.transpose(0, 2, 3, 1))


SAME = {"strides": 1, "pad": "same", "dilations": [1, 1], "dataFormat": "NHWC"}


def four_programs() -> Page:
    """A convolution, packed, made positive, squared by a program that nobody knows."""
    page = Page()
    x, filters = numbers(1, 4, 5, 2), numbers(3, 3, 2, 3, seed=2)
    y = convolved(x, filters, kernel_shape=(3, 3), strides=(1, 1), dilations=(1, 1), pads=(1, 1, 1, 1))
    positive = np.maximum(y, np.float32(0.0))
    image, weights, made = page.texture(x), page.texture(filters), page.texture(y)
    packed, kept = page.texture(y, "packed"), page.texture(positive, "packed")
    squares = page.texture(positive * positive * np.float32(0.5), "packed")
    reads = {"x": (image, x.shape), "W": (weights, filters.shape)}
    page.program("Conv2DProgram", CONVOLUTION, reads, made, kernel="Conv2D", attributes=SAME)
    page.program("PackProgram", PACK, {"A": (made, y.shape)}, packed, kernel="Relu")
    page.program("UnaryOpPackedProgram", RELU, {"A": (packed, y.shape)}, kept, kernel="Relu", attributes={})
    page.program("SquaresProgram", SQUARES, {"A": (kept, y.shape)}, squares, uniforms={"gain": 0.5})
    return page
