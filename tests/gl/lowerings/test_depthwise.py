"""A depthwise convolution runs as one draw with what follows it, and gives what its pass gives."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Backend


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@dataclass(frozen=True)
class Depthwise:
    """Describes one window over each channel of x."""

    x: tuple[int, int, int, int] = (1, 12, 14, 19)
    kernel: tuple[int, int] = (3, 3)
    strides: tuple[int, int] = (1, 1)
    dilations: tuple[int, int] = (1, 1)
    pads: tuple[int, int, int, int] = (1, 1, 1, 1)
    outputs_a_channel: int = 1
    has_bias: bool = True
    is_constant: bool = True

    def model(self) -> onnx.ModelProto:
        """Returns the convolution, Clip after it, and the sum of that with twice itself."""
        channels = self.x[1]
        outputs = channels * self.outputs_a_channel
        names = ["x", "w", "b"] if self.has_bias else ["x", "w"]
        conv = helper.make_node(
            "Conv",
            names,
            ["c"],
            name="c",
            group=channels,
            strides=self.strides,
            dilations=self.dilations,
            pads=self.pads,
        )
        nodes = [conv, helper.make_node("Clip", ["c", "low", "high"], ["y"], name="y")]
        weights = {"b": random(outputs, seed=2), "low": np.float32(0), "high": np.float32(6)}
        shape = (outputs, 1, *self.kernel)
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.x)]
        if self.is_constant:
            weights["w"] = random(*shape, seed=1)
        else:
            inputs.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, shape))
        graph = helper.make_graph(
            nodes,
            "depthwise",
            inputs,
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def form_of(session: DebugSession) -> Lowering | None:
    """Returns the form of a fused run that begins with the convolution."""
    return next((item for item in session.fused() if isinstance(item, Lowering) and item.covers[0] == "c"), None)


@pytest.mark.parametrize(
    "window",
    [
        Depthwise(),
        Depthwise(strides=(2, 2)),
        Depthwise(kernel=(5, 5), pads=(2, 2, 2, 2), x=(2, 7, 9, 8)),
        Depthwise(kernel=(3, 1), strides=(1, 2), pads=(0, 1, 2, 0), has_bias=False),
        Depthwise(dilations=(2, 3), x=(1, 5, 11, 13), pads=(2, 3, 2, 3)),
        Depthwise(x=(1, 4, 1, 1)),
        Depthwise(kernel=(7, 7), x=(3, 9, 6, 33), pads=(3, 3, 3, 3)),
    ],
    ids=str,
)
def test_one_draw_gives_what_the_passes_give(gl: moderngl.Context, window: Depthwise) -> None:
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        session.set_input("x", random(*window.x, seed=3))
        session.run()
        report = session.compare()
        assert [each.verdict for each in report.passes] == ["match", "match"]
        alone = session.tensor("y")
        session.run_fused(settle=True)
        session.run_fused(settle=True)
        form = form_of(session)
        assert form is not None
        assert form.covers == ("c", "y")
        assert len(form.steps) == 1
        assert "const int PIXELS = 8;" in session.running(form).steps[0].program.fragment
        np.testing.assert_allclose(session.tensor("y"), alone, rtol=1e-5, atol=1e-5)
        assert session.compare().passes[-1].verdict == "match"


def test_a_pass_alone_has_the_form_too_until_its_shader_is_edited(gl: moderngl.Context) -> None:
    with pipeline.open(Depthwise().model(), backend="fragment", context=gl) as session:
        assert session.form("c") is not None
        session.set_input("x", random(1, 12, 14, 19))
        session.run()
        text = session.program_source("c").fragment
        session.replace_shader("c", text + "\n")
        assert session.form("c") is None


@pytest.mark.parametrize("window", [Depthwise(outputs_a_channel=2), Depthwise(is_constant=False)], ids=str)
def test_others_keep_their_pass(gl: moderngl.Context, window: Depthwise) -> None:
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        assert form_of(session) is None
        session.set_input("x", random(*window.x, seed=3))
        if not window.is_constant:
            session.set_input("w", random(12, 1, 3, 3))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"


def test_lanes_beyond_the_last_channel_spoil_nothing(gl: moderngl.Context) -> None:
    window = Depthwise(x=(1, 6, 8, 8))
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        x = random(*window.x, seed=3)
        session.set_input("x", x)
        session.run_fused()
        found = session.tensor("y")
        assert np.isfinite(found).all()
        height, width = session.plan.textures["y"].texture_shape
        texels = session.texels("y").reshape(height, width, 4)
        corner = texels[:8, 8:16] if width >= 16 else texels[8:16, :8]
        assert not corner[..., 2:].any()


@pytest.mark.parametrize("backend", ["auto", "compute"])
def test_every_backend_computes_it(gl: moderngl.Context, backend: Backend) -> None:
    with pipeline.open(Depthwise().model(), backend=backend, context=gl) as session:
        session.set_input("x", random(1, 12, 14, 19))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"
