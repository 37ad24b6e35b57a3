"""A bug in a shader is named in the report, and the session is as it was."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
from onnx import helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.gather import Gathering


def session_of(gl: moderngl.Context, old: str = "", new: str = "") -> DebugSession:
    """A convolution in tiles, run, with text of its shader replaced."""
    random = np.random.default_rng(1)
    w = random.standard_normal((4, 3, 3, 3)).astype(np.float32)
    b = random.standard_normal(4).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w", "b"], ["y"], name="conv", pads=[1, 1, 1, 1])],
        "test",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 6, 7])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 4, 6, 7])],
        [numpy_helper.from_array(w, "w"), numpy_helper.from_array(b, "b")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    session = pipeline.open(made, layout="channel_tiles", context=gl)
    session.set_input("x", random.standard_normal((1, 3, 6, 7)).astype(np.float32))
    if old:
        text = session.program_source("conv").fragment
        assert text.count(old) == 1
        session.replace_shader("conv", text.replace(old, new))
    session.run()
    return session


def test_the_report_names_the_cause_and_the_line(gl: moderngl.Context) -> None:
    with session_of(gl, "W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, q, p))") as session:
        report = session.compare()
    found = report.find("conv")
    assert found is not None
    first = found.findings[0]
    assert (first.cause, first.shader) == ("kernel_transpose", "shaders/operators/conv.glsl")
    assert first.line is not None
    assert "wrong elements are reproduced" in first.evidence


def test_a_healthy_pass_has_no_finding(gl: moderngl.Context) -> None:
    with session_of(gl) as session:
        report = session.compare()
    assert report.verdict == "match"
    assert all(each.findings == () for each in report.passes)


def test_findings_can_be_left_out(gl: moderngl.Context) -> None:
    with session_of(gl, "return sum;", "return sum * 0.5;") as session:
        report = session.compare(findings=False)
    assert report.verdict == "mismatch"
    assert all(each.findings == () for each in report.passes)


def test_gathering_goes_in_steps_and_leaves_the_result_as_it_was(gl: moderngl.Context) -> None:
    with session_of(gl, "return sum;", "return sum * 0.5;") as session:
        before = session.texels("conv")
        capture = session.capture()
        gathering = Gathering(session, capture, "conv", Comparer(session.plan).wrong(capture, "conv"))
        shares = []
        while gathering.step():
            shares.append(gathering.progress)
        np.testing.assert_array_equal(session.texels("conv"), before)
        assert len(shares) > 3
        assert shares == sorted(shares)
        assert gathering.progress == 1.0
        assert gathering.evidence.survivors is not None
        assert not gathering.evidence.survivors.any()
