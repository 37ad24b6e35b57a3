"""Whose definition a person's shader follows is found from its values, and can be compared with."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.ported_lrn import ported
from texelscope import command_line, pipeline
from texelscope.pipeline.compare.convention_fits import advice_of, convention_fits
from texelscope.pipeline.reload.reloader import Reloader


@pytest.mark.parametrize(
    ("convention", "matching"),
    [
        ("tensorflow", {"tensorflow"}),
        ("pytorch", {"pytorch"}),
        ("caffe_within", {"caffe_within"}),
        ("directml", {"onnx", "caffe_across", "coreml", "directml"}),  # the same for any parameters
    ],
)
def test_values_match_the_convention_that_they_were_made_by_and_no_other(
    gl: moderngl.Context, tmp_path: Path, convention: str, matching: set[str]
) -> None:
    with pipeline.open(ported(tmp_path, convention), context=gl) as session:
        session.run()
        fits = convention_fits(session.plan, session.capture(), "norm1")
        assert {fit.name for fit in fits if fit.matches} == matching
        assert {fit.name for fit in fits[: len(matching)]} == matching
        errors = [fit.figures.max_abs for fit in fits if not fit.matches]
        assert errors == sorted(errors)
        assert min(errors) > 1e-3
        advice = advice_of(session.plan, fits)
        assert advice == ("" if "onnx" in matching else advice)
        assert (f"--convention LRN={convention}" in advice) is ("onnx" not in matching)


def test_a_pass_without_a_choice_and_one_that_did_not_run_follow_nothing(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(ported(tmp_path), context=gl) as session:
        assert convention_fits(session.plan, session.capture(), "norm1") == ()
        session.run()
        assert convention_fits(session.plan, session.capture(), "relu1") == ()


def test_another_convention_leaves_a_shader_and_its_result_and_changes_what_is_right(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    path = ported(tmp_path)
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.run()
        generation = session.generation("norm1")
        assert session.compare(findings=False).culprit == "norm1"
        assert reloader.follow({"LRN": "tensorflow"}).oracle_changed
        assert session.compare(findings=False).verdict == "match"
        assert session.generation("norm1") == generation
        (refused,) = reloader.follow({"LRN": "tensorflov"}).errors
        assert "expected a convention that is known, got 'tensorflov'" in str(refused)
        reloader.reload(frozenset())
        assert session.compare(findings=False).verdict == "match"  # that of before still holds
        reloader.follow({})
        assert session.compare(findings=False).culprit == "norm1"


def test_the_command_line_says_whose_definition_it_is_and_compares_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ported(tmp_path)
    assert command_line.main(["diff", str(path)]) == 1
    said = (
        "norm1: The values are those of LRN as defined by tensorflow: --convention LRN=tensorflow compares with that."
    )
    assert said in capsys.readouterr().out
    assert command_line.main(["diff", str(path), "--convention", "LRN=tensorflow"]) == 0


def test_eject_carries_the_convention_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = ported(tmp_path / "a").parent / "model.onnx"
    words = ["eject", str(model), "--to", str(tmp_path / "b"), "--convention", "LRN=ncnn_within"]
    assert command_line.main(words) == 0
    assert command_line.main(["diff", str(tmp_path / "b" / "pipeline.toml")]) == 0
    assert "2 of 2 passes match" in capsys.readouterr().out
