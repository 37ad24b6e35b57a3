"""A model with an operator that no shader runs: it opens, runs up to there, and goes on after an injected value."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

import pipeline
from pipeline.commands.injection import inject_missing
from pipeline.compare.comparer import Comparer
from tests.small_models import large_determinants
from texelscope import command_line

X = np.random.default_rng(3).standard_normal((5, 2, 9, 9), np.float32)


def test_the_layers_of_a_plan_have_what_cannot_run_at_its_place() -> None:
    plan = pipeline.plan_of(large_determinants())
    assert plan.layers == ("before", "det", "after", "last")
    assert [plan.operator_of(name) for name in ("x", *plan.layers)] == ["input", "Relu", "Det", "Tanh", "Sigmoid"]
    missing, stored = plan.missing("det"), plan.stored("det")
    assert missing is not None
    assert stored is not None
    assert (stored.key, stored.shape, plan.missing("after")) == ("determinants", (5, 2), None)
    assert "Det 'det' (large_determinants): expected matrices of at most 4 rows, got 9." in missing.reason


def test_what_follows_runs_on_the_oracles_value(gl: moderngl.Context) -> None:
    with pipeline.open(large_determinants(), context=gl) as session:
        session.set_input("x", X)
        session.run()
        before = {each.name: each.verdict for each in session.compare().passes}
        assert before == {"before": "match", "det": "not_run", "after": "not_run", "last": "not_run"}
        comparer = Comparer(session.plan)
        assert inject_missing(session, comparer) == ("det",)
        assert session.injected == {"determinants"}
        report = comparer.compare(session.capture())
        assert {each.name: each.verdict for each in report.passes} == {
            "before": "match", "det": "not_run", "after": "match", "last": "match",
        }  # fmt: skip
        (said,) = (each.message for each in report.passes if each.name == "det")
        assert said.startswith("An injected value stands in for it. Det 'det'")
        expected = comparer.expected({"x": X})["determinants"].value
        np.testing.assert_array_equal(session.tensor("determinants"), np.asarray(expected, np.float32))
        assert np.ptp(session.tensor("last")) > 0


def test_nothing_is_put_in_for_what_the_oracle_does_not_know_either(gl: moderngl.Context) -> None:
    model = large_determinants()
    model.graph.node[1].op_type, model.graph.node[1].domain = "Mystery", "some.where"
    del model.graph.node[1].attribute[:]
    model.opset_import.append(onnx.helper.make_opsetid("some.where", 1))
    with pipeline.open(model, context=gl) as session:
        session.set_input("x", X)
        session.run()
        assert inject_missing(session, Comparer(session.plan)) == ()
        assert [session.plan.layers, session.has_run("before")] == [("before", "det", "after", "last"), True]


def test_the_command_line_goes_on_after_it_if_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "determinants.onnx"
    onnx.save(large_determinants(), path)
    assert command_line.main(["diff", str(path)]) == 2
    assert "1 of 4 passes match" in capsys.readouterr().out
    assert command_line.main(["diff", str(path), "--inject"]) == 2
    out = capsys.readouterr().out
    assert "3 of 4 passes match" in out
    assert "det: An injected value stands in for it." in out
