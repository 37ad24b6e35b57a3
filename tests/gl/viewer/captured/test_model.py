"""A capture beside the open session: read, judged and diagnosed in a thread; a broken one is a line of the log."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.viewer.captured.model import OtherDevice
from texelscope.viewer.document.log import MessageLog

SECONDS = 40.0


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    with pipeline.open(one_convolution(), context=gl) as opened:
        opened.set_input("image", np.random.default_rng(3).random((1, 3, 8, 8), dtype=np.float32))
        opened.run()
        yield opened


@pytest.fixture
def other() -> Iterator[OtherDevice]:
    made = OtherDevice(lambda: None)
    yield made
    made.close()


def dump(folder: Path, session: DebugSession, *, factor: float = 1.0) -> Path:
    """Makes a capture of a device that multiplies the convolution's result."""
    (session.texels("conv1") * np.float32(factor)).tofile(folder / "conv1.f32")
    entry = {"name": "conv1", "file": "conv1.f32", "type": "float32"}
    manifest = {"version": 1, "device": {"renderer": "Mali-G72"}, "tensors": [entry]}
    (folder / "capture.json").write_text(json.dumps(manifest))
    return folder


def wait(other: OtherDevice, session: DebugSession, log: MessageLog, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        other.update(session, log)
        time.sleep(0.01)


def test_it_is_judged_on_the_inputs_of_the_session_and_then_diagnosed(
    session: DebugSession, other: OtherDevice, log: MessageLog, tmp_path: Path
) -> None:
    other.open(dump(tmp_path, session, factor=3.0))
    wait(other, session, log, lambda: other.newest is not None)
    report = other.report_of(session, "conv1")
    assert report is not None
    assert (report.verdict, other.newest is not None and other.newest.renderer) == ("mismatch", "Mali-G72")
    assert "Captured on Mali-G72: 0 of 1 captured passes match." in [entry.text for entry in log.entries]
    wait(other, session, log, lambda: other.newest is not None and other.newest.is_diagnosed)
    found = other.report_of(session, "conv1")
    assert found is not None
    assert [each.cause for each in found.findings][:1] == ["scale"]
    assert other.job is None


def test_its_texels_and_what_was_not_captured(
    session: DebugSession, other: OtherDevice, log: MessageLog, tmp_path: Path
) -> None:
    other.open(dump(tmp_path, session))
    wait(other, session, log, lambda: other.newest is not None)
    shown = other.shown_beside(session)
    assert shown is not None
    assert np.array_equal(shown.texels("conv1"), session.texels("conv1"))
    assert shown.stored("relu1") is None
    other.close_capture()
    assert other.shown_beside(session) is None


def test_it_goes_with_the_session_that_it_stood_beside(
    gl: moderngl.Context, session: DebugSession, other: OtherDevice, log: MessageLog, tmp_path: Path
) -> None:
    other.open(dump(tmp_path, session))
    wait(other, session, log, lambda: other.newest is not None)
    with pipeline.open(one_convolution(), context=gl) as another:
        assert other.shown_beside(another) is None
        other.update(another, log)
        assert other.newest is None
    assert log.entries[-1].text == "The capture was closed together with the target that it was opened beside."


def test_one_that_is_closed_on_the_way_is_not_heard_of(
    session: DebugSession, other: OtherDevice, log: MessageLog, tmp_path: Path
) -> None:
    other.open(dump(tmp_path, session, factor=3.0))
    wait(other, session, log, lambda: other.newest is not None)
    other.close_capture()
    assert other.job is None
    other.close()  # waits for the thread, which has ended its work
    other.update(session, log)
    assert other.newest is None
    assert [entry.level for entry in log.entries if entry.level == "error"] == []


def test_one_that_is_broken_is_an_error_of_the_log(
    session: DebugSession, other: OtherDevice, log: MessageLog, tmp_path: Path
) -> None:
    (tmp_path / "capture.json").write_text("{")
    other.open(tmp_path)
    wait(other, session, log, lambda: bool(log.entries))
    assert log.entries[-1].level == "error"
    assert log.entries[-1].text.startswith("capture.json: expected JSON, got ")
    assert other.shown_beside(session) is None
