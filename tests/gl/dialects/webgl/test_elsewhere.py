"""Tests recordings of WebGL elsewhere: saved shaders, bundles, the command line; and what refuses them."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import model, node, value
from tests.webgl_recordings import SUM, two_draws
from texelscope import pipeline
from texelscope.command_line import main
from texelscope.pipeline.dialects.webgl.kinds import MANIFEST, is_webgl_recording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import pack, unpack
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.opening import all_inputs
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import Target


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the recording."""
    return two_draws().write(tmp_path / "recording")


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """Returns a model whose second tensor the second draw holds."""
    nodes = [node("Conv", "x w", "c", kernel_shape=[1, 2], pads=[0, 1, 0, 0], group=4), node("Relu", "c", "y")]
    made = model(
        nodes, [value("x", (1, 4, 4, 6))], [value("y", (1, 4, 4, 6))], weights={"w": np.ones((4, 1, 1, 2), np.float32)}
    )
    path = tmp_path / "sum.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def test_a_saved_shader_runs_from_its_draw_on(gl: moderngl.Context, folder: Path) -> None:
    shader = folder / "programs" / "000.frag"
    with pipeline.open(folder, context=gl) as session, Reloader(session, folder) as reloader:
        session.run()
        shader.write_text(SUM.replace("+ left", "+ missing"))
        (error,) = reloader.reload(frozenset({shader})).errors
        assert str(error).startswith("programs/000.frag:9: expected a shader that compiles")
        shader.write_text(SUM.replace("+ left", "- left"))
        assert reloader.reload(frozenset({shader})).passes == ("draw0", "draw1")
        assert session.compare().culprit == "draw0"


def test_a_bundle_has_all_of_it(tmp_path: Path, folder: Path) -> None:
    target, plan = Target(str(folder)), pipeline.plan_of(folder)
    pack(tmp_path / "bundle", target, plan, all_inputs(plan, target), {})
    (tmp_path / "elsewhere").mkdir()
    bundle = unpack(tmp_path / "bundle", tmp_path / "elsewhere")
    assert [each.name for each in pipeline.plan_of(bundle.target.path).passes] == [each.name for each in plan.passes]


def test_a_recording_is_known_by_its_manifest(tmp_path: Path, folder: Path) -> None:
    assert is_webgl_recording(folder)
    assert is_webgl_recording(folder / MANIFEST)
    assert not is_webgl_recording(folder / "programs")
    (tmp_path / "broken.webgl.zip").write_bytes(b"none")
    with pytest.raises(TexelscopeError, match=r"broken\.webgl\.zip: expected a readable zip archive, got"):
        pipeline.plan_of(tmp_path / "broken.webgl.zip")


def test_what_a_recording_says_itself_is_not_asked_for(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(
        TexelscopeError, match=r"--shape x: expected a model, got 'recording', a recording of one run\."
    ):
        pipeline.plan_of(folder, shapes={"x": (1,)})
    with pytest.raises(TexelscopeError, match=r"expected a model, .*, got a pipeline of a person's own shaders\."):
        eject(str(folder), tmp_path / "ejected")


def test_draft_writes_the_table_that_oracle_opens(
    tmp_path: Path, folder: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "guess" / "draws.toml"
    assert main(["draft", str(folder), "--model", str(model_file), "--to", str(table.parent)]) == 0
    assert capsys.readouterr().out == f"{table}: 1 of 2 passes hold a tensor of the model.\n"
    assert main(["diff", str(folder), "--oracle", str(table)]) == 0
    assert "Conv+Relu" in capsys.readouterr().out
    assert main(["draft", str(folder), "--to", str(tmp_path / "other")]) == 2
    assert capsys.readouterr().err == (
        "texelscope: draft recording: expected --model MODEL beside a recording, whose passes it explains, got none. "
        "Name it.\n"
    )
