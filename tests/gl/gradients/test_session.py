"""A session, the command line and an ejected folder with backward passes: run, compared, looked into like any other."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.commands.running import Run, run
from tests.small_models import two_layers
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

__all__ = ["run"]

X = np.random.default_rng(3).standard_normal((3, 5), dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The model of two layers in a file."""
    onnx.save(two_layers(), str(tmp_path / "model.onnx"))
    return tmp_path / "model.onnx"


def by_hand(plan: Plan) -> dict[str, np.ndarray]:
    """The gradients of the sum of y, as the chain rule has them."""
    w1, b1, w2 = (np.asarray(plan.constant(name), dtype=np.float64) for name in ("w1", "b1", "w2"))
    first = X @ w1 + b1
    dy = np.ones((3, 2))
    hidden = (dy @ w2.T) * (first > 0)
    return {
        "x": hidden @ w1.T,
        "w1": X.T @ hidden,
        "b1": hidden.sum(0),
        "w2": np.maximum(first, 0).T @ dy,
        "b2": dy.sum(0),
    }


def test_a_session_goes_over_to_the_backward_passes_and_keeps_what_ran(gl: moderngl.Context) -> None:
    with pipeline.open(two_layers(), context=gl) as session:
        session.set_input("x", X)
        session.run()
        generation = session.generation("y")
        gradients = session.gradients("y")
        assert set(gradients) == {"x", "w1", "b1", "w2", "b2"}
        assert session.generation("y") == generation
        assert {each.name for each in session.plan.passes} - session.plan.backward == {"first", "rectified", "second"}
        session.run()
        for name, wanted in by_hand(session.plan).items():
            np.testing.assert_allclose(session.tensor(gradients[name]), wanted, rtol=1e-4, atol=1e-5)
        report = session.compare()
        assert report.verdict == "match"
        assert {each.name for each in report.passes} >= session.plan.backward
        taps = session.taps(gradients["w1"], (2, 3))
        assert taps.expected
        assert session.trace(gradients["w1"], (2, 3)).steps


def test_other_gradients_take_the_place_of_earlier_ones(gl: moderngl.Context) -> None:
    with pipeline.open(two_layers(), context=gl) as session:
        session.set_input("x", X)
        session.gradients("y")
        assert set(session.gradients("rectified", ["w1"])) == {"w1"}
        session.run()
        assert session.compare(findings=False).verdict == "match"
        assert "w2.grad" not in session.plan.textures
        assert session.plan.gradients["first"] == "first.grad"


@pytest.mark.parametrize(
    ("of", "wrt", "message"),
    [
        ("z", [], "gradients of 'z' (two_layers): expected a tensor of the graph, got another name."),
        ("first", ["w2"], "got one that does not depend on w2"),
    ],
)
def test_a_refused_gradient_leaves_the_session_as_it_was(
    gl: moderngl.Context, of: str, wrt: list[str], message: str
) -> None:
    with pipeline.open(two_layers(), context=gl) as session:
        before = session.plan
        with pytest.raises(TexelscopeError) as caught:
            session.gradients(of, wrt)
        assert message in str(caught.value)
        assert session.plan is before


def test_shaders_without_a_model_have_no_gradients(gl: moderngl.Context, path: Path, tmp_path: Path, run: Run) -> None:
    wanted = (
        "gradients of 'y': expected a model: gradients are of a model, whose passes the program plans, got "
        "'pipeline.toml', shaders as somebody wrote them. Leave --gradients out, or eject the model with it: its "
        "folder has the backward passes as shaders."
    )
    eject(path, tmp_path / "ejected")
    file = tmp_path / "ejected" / "pipeline.toml"
    with pipeline.open(file, context=gl) as session, pytest.raises(TexelscopeError) as caught:
        session.gradients("y")
    assert str(caught.value) == wanted
    assert wanted in run.refusal("diff", file, "--gradients", "y")
    assert "--wrt w1: expected --gradients TENSOR beside it, got none." in run.refusal("diff", path, "--wrt", "w1")


def test_the_command_line_judges_backward_passes(path: Path, run: Run) -> None:
    assert run("diff", path, "--gradients", "y", "--wrt", "w1") == 0
    assert "w1.grad" in run.out
    assert "w2.grad" not in run.out


def test_an_ejected_backward_shader_is_judged_and_named(
    gl: moderngl.Context, path: Path, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "ejected"
    assert run("eject", path, "--to", folder, "--gradients", "y", "--wrt", "w1", "--wrt", "b1") == 0
    assert 'gradients = "y"\nwrt = ["w1", "b1"]' in (folder / "pipeline.toml").read_text(encoding="utf-8")
    with (
        pipeline.open(folder / "pipeline.toml", context=gl) as session,
        Reloader(session, folder / "pipeline.toml") as reloader,
    ):
        session.run()
        assert session.compare(findings=False).verdict == "match"
        backward = session.plan.backward
        (name,) = [each.name for each in session.plan.passes if each.operator == "Where"]
        assert name in backward
        (shader,) = [each.program.files[0].path for each in session.plan.passes if each.name == name]
        text = (folder / shader).read_text(encoding="utf-8")
        turned = text.replace("!= 0.0", "== 0.0")
        assert turned != text
        (folder / shader).write_text(turned, encoding="utf-8")
        reload = reloader.reload(frozenset({(folder / shader).resolve()}))
        assert not reload.errors
        assert session.plan.backward == backward
        assert session.compare(findings=False).culprit == name


def test_a_pipeline_file_says_of_what_its_gradients_are(gl: moderngl.Context, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ejected"
    eject(path, folder, OpenOptions(gradients="y"))
    file = folder / "pipeline.toml"
    text = file.read_text(encoding="utf-8")
    for change, message in (
        (('gradients = "y"', 'gradients = "z"'), "gradients of 'z'"),
        (('gradients = "y"', 'wrt = ["w1"]'), "wrt: expected 'gradients' beside it"),
        (('gradients = "y"', 'gradients = "y"\nwrt = [""]'), "expected strings that are not empty"),
    ):
        file.write_text(text.replace(*change), encoding="utf-8")
        with pytest.raises(TexelscopeError) as caught:
            pipeline.open(file, context=gl)
        assert message in str(caught.value)
