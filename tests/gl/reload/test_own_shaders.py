"""The program's own shaders, of operators and of forms: a save is on screen, a broken one leaves the last good one."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.reload.test_reloader import save
from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

IMAGE = np.random.default_rng(3).standard_normal((1, 3, 8, 8)).astype(np.float32)
# Layout, file, what is in it, and what makes all of its results wrong.
SHADERS = [
    ("channel_tiles", "operators/conv.glsl", "float sum = 0.0;", "float sum = 9.0;"),
    ("channel_tiles_rgba", "operators/conv.channel_tiles_rgba.glsl", "sum = vec4(0.0);", "sum = vec4(9.0);"),
    ("channel_tiles_rgba", "lowerings/window_sum.glsl", "sum[k] = vec4(0.0);", "sum[k] = vec4(9.0);"),
]
each_shader = pytest.mark.parametrize(
    ("layout", "file", "old", "new"), SHADERS, ids=[file for _, file, _, _ in SHADERS]
)


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a copy of the program's shaders, in their place."""
    copied = tmp_path / "shaders"
    shutil.copytree(SHADER_FOLDER, copied)
    monkeypatch.setattr("texelscope.pipeline.glsl.assemble.SHADER_FOLDER", copied)
    return copied


@contextmanager
def on_screen(gl: moderngl.Context, folder: Path, layout: str) -> Iterator[tuple[DebugSession, Reloader]]:
    """A convolution and a Relu that have run, and what keeps them up with their files."""
    model = folder / "model.onnx"
    onnx.save(one_convolution(), model)
    with (
        pipeline.open(model, layout=layout, context=gl) as session,
        Reloader(session, model, OpenOptions(layout=layout)) as reloader,
    ):
        session.set_input("image", IMAGE)
        session.run()
        yield session, reloader


@each_shader
def test_a_save_runs_at_once_and_so_does_taking_it_back(
    gl: moderngl.Context, tmp_path: Path, shaders: Path, layout: str, file: str, old: str, new: str
) -> None:
    text = (shaders / file).read_text(encoding="utf-8")
    with on_screen(gl, tmp_path, layout) as (session, reloader):
        reload = save(reloader, shaders / file, text.replace(old, new))
        assert (reload.passes, reload.errors) == (("conv1", "relu1"), ())
        assert session.compare(findings=False).culprit == "conv1"
        save(reloader, shaders / file, text)
        assert session.compare(findings=False).verdict == "match"


@each_shader
def test_one_that_the_driver_refuses_leaves_the_last_good_version_running(
    gl: moderngl.Context, tmp_path: Path, shaders: Path, layout: str, file: str, old: str, new: str
) -> None:
    text = (shaders / file).read_text(encoding="utf-8")
    with on_screen(gl, tmp_path, layout) as (session, reloader):
        right = session.tensor("relu1")
        (error,) = save(reloader, shaders / file, text.replace(old, f"{old} nonsense = 1.0;")).errors
        line = text[: text.index(old)].count("\n") + 1
        assert str(error).startswith(f"shaders/{file}:{line}: expected a shader that compiles, got ")
        assert "nonsense" in str(error)
        session.run()
        assert np.array_equal(session.tensor("relu1"), right)
        reload = save(reloader, shaders / file, text.replace(old, new))
        assert (reload.passes, reload.errors) == (("conv1", "relu1"), ())
        assert session.shader_errors == {}
        assert session.compare(findings=False).culprit == "conv1"


def test_another_size_is_no_edit_so_that_a_form_stays(gl: moderngl.Context) -> None:
    with pipeline.open(one_convolution(), context=gl) as session:
        session.run()
        session.adopt(pipeline.plan_of(one_convolution(side=11), limits=limits_of(gl)))
        session.set_input("image", np.ones((1, 3, 11, 11), np.float32))
        session.run()
        assert session.form("conv1") is not None
        assert session.compare(findings=False).verdict == "match"


def test_a_form_that_the_driver_refuses_from_the_start_leaves_the_pass_as_it_is(
    gl: moderngl.Context, shaders: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = shaders / "lowerings" / "window_sum.glsl"
    file.write_text(file.read_text(encoding="utf-8").replace("vec4 sum[", "nonsense sum["), encoding="utf-8")
    for run in (DebugSession.run, DebugSession.run_fused):
        caplog.clear()
        with pipeline.open(one_convolution(), context=gl) as session, caplog.at_level(logging.WARNING):
            session.set_input("image", IMAGE)
            run(session)
            (record,) = caplog.records
            begin = r"shaders/lowerings/window_sum\.glsl:\d+: expected .*, got .* "
            message = begin + r"These run without it from now on: 'conv1'.*\."
            assert re.fullmatch(message, record.getMessage())
            assert session.shader_errors == {}
            assert session.compare(findings=False).verdict == "match"
