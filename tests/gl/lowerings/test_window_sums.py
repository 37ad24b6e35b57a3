"""Tests forms of convolutions and transposed ones: right for every window, exact in their reads, and optional."""

from __future__ import annotations

import dataclasses

import moderngl
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from benchmarks.unet import build
from tests.gl.operators.single_node import NodeCase, assert_matches, assert_reads_are_exact, normal, opened
from texelscope import pipeline
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.lowerings.solo import solo_forms
from texelscope.pipeline.plan import Backend

LAYOUT = "channel_tiles_rgba"


def conv(x: tuple[int, ...], w: tuple[int, ...], *, bias: bool = False, **attributes: object) -> NodeCase:
    b = normal(w[0], seed=3) if bias else None
    return NodeCase("Conv", (normal(*x), normal(*w, seed=2), b), attributes, constant=(1, 2) if bias else (1,))


def transposed(x: tuple[int, ...], w: tuple[int, ...], *, bias: bool = False, **attributes: object) -> NodeCase:
    b = normal(w[1], seed=3) if bias else None
    inputs = (normal(*x), normal(*w, seed=2), b)
    return NodeCase("ConvTranspose", inputs, attributes, constant=(1, 2) if bias else (1,))


CASES = [
    conv((2, 5, 7, 13), (3, 5, 3, 2), bias=True, pads=[1, 0, 2, 1], strides=[2, 1], dilations=[1, 2]),
    conv((1, 1, 1, 1), (1, 1, 1, 1)),
    conv((3, 4, 9, 17), (13, 4, 1, 1), bias=True),
    conv((1, 3, 19, 23), (10, 3, 7, 7), strides=[2, 2], pads=[3, 3, 3, 3]),
    conv((1, 64, 2, 2), (9, 64, 4, 4), bias=True, strides=[2, 2], pads=[1, 1, 1, 1]),
    conv((1, 6, 5, 11), (8, 6, 3, 3), auto_pad="SAME_LOWER", strides=[2, 3]),
    transposed((2, 4, 3, 11), (4, 3, 4, 4), bias=True, strides=[2, 2], pads=[1, 1, 1, 1]),
    transposed((1, 70, 1, 2), (70, 5, 4, 4), strides=[2, 2], pads=[1, 1, 1, 1]),
    transposed((1, 3, 4, 5), (3, 6, 3, 3), pads=[2, 1, 0, 1]),
    transposed((1, 2, 4, 5), (2, 3, 2, 4), strides=[2, 2], output_padding=[1, 0]),
    transposed((2, 5, 3, 4), (5, 9, 2, 2), strides=[2, 1], pads=[0, 0, 1, 0]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl) as session:
        assert session.form("node") is not None
    assert_matches(case, LAYOUT, gl)


@pytest.mark.parametrize("case", [CASES[0], CASES[2], CASES[4], CASES[6], CASES[7], CASES[8], CASES[10]], ids=str)
@pytest.mark.parametrize("kept", [(), (2,)], ids=["", "but a bias"])
def test_weights_that_vary_are_read_as_they_are_stored(
    case: NodeCase, kept: tuple[int, ...], gl: moderngl.Context
) -> None:
    case = dataclasses.replace(case, constant=tuple(i for i in kept if i < len(case.inputs) and i in case.constant))
    for layout in (LAYOUT, "auto"):
        with opened(case, layout, gl) as session:
            form = session.form("node")
            assert form is not None
            assert "in1" in form.reads
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES[:1] + CASES[4:], ids=str)
def test_every_element_reads_what_it_lists_and_nothing_else(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl, layout=LAYOUT, samples=3)


def test_many_channels_of_few_pixels_are_summed_in_slices(gl: moderngl.Context) -> None:
    with opened(CASES[4], LAYOUT, gl) as session:
        form = session.form("node")
        assert form is not None
        assert len(form.steps) == 2


def test_what_no_step_writes_is_zero(gl: moderngl.Context) -> None:
    case = conv((1, 4, 5, 5), (5, 4, 3, 3))  # two tiles of four lanes, the second of one channel
    with opened(case, LAYOUT, gl) as session:
        session.run()
        stored = session.plan.tensor_called("out0")
        padding = stored.layout.address(stored.shape) < 0
        assert padding.any()
        assert not session.texels("out0")[padding].any()


