"""Twenty wrong sums: small shaders that are right, and one edit each that is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from onnx import TensorProto, helper, numpy_helper

_LAYER = """#version 330
uniform sampler2D t_x;
uniform sampler2D t_w;
uniform ivec3 u_size;
out float y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int w = u_size.x, h = u_size.y, channels = u_size.z;
    int o = at.y / h;
    at.y -= o * h;
    float sum = 0.0;
"""
_CONV = (
    _LAYER
    + """    for (int c = 0; c < channels; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                ivec2 from = at + ivec2(j, i) - 1;
                if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, ivec2(w, h)))) continue;
                float x = texelFetch(t_x, ivec2(from.x, c * h + from.y), 0).x;
                float k = texelFetch(t_w, ivec2(j, (o * channels + c) * 3 + i), 0).x;
                sum += x * k;
            }
    y = sum;
}
"""
)
_DEPTHWISE = (
    _LAYER
    + """    vec2 texel = 1.0 / vec2(textureSize(t_x, 0));
    vec2 tap = 1.0 / vec2(textureSize(t_w, 0));
    for (float q = -1.0; q <= 1.0; q += 1.0) {
        for (float p = -1.0; p <= 1.0; p += 1.0) {
            vec2 from = vec2(at) + vec2(p, q);
            if (from.x < 0.0 || from.y < 0.0 || from.x >= float(w) || from.y >= float(h)) continue;
            vec2 place = from + vec2(0.0, float(o * h)) + 0.5;
            float v = texture(t_x, place * texel).r;
            sum += v * texture(t_w, (vec2(p + 1.0, q + 1.0 + 3.0 * float(o)) + 0.5) * tap).r;
        }
    }
    y = sum;
}
"""
)
_PRODUCT = """#version 330
uniform sampler2D t_x;
uniform sampler2D t_w;
uniform ivec3 u_size;
out float y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float sum = 0.0;
    int k = 0;
    while (k < u_size.z) {
        float a = texelFetch(t_x, ivec2(k, at.y), 0).x;
        float b = texelFetch(t_w, ivec2(at.x, k), 0).x;
        sum += a * b;
        k++;
    }
    y = sum;
}
"""


@dataclass(frozen=True)
class Subject:
    """An operator, its shader, the shapes of what it reads and gives; an element in the middle, one at the border."""

    operator: str
    shader: str
    x: tuple[int, ...]
    w: tuple[int, ...]
    y: tuple[int, ...]
    middle: tuple[int, ...]
    border: tuple[int, ...]
    pads: int = 0
    group: int = 1


SUBJECTS: Mapping[str, Subject] = MappingProxyType(
    {
        "conv": Subject("Conv", _CONV, (1, 3, 6, 5), (4, 3, 3, 3), (1, 4, 6, 5), (0, 2, 3, 2), (0, 1, 0, 0), 1),
        "depthwise": Subject(
            "Conv", _DEPTHWISE, (1, 4, 6, 5), (4, 1, 3, 3), (1, 4, 6, 5), (0, 2, 3, 2), (0, 3, 5, 4),
            1, 4,
        ),
        "product": Subject("MatMul", _PRODUCT, (5, 9), (9, 6), (5, 6), (3, 2), (4, 5)),
    }
)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """One edit of one shader; `at` says which element shows it."""

    subject: str
    before: str
    after: str
    at: str = "middle"


PLANTED: Mapping[str, Planted] = MappingProxyType(
    {
        "one_to_the_right": Planted("conv", "ivec2(j, i) - 1", "ivec2(j, i) - ivec2(0, 1)"),
        "one_up_in_the_last_row": Planted("conv", "ivec2(j, i) - 1", "ivec2(j, i - i / 2) - 1"),
        "kernel_transposed": Planted("conv", "(j, (o * channels + c) * 3 + i)", "(i, (o * channels + c) * 3 + j)"),
        "kernel_row_by_column": Planted("conv", "c) * 3 + i)", "c) * 3 + j)"),
        "last_channel_of_another": Planted("conv", "c * h + from.y", "min(c, 1) * h + from.y"),
        "last_filter_of_another": Planted("conv", "(o * channels + c)", "(o * channels + c % 2)"),
        "column_left_out": Planted("conv", "j < 3", "j < 2"),
        "channel_left_out": Planted("conv", "c < channels", "c < channels - 1"),
        "one_tap_twice": Planted("conv", "sum += x * k;", "sum += x * k; if (i == 1 && j == 1) sum += x * k;"),
        "one_tap_skipped": Planted("conv", "sum += x * k;", "if (c != 1 || i != 2 || j != 0) sum += x * k;"),
        "one_channel_doubled": Planted("conv", "sum += x * k;", "sum += (c == 1 ? 2.0 : 1.0) * x * k;"),
        "negative_lost": Planted("conv", "sum += x * k;", "sum += max(x, 0.0) * k;"),
        "edge_repeated": Planted(
            "conv", "if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, ivec2(w, h)))) continue;",
            "from = clamp(from, ivec2(0), ivec2(w, h) - 1);", "border",
        ),
        "wrapped_at_the_left": Planted(
            "conv", "if (any(lessThan(from, ivec2(0)))", "if (from.x < 0) from.x += w; if (from.y < 0", "border"
        ),
        "half_a_step_down_the_kernel": Planted("depthwise", "q + 1.0 + 3.0", "(q > 0.0 ? q : q + 1.0) + 3.0"),
        "next_channel_on_the_right": Planted("depthwise", "float(o * h)) +", "float((p > 0.0 ? o - 1 : o) * h)) +"),
        "last_column_outside": Planted("depthwise", "from.x >= float(w)", "from.x >= float(w) - 1.0", "border"),
        "from_the_sixth_on_shifted": Planted("product", "ivec2(k, at.y)", "ivec2(k > 4 ? k - 1 : k, at.y)"),
        "every_other_weight": Planted("product", "ivec2(at.x, k), 0", "ivec2(at.x, k / 2 * 2), 0"),
        "stops_early": Planted("product", "k < u_size.z", "k < u_size.z - 2"),
    }
)  # fmt: skip


def write(folder: Path, subject: Subject, shader: str) -> Path:
    """A pipeline of one pass, `y`, with the shader, on numbers that are never near 0; its file."""
    generator = np.random.default_rng(5)
    x, w = (
        (generator.uniform(0.3, 1.0, shape) * generator.choice([-1.0, 1.0], shape)).astype(np.float32)
        for shape in (subject.x, subject.w)
    )
    node = helper.make_node(subject.operator, ["x", "w"], ["y"], name="layer")
    if subject.pads:
        node.attribute.append(helper.make_attribute("pads", [subject.pads] * 4))
        node.attribute.append(helper.make_attribute("group", subject.group))
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", subject.x), ("y", subject.y))
    ]
    graph = helper.make_graph([node], "one", [values[0]], [values[1]], [numpy_helper.from_array(w, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    np.save(folder / "x.npy", x)
    (folder / "layer.frag").write_text(shader)
    size = [subject.x[-1], subject.x[-2], subject.x[1]]
    (folder / "pipeline.toml").write_text(f"""
[pipeline]
name = "planted"
model = "model.onnx"

[[input]]
name = "x"
shape = {list(subject.x)}
layout = "linear"
source = "x.npy"

[[pass]]
name = "y"
shader = "layer.frag"
oracle = "y"
output = {{ shape = {list(subject.y)}, layout = "linear" }}
textures.t_x = "x"
textures.t_w = {{ tensor = "w", layout = "linear" }}
uniforms.u_size = {size}
""")
    return folder / "pipeline.toml"
