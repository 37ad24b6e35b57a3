"""Tests how far the open target runs, and how a save changes a run that is under way."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import onnx
import pytest
from PIL import Image

from tests.checkout import ROOT
from tests.gl.test_control_flow import by_its_mean
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.target import Target
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job
from texelscope.viewer.document.log import MessageLog

EXAMPLE = ROOT / "examples" / "webgl_cnn"
PASSES = 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "cnn"))


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


def opened_on(gl: moderngl.Context, path: Path, log: MessageLog) -> Document:
    """Returns that file, opened and run."""
    opened = Document(gl, log, lambda: None)
    opened.open(Target(str(path)))
    end = time.monotonic() + 30.0
    while opened.session is None and time.monotonic() < end:
        opened.update()
        time.sleep(0.01)
    finish(opened)
    return opened


@pytest.fixture
def document(gl: moderngl.Context, folder: Path, log: MessageLog) -> Iterator[Document]:
    """Returns the example, opened and run."""
    opened = opened_on(gl, folder / "fixed.toml", log)
    yield opened
    opened.close()


def test_the_time_of_a_run_goes_with_its_session(document: Document) -> None:
    assert document.run.milliseconds is not None
    document.close_session()
    assert document.run.milliseconds is None


def finish(document: Document) -> None:
    while document.run.is_under_way:
        document.run.advance(1000.0)


def test_everything_runs_once_it_is_opened(document: Document) -> None:
    assert document.run.position == PASSES


def test_a_save_in_the_middle_of_a_run_does_not_cut_it_short(document: Document, folder: Path) -> None:
    document.run.everything()
    document.run.advance(0.0)  # one pass
    assert 0 < document.run.position < PASSES
    shader = folder / "down.frag"
    shader.write_text(shader.read_text(encoding="utf-8") + "// saved", encoding="utf-8")
    document.reload()
    finish(document)
    assert document.run.position == PASSES


def test_what_a_save_shows_comes_first_and_alone(document: Document, folder: Path) -> None:
    shader = folder / "up.frag"  # of the last three passes
    shader.write_text(
        shader.read_text(encoding="utf-8").replace("float sum = ", "float sum = 1.0 + "), encoding="utf-8"
    )
    document.reload()
    assert document.run.advance(1000.0)
    assert document.session is not None
    assert [document.session.has_run(each.name) for each in document.passes] == [*[True] * 4, False, False]
    assert document.run.advance(1000.0)
    assert not document.run.is_under_way
    assert all(document.session.has_run(each.name) for each in document.passes)


def test_an_error_of_three_passes_with_one_shader_is_said_once(
    document: Document, folder: Path, log: MessageLog
) -> None:
    shader = folder / "up.frag"
    shader.write_text(shader.read_text(encoding="utf-8").replace("vec2 st", "vec7 st"), encoding="utf-8")
    document.reload()
    errors = [entry.text for entry in log.entries if entry.level == "error"]
    assert [error.partition(":")[0] for error in errors] == ["up.frag"]
    assert document.session is not None
    assert all(document.session.shader_error(name) for name in ("up1", "up2", "up3"))


def test_a_save_ends_the_comparison_that_it_puts_out_of_date(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = threading.Event()

    def endless(*arguments: object) -> Comparison:
        job = arguments[-1]
        assert isinstance(job, Job)
        began.set()
        assert job.cancel.wait(30.0)
        raise CancelledError

    monkeypatch.setattr("texelscope.viewer.document.comparing.compare", endless)
    document.run.everything()
    finish(document)
    document.update()
    assert began.wait(10.0)
    assert not document.settled
    document.reload()
    end = time.monotonic() + 10.0
    while document.job is not None and time.monotonic() < end:
        document.run.up_to(0)  # so that no other comparison begins
        document.update()
        time.sleep(0.01)
    assert document.job is None


def test_a_save_runs_nothing_that_waits_for_a_step(document: Document) -> None:
    document.run.back()
    document.run.back()
    document.reload()
    finish(document)
    assert document.run.position == PASSES - 2


def test_running_to_a_pass_ends_there(document: Document) -> None:
    document.run.up_to(1)
    finish(document)
    assert document.run.position == 2
    assert document.session is not None
    assert [document.session.has_run(each.name) for each in document.passes] == [True, True, *[False] * 4]


def test_stopping_leaves_it_where_it_is(document: Document) -> None:
    document.run.everything()
    document.run.advance(0.0)
    position = document.run.position
    document.run.stop()
    assert not document.run.is_under_way
    assert document.run.position == position


def warnings(log: MessageLog) -> list[str]:
    return [entry.text for entry in log.entries if entry.level == "warning"]


def test_a_sampler_that_a_save_leaves_without_a_precision_is_warned_of_once(
    document: Document, folder: Path, log: MessageLog
) -> None:
    assert warnings(log) == []
    shader = folder / "down.frag"
    text = shader.read_text(encoding="utf-8")
    for note in ("", "// once more"):
        shader.write_text(text.replace("precision highp sampler2D;", "") + note, encoding="utf-8")
        document.reload()
        finish(document)
    assert len(warnings(log)) == 1
    assert "a sampler is lowp in GLSL ES unless declared otherwise" in warnings(log)[0]


def test_what_is_opened_comes_with_its_warnings(document: Document, log: MessageLog) -> None:
    document.open(Target(str(EXAMPLE / "as_written.toml")))
    end = time.monotonic() + 30.0
    while not warnings(log) and time.monotonic() < end:
        document.update()
        time.sleep(0.01)
    assert [text.partition(":")[0] for text in warnings(log)] == ["as_written_down.frag", "as_written_up.frag"]


def test_an_input_that_takes_another_branch_is_planned_for_and_the_log_says_so(
    gl: moderngl.Context, tmp_path: Path, log: MessageLog
) -> None:
    onnx.save(by_its_mean(), tmp_path / "m.onnx")
    document = opened_on(gl, tmp_path / "m.onnx", log)
    try:
        for source, layer in (("zeros", "double"), ("ones", "exponential")):
            assert document.set_input("x", source)
            finish(document)
            names = [each.name for each in document.passes]
            assert (names[-2:], document.run.position) == ([layer, "choice/y"], len(names))
        assert "Planned again for these values: 4 passes." in [each.text for each in log.entries]
    finally:
        document.close()


def test_an_input_as_large_as_its_picture_becomes_so_again(
    gl: moderngl.Context, tmp_path: Path, log: MessageLog
) -> None:
    (tmp_path / "x.glsl").write_text("//!HOOK MAIN\nvec4 hook() { return vec4(0.5); }\n", encoding="utf-8")
    document = opened_on(gl, tmp_path / "x.glsl", log)
    try:
        for name, size in (("wide", (9, 4)), ("tall", (3, 7))):
            Image.new("RGB", size).save(tmp_path / f"{name}.png")
            before = document.session
            assert document.set_input("MAIN", str(tmp_path / f"{name}.png"))
            end = time.monotonic() + 30.0
            while document.session is before and time.monotonic() < end:
                document.update()
                time.sleep(0.01)
            assert document.session is not None
            assert document.session.plan.textures["MAIN"].shape == (1, 3, size[1], size[0])
    finally:
        document.close()
