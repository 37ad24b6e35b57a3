"""Tests that an extracted network computes what its shader does; its weights are the literals, with their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.pure.dialects.mpv.network.written import (
    Array,
    block,
    convolution_text,
    convolved,
    numbers,
    shared_memory_text,
    weights,
)
from tests.sampled_pictures import doubled
from texelscope.pipeline.dialects.mpv.network.block_text import BlockText
from texelscope.pipeline.dialects.mpv.network.network import Network, network_of
from texelscope.pipeline.dialects.mpv.network.surroundings import WorkGroup
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

SIZE = (6, 8)


def image(channels: int, seed: int = 0) -> Array:
    """Numbers of both signs, [channels, height, width]."""
    return np.random.default_rng(seed).normal(0, 1, (channels, *SIZE)).astype(np.float32)


def network(blocks: Sequence[BlockText], inputs: Mapping[str, Array]) -> Network:
    """The network of blocks over pictures of the inputs' sizes."""
    return network_of("own", blocks, {name: (1, *value.shape) for name, value in inputs.items()})


def computed(made: Network, inputs: Mapping[str, Array], tensor: str = "out") -> Array:
    """Returns a tensor of the network, [channels, height, width]."""
    oracle = GraphOracle(made.graph())
    value: Array = oracle.chained({name: value[None] for name, value in inputs.items()})[tensor].value[0]
    return value


def read(blocks: Sequence[BlockText] | BlockText, **inputs: Array) -> Array:
    """Returns the output of the network of blocks for the inputs."""
    every = [blocks] if isinstance(blocks, BlockText) else blocks
    made = network(every, inputs)
    assert not made.left_out, [str(each.error) for each in made.left_out]
    return computed(made, inputs)


CRELU = """\
#define go_0(x_off, y_off) (max((a_texOff(vec2(x_off, y_off))), 0.0))
#define go_1(x_off, y_off) (max(-(a_texOff(vec2(x_off, y_off))), 0.0))
"""


def test_convolution_over_both_halves_of_a_concatenated_relu_and_a_residual() -> None:
    weight, bias, a, base = weights(1, 4, 8), weights(2, 1, 4, 1).ravel(), image(4), image(4, 1)
    text = CRELU + convolution_text(weight, bias, ["go_0", "go_1"], ending="return result + base_tex(base_pos);")
    halves = np.concatenate([np.maximum(a, 0), np.maximum(-a, 0)])
    made = read(block(text, {"a": 4, "base": 4}), a=a, base=base)
    np.testing.assert_allclose(made, convolved(halves, weight, bias) + base, atol=1e-5)


def test_weights_are_the_literals_and_know_their_lines() -> None:
    weight, bias = weights(1, 4, 8), weights(2, 1, 4, 1).ravel()
    text = CRELU + convolution_text(weight, bias, ["go_0", "go_1"])
    made = network([block(text, {"a": 4}, first_line=100)], {"a": image(4)})
    np.testing.assert_array_equal(made.constants["out.weight"], weight)
    np.testing.assert_array_equal(made.constants["out.bias"], bias)
    # The second statement of the body, line 104 of the file, is the column on the left, in the middle.
    assert set(made.lines["out.weight"][:, :4, 1, 0].ravel()) == {104}
    assert set(made.lines["out.bias"]) == {102 + 19}
    assert [node.op_type for node in made.graph().nodes] == ["Neg", "Concat", "Relu", "Pad", "Conv"]


