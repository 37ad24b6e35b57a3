"""Write the models and the shaders made of literals, always alike: `python -m` and this module's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

HERE = Path(__file__).parent
Weights = NDArray[np.float32]
TAPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]


class Net:
    """A model that grows node by node, its numbers cut to what the literals say."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: dict[str, NDArray[Any]] = {}

    def draw(self, name: str, scale: float, *shape: int) -> Weights:
        """Builds weights of six decimals."""
        self.numbers[name] = np.round(self.random.normal(0.0, scale, shape), 6).astype(np.float32)
        return self.numbers[name]

    def add(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Builds a node of one output."""
        self.nodes.append(helper.make_node(operator, list(inputs), [output], output, **attributes))
        return output

    def both_signs(self, sources: Sequence[str], output: str) -> str:
        """All channels of `sources` without what is negative, then without what is positive."""
        joined = self.add("Concat", sources, f"{output}.x", axis=1) if len(sources) > 1 else sources[0]
        negative = self.add("Neg", [joined], f"{output}.neg")
        return self.add("Relu", [self.add("Concat", [joined, negative], f"{output}.both", axis=1)], output)

    def conv(self, source: str, output: str, inputs: int, outputs: int, size: int = 3) -> str:
        """A convolution over a picture whose edge goes on."""
        if size > 1:
            self.numbers.setdefault("edge", np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64))
            source = self.add("Pad", [source, "edge"], f"{output}.padded", mode="edge")
        self.draw(f"{output}.weight", 0.9 / np.sqrt(inputs * size * size), outputs, inputs, size, size)
        self.draw(f"{output}.bias", 0.2, outputs)
        return self.add("Conv", [source, f"{output}.weight", f"{output}.bias"], output)

    def prelu(self, source: str, output: str, channels: int) -> str:
        """Applies a separate slope to each channel's negative values."""
        self.draw(f"{output}.slope", 0.4, channels, 1, 1)
        return self.add("PRelu", [source, f"{output}.slope"], output)

    def save(self, folder: str, inputs: dict[str, tuple[int, ...]], outputs: dict[str, tuple[int, ...]]) -> None:
        """Saves to the folder's model.onnx."""
        known, made = (
            [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in each.items()]
            for each in (inputs, outputs)
        )
        numbers = [numpy_helper.from_array(each, name) for name, each in self.numbers.items()]
        graph = helper.make_graph(self.nodes, folder, known, made, numbers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, HERE / folder / "model.onnx")


def vec4(values: Weights) -> str:
    """A literal, what is missing filled up with 0."""
    return f"vec4({', '.join(f'{each:.6f}' for each in np.resize(np.append(values, np.zeros(4)), 4))})"


def mat4(weight: Weights) -> str:
    """Builds a literal of (output, input) weights: a column an input."""
    square = np.zeros((4, 4), np.float32)
    square[: weight.shape[0], : weight.shape[1]] = weight
    return f"mat4({', '.join(f'{each:.6f}' for each in square.T.ravel())})"


def sums(weight: Weights, reads: Sequence[tuple[str, int]], result: str, first: str = "=") -> list[str]:
    """Statements for a convolution's products; `reads` are macros and how many channels each has."""
    lines, begin = [], 0
    for macro, channels in reads:
        part = weight[:, begin : begin + channels]
        if weight.shape[2] == 1:
            lines.append(f"{mat4(part[:, :, 0, 0])} * {macro};")
        else:
            lines += [f"{mat4(part[:, :, y + 1, x + 1])} * {macro}({x}.0, {y}.0);" for x, y in TAPS]
        begin += channels
    return [f"    {result} {'+=' if place else first} {line}" for place, line in enumerate(lines)]


def hook(lines: Sequence[str], sampler: Sequence[str], macros: Sequence[str]) -> str:
    """A pass as a player puts it together around `hook()`."""
    head = ["#version 330", "", "in vec2 pos;", "out vec4 color;", ""]
    for each in sampler:
        head += [f"uniform sampler2D {each};", f"uniform vec2 {each}_pt;",
                 f"#define {each}_pos pos",
                 f"#define {each}_tex(p) texture({each}, p)",
                 f"#define {each}_texOff(off) {each}_tex({each}_pos + {each}_pt * vec2(off))", ""]  # fmt: skip
    body = ["", "vec4 hook() {", *lines, "    return result;", "}", "", "void main() {", "    color = hook();", "}", ""]
    return "\n".join([*head, *macros, *body])


def crelu(sources: Sequence[str], offset: bool = True) -> list[str]:
    """Macros that read each source without what is negative, then each without what is positive."""
    where, read = ("(x_off, y_off)", "{}_texOff(vec2(x_off, y_off))") if offset else ("", "{0}_tex({0}_pos)")
    places = enumerate([(sign, source) for sign in ("", "-") for source in sources])
    return [f"#define {'go' if offset else 'g'}_{place}{where} (max({sign}({read.format(source)}), 0.0))"
            for place, (sign, source) in places]  # fmt: skip


def convolution(net: Net, folder: str, name: str, sources: dict[str, int], outputs: int, plain: bool = False) -> None:
    """A pass of Anime4K's kind: 3x3, of the texture itself or of both signs of several."""
    inputs = sum(sources.values()) * (1 if plain else 2)
    source = next(iter(sources)) if plain else net.both_signs(list(sources), f"{name}.relu")
    net.conv(source, name, inputs, outputs)
    macros = [f"#define go_0(x_off, y_off) ({source}_texOff(vec2(x_off, y_off)))"] if plain else crelu(list(sources))
    channels = list(sources.values()) * (1 if plain else 2)
    reads = [(f"go_{place}", count) for place, count in enumerate(channels)]
    lines = sums(net.numbers[f"{name}.weight"], reads, "result")
    lines[0] = lines[0].replace("result", "vec4 result", 1)
    lines.append(f"    result += {vec4(net.numbers[f'{name}.bias'])};")
    (HERE / folder / f"{name}.glsl").write_text(hook(lines, list(sources), macros))


def restore() -> None:
    """Builds a picture made better: two layers, then 1x1 over both of them, and the picture added."""
    net = Net(41)
    convolution(net, "restore", "conv2d_tf", {"MAIN": 3}, 4, plain=True)
    convolution(net, "restore", "conv2d_1_tf", {"conv2d_tf": 4}, 4)
    both = net.both_signs(["conv2d_tf", "conv2d_1_tf"], "last.relu")
    net.conv(both, "residual", 16, 3, 1)
    net.add("Add", ["residual", "MAIN"], "output")
    sources = ["conv2d_tf", "conv2d_1_tf"]
    reads = [(f"g_{place}", 4) for place in range(4)]
    lines = sums(net.numbers["residual.weight"], reads, "result")
    lines[0] = lines[0].replace("result", "vec4 result", 1)
    lines += [f"    result += {vec4(net.numbers['residual.bias'])};", "    result += MAIN_tex(MAIN_pos);"]
    (HERE / "restore/output.glsl").write_text(hook(lines, ["MAIN", *sources], crelu(sources, offset=False)))
    net.save("restore", {"MAIN": (1, 3, 9, 13)}, {"output": (1, 3, 9, 13)})


def upscale() -> None:
    """Twice the size: six features in two textures, four values for each of three colours, dealt out to four pixels."""
    net = Net(42)
    convolution(net, "upscale", "conv2d_tf", {"MAIN": 3}, 4, plain=True)
    convolution(net, "upscale", "conv2d_tf1", {"MAIN": 3}, 2, plain=True)
    convolution(net, "upscale", "conv2d_1_tf", {"conv2d_tf": 4, "conv2d_tf1": 2}, 4)
    last = ["conv2d_last_tf", "conv2d_last_tf1", "conv2d_last_tf2"]
    for name in last:
        convolution(net, "upscale", name, {"conv2d_1_tf": 4}, 4)
    net.add("Concat", last, "quads", axis=1)
    net.add("DepthToSpace", ["quads"], "fine", blocksize=2, mode="CRD")
    net.numbers["scales"] = np.array([1, 1, 2, 2], np.float32)
    net.add("Resize", ["MAIN", "", "scales"], "coarse", mode="linear", coordinate_transformation_mode="half_pixel")
    net.add("Add", ["coarse", "fine"], "output")
    net.save("upscale", {"MAIN": (1, 3, 7, 10)}, {"output": (1, 3, 14, 20)})


def luma() -> None:
    """Builds FSRCNNX's kind: seven features of one channel, a slope for each, a residual, and quads of pixels."""
    net = Net(43)
    for name, outputs in (("feature1", 4), ("feature2", 3)):
        net.conv("LUMA", name, 1, outputs)
        weight = net.numbers[f"{name}.weight"]
        lines = [f"    vec4 res = {vec4(net.numbers[f'{name}.bias'])};"]
        lines += [
            f"    res += {vec4(weight[:, 0, y + 1, x + 1])} * float(LUMA_texOff(vec2({x},{y})));" for x, y in TAPS
        ]
        program = hook(lines, ["LUMA"], []).replace("return result", "return res")
        (HERE / f"luma/{name}.glsl").write_text(program)
    net.add("Concat", ["feature1", "feature2"], "features", axis=1)
    net.conv("features", "map1.sum", 7, 4)
    net.prelu("map1.sum", "map1", 4)
    reads = [("FEATURE1_texOff", 4), ("FEATURE2_texOff", 3)]
    lines = [f"    vec4 res = {vec4(net.numbers['map1.sum.bias'])};"]
    for line in sums(net.numbers["map1.sum.weight"], reads, "res", "+="):
        head, _, place = line.rpartition("(")
        lines.append(f"{head}(vec2({place.replace('.0', '').replace(' ', '').rstrip(';')});")
    slope = vec4(net.numbers["map1.slope"].ravel())
    lines.append(f"    res = max(res, vec4(0.0)) + {slope} * min(res, vec4(0.0));")
    program = hook(lines, ["FEATURE1", "FEATURE2"], []).replace("return result", "return res")
    (HERE / "luma/map1.glsl").write_text(program)
    net.conv("map1", "map2.sum", 4, 4, 1)
    net.add("Add", ["map2.sum", "feature1"], "map2.residual")
    net.prelu("map2.residual", "map2", 4)
    slope = vec4(net.numbers["map2.slope"].ravel())
    lines = [f"    vec4 res = {vec4(net.numbers['map2.sum.bias'])};",
             f"    res += {mat4(net.numbers['map2.sum.weight'][:, :, 0, 0])} * MAP1_texOff(vec2(0));",
             "    res += FEATURE1_texOff(vec2(0));",
             f"    res = max(res, vec4(0.0)) + {slope} * min(res, vec4(0.0));"]  # fmt: skip
    program = hook(lines, ["MAP1", "FEATURE1"], []).replace("return result", "return res")
    (HERE / "luma/map2.glsl").write_text(program)
    net.conv("map2", "quads", 4, 4)
    net.add("DepthToSpace", ["quads"], "output", blocksize=2, mode="CRD")
    lines = [f"    vec4 res = {vec4(net.numbers['quads.bias'])};"]
    lines += sums(net.numbers["quads.weight"], [("go", 4)], "res", "+=")
    body = "\n".join(lines)
    (HERE / "luma/output.glsl").write_text(SHUFFLED.replace("BODY", body))
    net.save("luma", {"LUMA": (1, 1, 11, 9)}, {"output": (1, 1, 22, 18)})


SHUFFLED = """\
#version 330

in vec2 pos;
out vec4 color;

uniform sampler2D MAP2;
uniform vec2 MAP2_size;

// The quad that this pixel belongs to, as a place in the small picture, and which of its four pixels it is.
#define quad floor(pos * MAP2_size)
#define fcoord ivec2(fract(pos * MAP2_size) * 2.0)
#define go(x, y) texture(MAP2, (quad + vec2(0.5) + vec2(x, y)) / MAP2_size)

vec4 hook() {
BODY
    return vec4(res[fcoord.y * 2 + fcoord.x], 0.0, 0.0, 1.0);
}

void main() {
    color = hook();
}
"""


def main() -> None:
    """Builds all of them."""
    restore()
    upscale()
    luma()


if __name__ == "__main__":
    main()
