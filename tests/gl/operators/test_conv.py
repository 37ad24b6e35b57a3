"""Conv and ConvTranspose match the oracle for every kind of window, and read what they say."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal, opened
from texelscope import pipeline


def conv(x: tuple[int, ...], w: tuple[int, ...], *, bias: bool = False, **attributes: object) -> NodeCase:
    b = normal(w[0], seed=3) if bias else None
    return NodeCase("Conv", (normal(*x), normal(*w, seed=2), b), attributes, constant=(1,))


def transposed(x: tuple[int, ...], w: tuple[int, ...], *, bias: bool = False, **attributes: object) -> NodeCase:
    b = normal(w[1] * int(str(attributes.get("group", 1))), seed=3) if bias else None
    return NodeCase("ConvTranspose", (normal(*x), normal(*w, seed=2), b), attributes, constant=(1,))


CASES = [
    conv((2, 5, 7, 6), (3, 5, 3, 2), bias=True, pads=[1, 0, 2, 1], strides=[2, 1], dilations=[1, 2]),
    conv((1, 6, 5, 5), (9, 2, 3, 3), group=3, auto_pad="SAME_UPPER", strides=[2, 2]),
    conv((1, 4, 6, 6), (4, 1, 4, 4), group=4, auto_pad="SAME_LOWER"),
    conv((2, 3, 11), (4, 3, 3), bias=True, pads=[2, 1], strides=[2], dilations=[3]),
    conv((1, 4, 5, 6, 4), (6, 2, 2, 3, 3), bias=True, group=2, pads=[0, 1, 1, 1, 1, 0], strides=[2, 1, 1]),
    transposed((2, 4, 3, 4), (4, 3, 4, 4), bias=True, strides=[2, 2], pads=[1, 1, 1, 1]),
    transposed((1, 4, 5, 3), (4, 2, 3, 2), group=2, strides=[3, 2], dilations=[2, 3], output_padding=[1, 1]),
    transposed((1, 2, 4, 4), (2, 3, 3, 3), strides=[2, 4], dilations=[4, 2], pads=[2, 1, 0, 1]),
    transposed((1, 2, 4, 5), (2, 3, 3, 3), strides=[2, 2], output_shape=[9, 11]),
    transposed((1, 2, 4, 5), (2, 3, 4, 3), strides=[3, 2], auto_pad="SAME_UPPER"),
    transposed((1, 2, 4, 5), (2, 3, 4, 4), strides=[3, 2], auto_pad="SAME_LOWER"),
    transposed((2, 3, 7), (3, 4, 4), bias=True, strides=[2], pads=[1, 1]),
    transposed((1, 4, 3, 4, 3), (4, 3, 2, 3, 2), bias=True, group=2, strides=[1, 2, 2], pads=[0, 1, 0, 1, 1, 0]),
]

SINGLE_PASS = [case for case in CASES if case.inputs[0] is not None and case.inputs[0].ndim > 3]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", SINGLE_PASS, ids=str)
def test_every_element_reads_the_taps_that_it_lists(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


@pytest.mark.parametrize("position", [1, 2])
@pytest.mark.parametrize("case", [CASES[0], CASES[5]], ids=str)
def test_weights_and_bias_are_among_the_reads(case: NodeCase, position: int, gl: moderngl.Context) -> None:
    run_time = NodeCase(case.op_type, case.inputs, case.attributes)
    assert_reads_are_exact(run_time, gl, position=position)


def test_many_channels_are_not_cut_short(gl: moderngl.Context) -> None:
    """Beyond 65,535 turns in the four lanes of a texel, where llvmpipe ends a fragment's loops."""
    assert_matches(conv((1, 1000, 9, 9), (3, 1000, 9, 9), bias=True), "channel_tiles_rgba", gl)
    assert_matches(transposed((1, 2500, 3, 3), (2500, 4, 4, 4), strides=[2, 2]), "channel_tiles_rgba", gl)


def test_four_channels_at_a_time_is_the_same_as_one_by_one(gl: moderngl.Context) -> None:
    case = conv((1, 6, 9, 7), (10, 6, 3, 3), bias=True, pads=[1, 1, 1, 1])
    with opened(case, "channel_tiles_rgba", gl) as fast, opened(case, "channel_tiles", gl) as plain:
        paths = [session.plan.passes[0].program.files[0].path for session in (fast, plain)]
        assert paths == ["shaders/operators/conv.channel_tiles_rgba.glsl", "shaders/operators/conv.glsl"]
        fast.run()
        plain.run()
        np.testing.assert_allclose(fast.tensor("out0"), plain.tensor("out0"), rtol=1e-5, atol=1e-5)


HOT = {
    "Conv": "shaders/operators/conv.channel_tiles_rgba.glsl",
    "ConvTranspose": "shaders/operators/conv_transpose.channel_tiles_rgba.glsl",
}
IN_FOURS = [
    conv((2, 8, 6, 5), (12, 8, 3, 3), bias=True, pads=[1, 1, 1, 1]),
    conv((1, 7, 6, 5), (5, 7, 3, 2), bias=True, strides=[2, 1], dilations=[1, 2], pads=[0, 1, 2, 0]),
    conv((2, 3, 5, 5), (2, 3, 1, 1)),
    conv((1, 16, 5, 5), (8, 8, 3, 3), group=2, pads=[1, 1, 1, 1]),
    transposed((2, 8, 3, 4), (8, 4, 4, 4), bias=True, strides=[2, 2], pads=[1, 1, 1, 1]),
    transposed((1, 7, 4, 3), (7, 5, 3, 2), bias=True, strides=[2, 3], dilations=[3, 2], output_padding=[1, 0]),
    transposed((1, 8, 4, 3), (8, 4, 3, 3), group=2, strides=[2, 1]),
]


@pytest.mark.parametrize("case", IN_FOURS, ids=str)
def test_four_channels_at_a_time_make_what_one_at_a_time_does(case: NodeCase, gl: moderngl.Context) -> None:
    (by_one,) = assert_matches(case, "channel_tiles", gl)
    with opened(case, "channel_tiles_rgba", gl) as session:
        (each,) = session.plan.passes
        assert each.program.files[0].path == HOT[case.op_type]
        # What no element is stored in must not matter.
        for key, stored in session.plan.textures.items():
            if stored.role != "activation":
                value = case.inputs[int(stored.tensor.removeprefix("in"))]
                assert value is not None
                session.texture(key).write(stored.layout.encode(value, padding=np.nan).tobytes(), alignment=1)
        session.run()
        assert session.compare().verdict == "match"
        np.testing.assert_allclose(session.tensor("out0"), by_one, rtol=1e-4, atol=1e-4)


def test_groups_that_share_a_texel_are_run_one_channel_at_a_time() -> None:
    for case in (conv((1, 6, 5, 5), (4, 3, 3, 3), group=2), conv((1, 4, 5, 5), (4, 1, 3, 3), group=4)):
        (each,) = pipeline.plan_of(case.model(), layout="channel_tiles_rgba").passes
        assert each.program.files[0].path == "shaders/operators/conv.glsl"