def test_prelu_after_a_weighted_sum_and_a_tensor_added() -> None:
    weight, bias, slope = weights(1, 4, 4), weights(2, 1, 4, 1).ravel(), np.array([0.5, -1.5, 0.0, 2.0], np.float32)
    text = "#define go(x, y) a_texOff(vec2(x, y))\n" + convolution_text(weight, bias, ["go"], ending="\n".join([
        "result += b_texOff(0);",
        f"return max(result, vec4(0.0)) + vec4({numbers(slope)}) * min(result, vec4(0.0));",
    ]))  # fmt: skip
    a, b = image(4), image(4, 1)
    total = convolved(a, weight, bias) + b
    expected = np.where(total > 0, total, slope[:, None, None] * total)
    np.testing.assert_allclose(read(block(text, {"a": 4, "b": 4}), a=a, b=b), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return max(t, 0.1 * t);", lambda a: np.where(a > 0, a, 0.1 * a)),
        ("return clamp(t * 0.5 + 0.25, 0.0, 1.0);", lambda a: np.clip(a * 0.5 + 0.25, 0, 1)),
        ("return tanh(t.wzyx) - vec4(t.x);", lambda a: np.tanh(a[::-1]) - a[:1]),
        ("return vec4(dot(t, vec4(1, 2, 3, 4)));",
         lambda a: np.repeat(np.einsum("c,chw", [1, 2, 3, 4], a)[None], 4, 0)),
        ("return mix(t, -t, 0.25) / 2.0;", lambda a: a * 0.25),
        ("vec4 r = vec4(0.0); r.xz += t.yw; r[1] = 3.0; return r;",
         lambda a: np.stack([a[1], a[0] * 0 + 3, a[3], a[0] * 0])),
        ("float k[2]; k[0] = 2.0; k[1] = 0.5; vec4 s = vec4(0); for (int i = 0; i < 2; i++) s += k[i] * t; return s;",
         lambda a: a * 2.5),
        ("vec4 k[2]; k[0] = vec4(0); k[0][1] = t.x; k[1] = t; return k[0] + k[1] * 0.5;",
         lambda a: 0.5 * a + np.stack([a[0] * 0, a[0], a[0] * 0, a[0] * 0])),
        ("return twice(t) * (2 > 1 ? 1.0 : 0.0);", lambda a: 2 * a),
        ("return t * max(t.wzyx, 0.0);", lambda a: a * np.maximum(a[::-1], 0)),
        ("vec4 h = max(t + t.yxwz, 0.0); return h * 0.5 - h.wzyx;",
         lambda a: 0.5 * (h := np.maximum(a + a[[1, 0, 3, 2]], 0)) - h[::-1]),
        ("return exp(-abs(t)) + 1;", lambda a: np.exp(-np.abs(a)) + 1),
    ],
)  # fmt: skip
def test_functions_of_lanes(body: str, expected: object) -> None:
    text = f"vec4 twice(vec4 x) {{ return x + x; }}\nvec4 hook() {{ vec4 t = a_tex(a_pos); {body} }}"
    a = image(4)
    assert callable(expected)
    np.testing.assert_allclose(read(block(text, {"a": 4}), a=a), expected(a.astype(np.float64)), atol=1e-5)


DEPTH_TO_SPACE = """\
vec4 hook() {
    vec2 f0 = fract(a_pos * a_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    float c0 = a_tex((vec2(0.5) - f0) * a_pt + a_pos)[i0.y * 2 + i0.x];
    return vec4(c0, c0, c0, c0) + base_tex(base_pos);
}
"""


def test_depth_to_space_over_an_interpolated_picture() -> None:
    a, base = image(4), image(3, 1)
    spread = a.reshape(2, 2, *SIZE).transpose(2, 0, 3, 1).reshape(1, 2 * SIZE[0], 2 * SIZE[1])
    made = network([block(DEPTH_TO_SPACE, {"a": 4, "base": 3}, channels=3, scale=2)], {"a": a, "base": base})
    np.testing.assert_allclose(computed(made, {"a": a, "base": base}), spread + doubled(base), atol=1e-5)
    assert [node.op_type for node in made.graph().nodes] == ["DepthToSpace", "Resize", "Add"]


def test_a_texture_of_the_result_s_own_size_beside_one_of_half_of_it() -> None:
    text = "vec4 hook() { return a_texOff(vec2(1, 0)) * 2.0 + b_tex(b_pos) + vec4(0.5); }"
    made = block(text, {"a": 4, "b": 4}, scale=2)
    same = replace(made.textures["a"], scale=(Fraction(1), Fraction(1)))
    b = image(4, 1)
    a = np.random.default_rng(2).normal(0, 1, (4, 2 * SIZE[0], 2 * SIZE[1])).astype(np.float32)
    right = np.pad(a, ((0, 0), (0, 0), (0, 1)), mode="edge")[:, :, 1:]
    result = read(replace(made, textures={**made.textures, "a": same}), a=a, b=b)
    np.testing.assert_allclose(result, 2 * right + doubled(b) + 0.5, atol=1e-5)


