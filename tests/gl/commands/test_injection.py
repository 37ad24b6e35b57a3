"""A model with an operator that no shader runs: it opens, runs up to there, and goes on after an injected value."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.commands.running import Run
from tests.pure.models import model, node, relu, value
from tests.small_models import large_determinants, mysterious
from texelscope import command_line, pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.injection import runtime_values
from texelscope.pipeline.injection.choosing import sources_of
from texelscope.pipeline.injection.inject import inject_missing, run_on

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
        done = inject_missing(session, sources_of((), session, large_determinants()))
        assert [str(each) for each in done] == [
            "injected 'determinants' in place of Det 'det': [5, 2] from the oracle."
        ]
        run_on(session)
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


def test_the_command_line_goes_on_after_it_if_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "determinants.onnx"
    onnx.save(large_determinants(), path)
    assert command_line.main(["diff", str(path)]) == 2
    assert "1 of 4 passes match" in capsys.readouterr().out
    assert command_line.main(["diff", "--inject", str(path)]) == 2
    printed = capsys.readouterr()
    assert "3 of 4 passes match" in printed.out
    assert "det: An injected value stands in for it." in printed.out
    assert printed.err == "texelscope: injected 'determinants' in place of Det 'det': [5, 2] from the oracle.\n"


class TestWithoutShapes:
    """What an operator of somebody else's makes has no shape; a value brings it, and the plan is made anew with it."""

    VALUE = np.random.default_rng(1).standard_normal((1, 2, 4, 4), np.float32)

    def test_nothing_is_put_in_for_what_nobody_knows(self, run: Run, tmp_path: Path) -> None:
        run("diff", saved(tmp_path), "--inject")
        assert run.err == (
            "texelscope: could not inject 'a' in place of Mystery 'odd': the oracle: Mystery 'odd': expected an "
            "operator of some.where 1, got 'Mystery'; ONNX Runtime: expected a model that it runs, got 'Fatal error: "
            "some.where:Mystery(-1) is not a registered function/op'.\n"
            "texelscope: 3 more layers need what could not be injected.\n"
        )
        assert "1 of 5 passes match" in run.out

    def test_a_file_tells_the_shapes_of_all_that_follows(self, run: Run, tmp_path: Path) -> None:
        np.save(tmp_path / "value.npy", self.VALUE.astype(np.float64))
        for name in ("a", "odd"):  # the tensor, or the layer that makes it
            run("diff", saved(tmp_path), "--inject", f"{name}={tmp_path / 'value.npy'}")
            assert run.err == "texelscope: injected 'a' in place of Mystery 'odd': [1, 2, 4, 4] from value.npy.\n"
            assert "4 of 5 passes match" in run.out

    def test_so_does_an_archive_or_a_folder(self, run: Run, tmp_path: Path) -> None:
        np.savez(tmp_path / "values.npz", a=self.VALUE, b=self.VALUE)
        folder = tmp_path / "dumped"
        folder.mkdir()
        np.save(folder / "a.npy", self.VALUE)
        for word, source in ((f"a={tmp_path / 'values.npz'}", "values.npz"), (str(folder), str(folder))):
            run("diff", saved(tmp_path), "--inject", word)
            assert run.err == f"texelscope: injected 'a' in place of Mystery 'odd': [1, 2, 4, 4] from {source}.\n"
            assert "4 of 5 passes match" in run.out

    def test_the_session_does_so_too(self, gl: moderngl.Context) -> None:
        with pipeline.open(mysterious(), context=gl) as session:
            session.set_input("x", X)
            session.run()
            assert [each.name for each in session.plan.not_run] == ["odd", "soft", "flat", "last"]
            assert [each.waits_for for each in session.plan.not_run] == ["", "a", "b", "c"]
            session.inject("a", self.VALUE)
            session.run()
            assert [each.name for each in session.plan.not_run] == ["odd"]
            assert session.tensor("y").shape == (1, 32)

    def test_shapes_can_be_said_instead(self, run: Run, tmp_path: Path) -> None:
        np.save(tmp_path / "value.npy", self.VALUE)
        word = f"a={tmp_path / 'value.npy'}"
        run("diff", saved(tmp_path), "--shape", "a=1,2,4,4", "--inject", word)
        assert "4 of 5 passes match" in run.out
        run("diff", saved(tmp_path), "--shape", "a=1,2,8,2", "--inject", word)
        assert "value.npy: 'a': expected shape [1, 2, 8, 2], got [1, 2, 4, 4]." in run.err

    def test_what_stands_in_may_bring_the_next_that_needs_it(self, run: Run, tmp_path: Path) -> None:
        made = mysterious()
        made.graph.node[3].op_type, made.graph.node[3].domain = "Riddle", "some.where"
        onnx.save(made, tmp_path / "riddle.onnx")
        np.savez(tmp_path / "v.npz", a=self.VALUE, c=np.zeros((1, 32), np.float32))
        words = [word for name in "ac" for word in ("--inject", f"{name}={tmp_path / 'v.npz'}")]
        run("diff", tmp_path / "riddle.onnx", *words)
        assert run.err.splitlines() == [
            "texelscope: injected 'a' in place of Mystery 'odd': [1, 2, 4, 4] from v.npz.",
            "texelscope: injected 'c' in place of Riddle 'flat': [1, 32] from v.npz.",
        ]
        assert "3 of 5 passes match" in run.out


