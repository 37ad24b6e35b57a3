"""A model with an operator that no shader runs: it opens, runs up to there, and goes on after an injected value."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

import app
import pipeline
from pipeline.compare import Comparer
from pipeline.injection import inject_missing
from tests.small_models import recurrent

X = np.random.default_rng(3).standard_normal((5, 2, 4), np.float32)


def test_the_layers_of_a_plan_have_what_cannot_run_at_its_place() -> None:
    plan = pipeline.plan_of(recurrent())
    assert plan.layers == ("before", "lstm", "after", "last")
    assert [plan.operator_of(name) for name in ("x", *plan.layers)] == ["input", "Relu", "LSTM", "Relu", "Sigmoid"]
    missing, stored = plan.missing("lstm"), plan.stored("lstm")
    assert missing is not None
    assert stored is not None
    assert (stored.key, stored.shape, plan.missing("after")) == ("states", (5, 1, 2, 3), None)
    assert "LSTM 'lstm' (recurrent): expected an operator that runs as a pass, got 'LSTM'." in missing.reason


def test_what_follows_runs_on_the_oracles_value(gl: moderngl.Context) -> None:
    with pipeline.open(recurrent(), context=gl) as session:
        session.set_input("x", X)
        session.run()
        before = {each.name: each.verdict for each in session.compare().passes}
        assert before == {"before": "match", "lstm": "not_run", "after": "not_run", "last": "not_run"}
        comparer = Comparer(session.plan)
        assert inject_missing(session, comparer) == ("lstm",)
        assert session.injected == {"states"}
        report = comparer.compare(session.capture())
        assert {each.name: each.verdict for each in report.passes} == {
            "before": "match", "lstm": "not_run", "after": "match", "last": "match",
        }  # fmt: skip
        (said,) = (each.message for each in report.passes if each.name == "lstm")
        assert said.startswith("An injected value stands in for it. LSTM 'lstm'")
        expected = comparer.expected({"x": X})["states"].value
        np.testing.assert_array_equal(session.tensor("states"), np.asarray(expected, np.float32))
        assert np.ptp(session.tensor("last")) > 0


def test_nothing_is_put_in_for_what_the_oracle_does_not_know_either(gl: moderngl.Context) -> None:
    model = recurrent()
    model.graph.node[1].op_type, model.graph.node[1].domain = "Mystery", "some.where"
    del model.graph.node[1].attribute[:]
    model.opset_import.append(onnx.helper.make_opsetid("some.where", 1))
    with pipeline.open(model, context=gl) as session:
        session.set_input("x", X)
        session.run()
        assert inject_missing(session, Comparer(session.plan)) == ()
        assert [session.plan.layers, session.has_run("before")] == [("before", "lstm", "after", "last"), True]


def test_the_command_line_goes_on_after_it_if_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "recurrent.onnx"
    onnx.save(recurrent(), path)
    assert app.main(["diff", str(path)]) == 2
    assert "1 of 4 passes match" in capsys.readouterr().out
    assert app.main(["diff", str(path), "--inject"]) == 2
    out = capsys.readouterr().out
    assert "3 of 4 passes match" in out
    assert "lstm: An injected value stands in for it." in out