def test_reads_between_texels_are_their_interpolation() -> None:
    text = "vec4 hook() { return a_texOff(vec2(0.5, 0.0)) - a_texOff(vec2(0.0, -0.25)); }"
    a = image(4)
    padded = np.pad(a, ((0, 0), (1, 1), (1, 1)), mode="edge")
    right, up = padded[:, 1:-1, 2:], padded[:, :-2, 1:-1]
    expected = 0.5 * (a + right) - (0.75 * a + 0.25 * up)
    np.testing.assert_allclose(read(block(text, {"a": 4}), a=a), expected, atol=1e-6)


def test_compute_blocks_that_share_what_they_fetch() -> None:
    weight, a = weights(3, 4, 4), image(4)
    made = read(block(shared_memory_text(weight), {"a": 4}, group=WorkGroup((2, 2), (4, 4))), a=a)
    height, width = SIZE[0] // 2, SIZE[1] // 2
    groups = a.reshape(4, height, 2, width, 2).transpose(2, 4, 0, 1, 3).reshape(4, 4, height, width)
    padded = np.pad(groups, ((0, 0), (0, 0), (1, 1), (1, 1)))  # texelFetch beyond the edge gives 0
    expected = np.zeros((2, 2, 4, height, width))
    for y in range(3):
        for x in range(3):
            part = padded[:, :, y : y + height, x : x + width]
            expected += np.einsum("qs,schw->qchw", weight[:, :, y, x], part).reshape(expected.shape)
    spread = np.maximum(expected, 0).transpose(2, 3, 0, 4, 1).reshape(4, *SIZE)
    np.testing.assert_allclose(made, spread, atol=1e-5)


CLAMPED = """\
#define l0(x, y) (a_mul * texelFetch(a_raw, clamp(pos + ivec2(x, y), ivec2(0), sz) * ivec2(2, 1) + ivec2(0, 0), 0))
#define l1(x, y) a_tex((vec2(clamp(pos + ivec2(x, y), ivec2(0), sz) * ivec2(2, 1) + ivec2(1, 0)) + vec2(0.5)) * a_pt)
shared vec4 G[2][10][10];
void hook() {
    ivec2 xy = ivec2(gl_LocalInvocationID.xy);
    ivec2 pos = ivec2(gl_WorkGroupID.xy) * ivec2(8, 8) + xy;
    ivec2 sz = ivec2(b_size) - ivec2(1);
    for (int y = 0; y < 10; y += 8) {
        int ay = xy.y + y;
        if (ay >= 10) break;
        for (int x = 0; x < 10; x += 8) {
            int ax = xy.x + x;
            if (ax >= 10) break;
            G[0][ay][ax] = l0(x - 1, y - 1);
            G[1][ay][ax] = l1(x - 1, y - 1);
        }
    }
    barrier();
    vec4 r = 2.0 * G[0][xy.y+0][xy.x+1] - G[1][xy.y+1][xy.x+2] + b_tex((vec2(pos) + 0.5) * b_pt);
    imageStore(out_image, pos, r);
}
"""


def clamped_blocks(text: str) -> BlockText:
    """A block whose pixels have two texels of `a` each, side by side."""
    made = block(text, {"a": 4, "b": 4}, group=WorkGroup((1, 1), (8, 8)))
    narrow = replace(made.textures["a"], scale=(Fraction(1, 2), Fraction(1)))
    return replace(made, textures={**made.textures, "a": narrow})


