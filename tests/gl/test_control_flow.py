"""Control flow that hangs on inputs: the plan is that for the values at hand, and another where they change it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.pure.models import model, node, value
from texelscope import command_line, pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.reload.reloader import Reloader

X = np.random.default_rng(2).random((1, 3, 8, 8), np.float32)


def by_its_mean() -> onnx.ModelProto:
    """y is exp x where the mean of x is above 1/2, and 2 x where it is not."""
    above = helper.make_graph([node("Exp", "x", "e", "exponential")], "above", [], [value("e")])
    below = helper.make_graph([node("Add", "x x", "d", "double")], "below", [], [value("d")])
    nodes = [
        node("ReduceMean", "x", "mean", "mean", keepdims=0),
        node("Greater", "mean half", "c", "compare"),
        node("If", "c", "y", "choice", then_branch=above, else_branch=below),
    ]
    return model(nodes, weights={"half": np.array(0.5, np.float32)})


def halved() -> onnx.ModelProto:
    """x halved `n` times while its largest element is above 1/10; all on the way are kept."""
    body = helper.make_graph(
        [
            node("Mul", "v half", "w", "halve"),
            node("ReduceMax", "w", "most", keepdims=0),
            node("Greater", "most least", "again"),
            node("Identity", "w", "kept"),
        ],
        "body",
        [value("i", [], TensorProto.INT64), value("before", [], TensorProto.BOOL), value("v", [2, 3])],
        [value("again", [], TensorProto.BOOL), value("w", [2, 3]), value("kept", [2, 3])],
    )
    weights = {"half": np.array(0.5, np.float32), "least": np.array(0.1, np.float32)}
    return model(
        [helper.make_node("Loop", ["n", "", "x"], ["last", "all"], name="halving", body=body)],
        [value("n", [], TensorProto.INT64), value("x", [2, 3])],
        [value("last", [2, 3]), value("all", ["turns", 2, 3])],
        weights=weights,
    )


def names(session: DebugSession) -> list[str]:
    return [each.name for each in session.plan.passes]


def all_match(session: DebugSession) -> bool:
    return {each.verdict for each in session.compare(findings=False).passes} == {"match"}


def test_the_branch_that_the_values_take_is_planned_and_another_when_they_change(gl: moderngl.Context) -> None:
    with pipeline.open(by_its_mean(), context=gl) as session:
        (missing,) = session.plan.not_run
        assert missing.reason == (
            "If 'choice' (net): expected a condition known once the inputs are, got 'c', which depends on the inputs. "
            "Set the inputs: it is planned for their values."
        )
        for values, layer, expected in ((X + 1, "exponential", np.exp(X + 1)), (X - 1, "double", 2 * (X - 1))):
            session.set_input("x", values)
            assert names(session)[-2:] == [layer, "choice/y"]
            session.run()
            np.testing.assert_allclose(session.tensor("y"), expected, rtol=1e-5)
            assert all_match(session)
            assert session.plan.not_run == ()


def test_values_that_decide_the_same_keep_the_plan_and_what_has_run(gl: moderngl.Context) -> None:
    with pipeline.open(by_its_mean(), context=gl) as session:
        session.set_input("x", X + 1)
        plan = session.plan
        session.set_input("x", X + 2)
        assert session.plan is plan


def test_what_no_value_of_an_input_decides_is_not_planned_again_for_each(gl: moderngl.Context) -> None:
    made = by_its_mean()
    made.graph.node[1].op_type, made.graph.node[1].domain = "Mystery", "some.where"
    made.opset_import.append(helper.make_opsetid("some.where", 1))
    with pipeline.open(made, context=gl) as session:
        session.set_input("x", X)
        plan = session.plan
        assert [each.name for each in plan.not_run] == ["compare", "choice"]
        assert "got 'c', which depends on Mystery 'compare': expected an operator of" in plan.not_run[1].reason
        session.set_input("x", X + 1)
        assert session.plan is plan
        session.run()
        session.inject("c", np.array(1.0))
        session.run()
        assert [each.name for each in session.plan.not_run] == ["compare"]
        np.testing.assert_allclose(session.tensor("y"), np.exp(X + 1), rtol=1e-5)


def test_a_loop_has_as_many_turns_as_its_inputs_say(gl: moderngl.Context) -> None:
    x = np.full((2, 3), 8.0, np.float32)
    with pipeline.open(halved(), context=gl) as session:
        for n, x_first, turns in ((3, 8.0, 3), (20, 1.0, 4), (5, 0.25, 2)):
            session.set_input("x", np.full((2, 3), x_first, np.float32))
            session.set_input("n", np.array(n))
            session.run()
            assert session.tensor("all").shape == (turns, 2, 3)
            np.testing.assert_allclose(session.tensor("last"), x / 8 * x_first * 0.5**turns)
            assert all_match(session)
            assert [name for name in names(session) if name.endswith("/halve")] == [
                f"halving/{turn}/halve" for turn in range(turns)
            ]


def test_a_model_that_is_saved_again_is_planned_for_the_values_that_are_set(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(by_its_mean(), path)
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.set_input("x", X + 1)
        session.run()
        other = by_its_mean()
        (above,) = (each.g for each in other.graph.node[2].attribute if each.name == "then_branch")
        above.node[0].op_type = "Sqrt"
        onnx.save(other, path)
        done = reloader.reload(frozenset({path}))
        assert (done.errors, session.plan.not_run) == ((), ())
        np.testing.assert_allclose(session.tensor("y"), np.sqrt(X + 1), rtol=1e-5)


def test_a_trip_count_of_none_keeps_nothing_and_says_so(gl: moderngl.Context) -> None:
    with pipeline.open(halved(), context=gl) as session:
        session.set_input("x", np.ones((2, 3), np.float32))
        session.set_input("n", np.array(0))
        (missing, *_) = session.plan.not_run
        assert missing.reason == (
            "Loop 'halving' (net): expected at least one turn, of which something is kept, got none. Use other inputs."
        )


@pytest.mark.parametrize(("source", "layer"), [("ones", "exponential"), ("zeros", "double")])
def test_the_command_line_plans_for_its_inputs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, layer: str
) -> None:
    onnx.save(by_its_mean(), tmp_path / "m.onnx")
    assert command_line.main(["diff", str(tmp_path / "m.onnx"), "--input", f"x={source}"]) == 0
    printed = capsys.readouterr()
    assert layer in printed.out
    assert "4 of 4 passes match" in printed.out
    assert printed.err == ""
