"""A fused run gives what the single passes give, stores no more than is read, and makes the rest when asked."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from benchmarks.unet import build
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING
from texelscope.pipeline.lowerings.fusion.fusing import schedule
from texelscope.pipeline.lowerings.lowering import Lowering


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def network() -> onnx.ModelProto:
    """Returns convolution, normalisation, activation, a sum with what came before, a concatenation of both, a pool."""
    weights = {
        "w1": random(8, 4, 3, 3),
        "b1": random(8, seed=1),
        "w2": random(8, 8, 1, 1, seed=2),
        "scale": random(8, seed=3),
        "shift": random(8, seed=4),
        "mean": random(8, seed=5),
        "variance": np.abs(random(8, seed=6)) + 0.5,
        "factor": random(1, 8, 1, 1, seed=7),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("LeakyRelu", ["c1"], ["a1"], alpha=0.2),
        helper.make_node("Conv", ["a1", "w2"], ["c2"]),
        helper.make_node("BatchNormalization", ["c2", "scale", "shift", "mean", "variance"], ["n2"]),
        helper.make_node("Mul", ["n2", "factor"], ["m2"]),
        helper.make_node("Add", ["m2", "a1"], ["s2"]),
        helper.make_node("Relu", ["s2"], ["r2"]),
        helper.make_node("Concat", ["r2", "c1"], ["both"], axis=1),
        helper.make_node("BatchNormalization", ["both", "scale3", "shift3", "mean3", "variance3"], ["n3"]),
        helper.make_node("Sigmoid", ["n3"], ["g3"]),
        helper.make_node("MaxPool", ["g3"], ["y"], kernel_shape=[2, 2], strides=[2, 2]),
    ]
    weights |= {
        f"{name}3": np.abs(random(16, seed=8 + i)) + 0.5
        for i, name in enumerate(("scale", "shift", "mean", "variance"))
    }
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4, 9, 11])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture
def session(gl: moderngl.Context) -> DebugSession:
    opened = pipeline.open(network(), context=gl)
    opened.set_input("x", random(2, 4, 9, 11, seed=20))
    return opened


def forms(session: DebugSession, keep: tuple[str, ...] = ()) -> list[Lowering]:
    items = schedule(session.plan, limits_of(session.context), keep)
    return [item for item in items if isinstance(item, Lowering)]


def test_a_fused_run_gives_what_the_single_passes_give(session: DebugSession) -> None:
    with session:
        session.run()
        expected = {key: session.tensor(key) for each in session.plan.passes for key in each.outputs}
        session.set_input("x", random(2, 4, 9, 11, seed=20))
        session.run_fused()
        for key in ("y", *expected):
            np.testing.assert_allclose(session.tensor(key), expected[key], rtol=1e-5, atol=1e-5)


def test_what_is_element_by_element_joins_the_sum_before_it(session: DebugSession) -> None:
    with session:
        covered = [form.covers for form in forms(session)]
    assert len(covered) == 2
    assert [len(each) for each in covered] == [5, 8]


def test_nothing_is_stored_that_nobody_reads(session: DebugSession) -> None:
    with session:
        written = {key for form in forms(session) for key in (*form.writes, *form.parts)}
        kept = {key for form in forms(session, ("c2",)) for key in (*form.writes, *form.parts)}
    assert written == {"a1", "g3"}
    assert kept == {"a1", "g3", "c2"}


def test_a_pass_with_a_shader_of_somebodys_own_stays_out_of_forms(session: DebugSession) -> None:
    with session:
        name = session.plan.pass_called("r2").name
        text = session.program_source(name).fragment
        session.replace_shader(name, text.replace("return greater_of(x, 0.0);", "return 7.0;"))
        session.run_fused()
        assert np.all(session.tensor("r2") == 7.0)
        session.run()
        alone = session.tensor("y")
        session.run_fused()
        np.testing.assert_allclose(session.tensor("y"), alone, rtol=1e-5)


def test_a_shader_that_is_again_what_it_was_gives_the_pass_its_form_back(session: DebugSession) -> None:
    with session:
        name, items = session.plan.pass_called("r2").name, session.fused()
        session.run_fused()
        before = session.tensor("y")
        text = session.program_source(name).fragment
        for edited in ("return 7.0;", "return 8.0;"):
            session.replace_shader(name, text.replace("return greater_of(x, 0.0);", edited))
            assert session.fused() != items
        session.replace_shader(name, text)
        assert session.fused() == items
        assert not session.has_run(name)
        session.run_fused()
        np.testing.assert_array_equal(session.tensor("y"), before)


def test_the_u_net_runs_as_its_sixteen_sums(gl: moderngl.Context) -> None:
    with pipeline.open(build(ngf=8), context=gl) as session:
        session.set_input("image", random(1, 3, 256, 256))
        session.run()
        expected = session.tensor("picture")
        assert len(forms(session)) == 16
        session.set_input("image", random(1, 3, 256, 256))
        session.run_fused()
        np.testing.assert_allclose(session.tensor("picture"), expected, rtol=1e-5, atol=1e-5)  # sums in another order


def chain() -> onnx.ModelProto:
    """Returns six convolutions of one size, one after another."""
    nodes = [helper.make_node("Conv", [f"t{i}", f"w{i}"], [f"t{i + 1}"], pads=[1, 1, 1, 1]) for i in range(6)]
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("t0", TensorProto.FLOAT, [1, 16, 16, 16])],
        [helper.make_tensor_value_info("t6", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(0.1 * random(16, 16, 3, 3, seed=i), f"w{i}") for i in range(6)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_tensors_that_are_done_with_leave_their_texture_to_others(gl: moderngl.Context) -> None:
    with pipeline.open(chain(), backend="fragment", context=gl) as session:
        session.set_input("t0", random(1, 16, 16, 16))
        sharing = session.sharing()
        assert len(set(sharing.textures.values())) == 2
        assert sharing.held.bytes == sharing.held.alive == 3 * 16 * 16 * 16 * 4
        for _ in range(RUNS_BEFORE_TUNING + 8):
            session.run_fused()
        fused = session.tensor("t6")
        for key in ("t3", "t5", "t1"):
            assert np.isfinite(session.tensor(key)).all()
        np.testing.assert_array_equal(session.tensor("t6"), fused)
        session.run()
        np.testing.assert_array_equal(session.tensor("t6"), fused)


def test_what_somebody_looked_at_stays_while_the_run_goes_on_sharing(gl: moderngl.Context) -> None:
    with pipeline.open(chain(), backend="fragment", context=gl) as session:
        session.set_input("t0", random(1, 16, 16, 16))
        session.run_fused(keep=("t2",))
        kept, last = session.tensor("t2"), session.tensor("t6")
        session.run_fused()
        np.testing.assert_array_equal(session.tensor("t2"), kept)
        np.testing.assert_array_equal(session.tensor("t6"), last)


def test_a_tensor_whose_texture_another_takes_over_is_no_longer_what_it_was(gl: moderngl.Context) -> None:
    with pipeline.open(chain(), backend="fragment", context=gl) as session:
        session.set_input("t0", random(1, 16, 16, 16))
        items = session.fused()
        shared = session.sharing().textures
        written: dict[str, int] = {}
        for item in items:
            assert session.run_item(item, shared)
            written |= {key: session.generation(key) for key in session.computed if session.is_valid(key)}
        taken = [key for key in shared if not session.is_valid(key)]
        assert taken
        assert all(session.generation(key) > written[key] for key in taken)