def test_texels_of_one_pixel_are_repeated_together_at_the_edge() -> None:
    b = image(4, 1)
    a = np.random.default_rng(2).normal(0, 1, (4, SIZE[0], 2 * SIZE[1])).astype(np.float32)
    first, second = a[:, :, 0::2], a[:, :, 1::2]
    above = np.pad(first, ((0, 0), (1, 0), (0, 0)), mode="edge")[:, :-1]
    right = np.pad(second, ((0, 0), (0, 0), (0, 1)), mode="edge")[:, :, 1:]
    np.testing.assert_allclose(read(clamped_blocks(CLAMPED), a=a, b=b), 2 * above - right + b, atol=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("= l0(x - 1, y - 1)", "= l0(x - 1, y - 1) * float(x)", "depends on which invocation fills it"),
        ("ivec2(b_size) - ivec2(1)", "ivec2(b_size)", "clamp() of something other than a pixel's index"),
        ("ivec2(b_size) - ivec2(1)", "ivec2(a_size) - ivec2(1)", "clamp() of something other than a pixel's index"),
        ("G[0][xy.y+0][xy.x+1]", "G[0][int(b_tex(b_pos).x)][0]", "a texel's value as a whole number"),
        ("G[1][ay][ax] = ", "G[0][0][ax] = ", "may be this one or another"),
        ("imageStore(out_image, pos,", "imageStore(out_image, pos + ivec2(1, 0),", "not the invocation's own"),
    ],
)
def test_what_invocations_do_to_each_other_is_not_guessed(old: str, new: str, what: str) -> None:
    assert old in CLAMPED
    with pytest.raises(TexelscopeError, match=re.escape(what)):
        network([clamped_blocks(CLAMPED.replace(old, new))], {"a": image(4), "b": image(4)})


def test_a_result_that_is_spread_over_unequal_sides() -> None:
    text = """\
void hook() {
    ivec2 id = ivec2(gl_GlobalInvocationID);
    vec4 t = texelFetch(a_raw, id, 0);
    imageStore(out_image, id * ivec2(2, 1), t);
    imageStore(out_image, id * ivec2(2, 1) + ivec2(1, 0), -t);
}
"""
    made = block(text, {"a": 4}, group=WorkGroup((2, 1), (8, 8)))
    wide = replace(made.textures["a"], scale=(Fraction(2), Fraction(1)))
    a = image(4)
    expected = np.stack([a, -a], axis=-1).reshape(4, SIZE[0], 2 * SIZE[1])
    np.testing.assert_array_equal(read(replace(made, textures={"a": wide}), a=a), expected)


def test_one_tensor_for_every_block_and_parts_in_common_once() -> None:
    weight, bias = weights(1, 4, 8), weights(2, 1, 4, 1).ravel()
    text = CRELU + convolution_text(weight, bias, ["go_0", "go_1"])
    blocks = [block(text, {"a": 4}, tensor=name) for name in ("left", "right")]
    last = block("vec4 hook() { return left_tex(left_pos) - right_tex(right_pos); }", {"left": 4, "right": 4})
    made = network([*blocks, last], {"a": image(4)})
    assert [node.op_type for node in made.graph().nodes].count("Relu") == 1
    assert made.of_block["right"] == ("right.weight", "right.bias")
    assert set(made.graph().tensors) >= {"left", "right", "out"}