class TestFromOnnxRuntime:
    """Another program's results."""

    def test_it_evaluates_what_the_oracle_does_not(self, run: Run, tmp_path: Path) -> None:
        run("diff", saved_indices(tmp_path), "--input", "x=one-hot", "--inject", "onnxruntime")
        assert run.err == "texelscope: injected 'places' in place of NonZero 'where': [2, 1] from ONNX Runtime.\n"
        assert "1 of 2 passes match" in run.out

    def test_so_does_the_oracle_as_it_is_asked_first(self, run: Run, tmp_path: Path) -> None:
        run("diff", saved_indices(tmp_path), "--input", "x=one-hot", "--inject")
        assert run.err == "texelscope: injected 'places' in place of NonZero 'where': [2, 1] from the oracle.\n"

    def test_without_it_a_line_says_how_to_get_it(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runtime_values, "is_installed", lambda: False)
        assert run.refusal("diff", saved_indices(tmp_path), "--inject", "onnxruntime") == (
            "texelscope: --inject onnxruntime: expected ONNX Runtime, got no such package. "
            "pip install 'texelscope[onnxruntime]' brings it.\n"
        )
        run("diff", saved(tmp_path), "--inject")
        assert "ONNX Runtime: expected it to be installed, got no such package." in run.err


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "b=v.npy",
            "--inject b: expected an .npy or .npz file, got 'v.npy', which is not there. Save it with numpy.save.",
        ),
        ("before=v.npy", "--inject before: expected a tensor that cannot run, got one that pass 'before' computes."),
        ("c2=v.npy", "--inject c2: expected a tensor that cannot run, got no such tensor."),
        ("onnxrutime", "got 'onnxrutime'. Did you mean 'onnxruntime'?"),
    ],
)
def test_a_source_that_is_none_is_refused(run: Run, tmp_path: Path, word: str, message: str) -> None:
    assert message in run.refusal("diff", saved(tmp_path), "--inject", word)


def test_where_everything_runs_it_says_so(run: Run, tmp_path: Path) -> None:
    onnx.save(relu(), tmp_path / "m.onnx")
    assert run("diff", tmp_path / "m.onnx", "--inject") == 0
    assert run.err == "texelscope: nothing to inject: everything can run.\n"


def saved(folder: Path) -> Path:
    onnx.save(mysterious(), folder / "mystery.onnx")
    return folder / "mystery.onnx"


def saved_indices(folder: Path) -> Path:
    """Where x is not zero: how many places that are depends on x."""
    nodes = [node("NonZero", "x", "places", "where"), node("Cast", "places", "y", "cast", to=1)]
    onnx.save(model(nodes, [value("x", [3, 4])], [value("y", None)]), folder / "places.onnx")
    return folder / "places.onnx"