@pytest.mark.parametrize("case", [CASES[0], CASES[3], CASES[7]], ids=str)
def test_what_no_element_is_stored_in_may_be_anything(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl) as session:
        stored, value = session.plan.textures["in0"], case.inputs[0]
        assert value is not None
        assert (stored.layout.address(stored.shape) < 0).any()
        session.texture("in0").write(stored.layout.encode(value, padding=np.nan).tobytes(), alignment=1)
        session.run()
        assert session.form("node") is not None
        assert session.compare().verdict == "match"


def test_half_floats_hold_what_a_form_computes(gl: moderngl.Context) -> None:
    case = CASES[0]
    session = pipeline.open(case.model(), layout=LAYOUT, precision="float16", context=gl)
    with session:
        assert case.inputs[0] is not None
        session.set_input("in0", case.inputs[0])
        session.run()
        assert session.form("node") is not None
        assert [each.verdict for each in session.compare().passes] == ["precision"]


def test_a_shader_that_somebody_put_in_runs_in_place_of_the_form(gl: moderngl.Context) -> None:
    with opened(CASES[0], LAYOUT, gl) as session:
        session.run()
        right = session.tensor("out0")
        text = session.program_source("node").fragment
        session.replace_shader("node", text.replace("Y = at.x < 0 ? vec4(0.0) : compute4(at);", "Y = vec4(7.0);"))
        assert session.form("node") is None
        session.run()
        assert np.all(session.tensor("out0") == 7.0)
        assert not np.all(right == 7.0)


def test_a_saved_plan_with_another_shader_runs_that_shader(gl: moderngl.Context) -> None:
    with opened(CASES[0], LAYOUT, gl) as session:
        session.run()
        (old,) = session.plan.passes
        text = old.program.fragment.replace("Y = at.x < 0 ? vec4(0.0) : compute4(at);", "Y = vec4(7.0);")
        saved = dataclasses.replace(old, program=old.program.with_fragment(text))
        session.adopt(dataclasses.replace(session.plan, passes=(saved,)))
        session.run()
        assert np.all(session.tensor("out0") == 7.0)


@pytest.mark.parametrize(
    "case",
    [
        conv((1, 4, 5, 5), (4, 2, 3, 3), group=2),
        transposed((1, 2, 4, 5), (2, 3, 3, 3), strides=[2, 2]),
        transposed((1, 2, 4, 5), (2, 3, 3, 3), dilations=[2, 2]),
    ],
    ids=str,
)
def test_what_steps_do_not_know_runs_as_the_plain_pass(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl) as session:
        assert session.form("node") is None
    assert_matches(case, LAYOUT, gl)


def test_layers_that_differ_in_size_alone_share_a_program(gl: moderngl.Context) -> None:
    with pipeline.open(build(ngf=4, image_texels=256), layout=LAYOUT, context=gl) as session:
        forms = [session.form(each.name) for each in session.plan.passes if "Conv" in each.operator]
        texts = {step.program.fragment for form in forms if form is not None for step in form.steps[:1]}
        assert None not in forms
        assert len(forms) == 16
        assert len(texts) <= 8


@pytest.mark.parametrize("backend", ["fragment", "compute"])
def test_a_convolution_and_a_transposed_one_may_share_their_weights(gl: moderngl.Context, backend: Backend) -> None:
    """As a convolution and its gradient by what it reads do."""
    weight = np.random.default_rng(0).standard_normal((4, 4, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node(kind, [source, "w"], [made], name=made, pads=[1, 1, 1, 1])
        for kind, source, made in (("Conv", "x", "there"), ("ConvTranspose", "there", "back"))
    ]
    graph = helper.make_graph(
        nodes,
        "shared",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 4, 8, 8))],
        [helper.make_tensor_value_info("back", TensorProto.FLOAT, (1, 4, 8, 8))],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with pipeline.open(model, layout=LAYOUT, backend=backend, context=gl) as session:
        session.set_input("x", np.random.default_rng(1).standard_normal((1, 4, 8, 8)))
        session.run()
        assert all(session.form(name) is not None for name in ("there", "back"))
        assert session.compare(findings=False).verdict == "match"


def test_weights_that_no_buffer_of_the_driver_holds_have_no_form(gl: moderngl.Context) -> None:
    with opened(CASES[4], LAYOUT, gl) as session:
        limits = limits_of(gl)
        assert "node" in solo_forms(session.plan, limits)
        assert "node" not in solo_forms(session.plan, dataclasses.replace(limits, max_buffer_texels=1024))