def test_the_model_takes_pictures_of_any_size() -> None:
    a = image(4)
    made = network([block("vec4 hook() { return a_texOff(vec2(1, 0)); }", {"a": 4})], {"a": a})
    assert [each.dim_param for each in made.model.graph.input[0].type.tensor_type.shape.dim[2:]] == [
        "a_height",
        "a_width",
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("vec4 hook() {\n    vec4 t = a_tex(a_pos);\n    if (t.x > 0.5) t = -t;\n    return t;\n}", 12,
         "a decision (>) that depends on texels or the pixel's place"),
        ("vec4 hook() {\n    return a_tex(a_pos) * a_pos.x;\n}", 11, "a value that depends on where in the picture"),
        ("vec4 hook() {\n    return a_tex(a_tex(a_pos).xy);\n}", 11, "a read at a place that texels decide"),
        ("vec4 hook() {\n    return a_tex(a_pos * 0.5);\n}", 11, "does not move with the pixel in whole texels"),
        ("vec4 hook() {\n    return a_tex(vec2(0.5));\n}", 11, "does not move with the pixel in whole texels"),
        ("vec4 hook() {\n    return vec4(random);\n}", 11, "'random', whose value is unknown here"),
        ("vec4 hook() {\n    return noise(a_tex(a_pos));\n}", 11, "the function noise()"),
        ("vec4 hook() {\n    return fract(a_tex(a_pos));\n}", 11, "fract() of a texel's value"),
        ("vec4 hook() {\n    return a_gather(a_pos, 0);\n}", 11, "a gather at a texel's centre"),
        ("vec4 hook() {\n    while (true) {}\n    return vec4(0);\n}", 11, "'while (true) {}'"),
        ("vec4 hook() {\n    for (int i = 0; i < 9999; i++) {}\n    return vec4(0);\n}", 11, "a loop of more than 4"),
        ("vec4 hook() {\n    float k[4096][4096];\n    return vec4(k[0][0]);\n}",
         11, "an array of 4096 x 4096 elements"),
        ("vec4 hook() {\n    vec4 t = vec4(0);\n    t[4] = 1.0;\n    return t;\n}", 12, "element 4 of 't'"),
        ("vec4 hook() {\n    return a_tex();\n}", 11, "a_tex() of nothing"),
        ("vec4 hook() {\n    return a_texOff(vec2(9e8, 0)) - a_tex(a_pos);\n}", 10, "reads 900000001x1 texels apart"),
        ("vec4 hook() {\n    imageStore(1, 2, 3);\n}", 11, "imageStore() of 3 arguments, or in a block without"),
        ("vec4 hook() {\n    return vec4(5 % 0);\n}", 11, "5 % 0, which GLSL leaves open"),
        ("vec4 hook() {\n    return vec4(1.0) / 0.0;\n}", 11, "a division by zero"),
        ("vec4 hook() {\n    return mat4(1.0, 2.0) * a_tex(a_pos);\n}", 11, "a matrix of 16 elements made of 2"),
        ("vec4 hook() {\n    vec4 t = a_tex(a_pos);\n" + "    t = t * t;\n" * 30 + "    return t;\n}",
         26, "more than 65536"),
        ("vec4 hook() {\n    return a_texOff(vec2(1e9, 0.0));\n}", 10, "reads 1000000001x1 texels apart"),
        ("#if MAYBE + 1\n#endif\nvec4 hook() { return vec4(0); }", 10, "a macro: #if has the condition 'MAYBE + 1'"),
        ("vec3 hook() { return vec3(0); }", 10, "does not make all 4 channels"),
        ("vec4 hook() { return vec4(1.0); }", 10, "a result that reads nothing"),
        ("vec4 other() { return vec4(0); }", 10, "no function hook()"),
        ("vec4 hook() {\n    return vec4(;\n}", 11, "text that is no GLSL as it is parsed here"),
        ("vec4 hook() { return vec4" + "(" * 4000 + "1.0" + ")" * 4000 + "; }", 10, "too deep"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        network([block(text, {"a": 4}, first_line=10)], {"a": image(4)})
    assert str(caught.value).startswith(f"own.glsl:{line}: expected sums of weights times texels")
    assert what in caught.value.got


def test_the_network_ends_before_what_is_not_understood() -> None:
    good = block("vec4 hook() { return a_texOff(vec2(1, 0)); }", {"a": 4}, tensor="first")
    bad = block("vec4 hook() { return vec4(random); }", {"first": 4}, tensor="second", first_line=7)
    behind = block("vec4 hook() { return second_tex(second_pos); }", {"second": 4}, tensor="third", first_line=9)
    made = network([good, bad, behind], {"a": image(4)})
    assert [(each.tensor, each.line) for each in made.left_out] == [("second", 7), ("third", 0)]
    assert "'second', which is not in the network" in str(made.left_out[1].error)
    assert [output.name for output in made.model.graph.output] == ["first"]
    assert computed(made, {"a": image(4)}, "first").shape == (4, *SIZE)
