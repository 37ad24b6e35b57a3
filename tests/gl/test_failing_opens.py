"""Opens that fail leave nothing behind: no memory, no GL object, no file descriptor, no thread."""

from __future__ import annotations

import ctypes
import tempfile
from functools import partial
from pathlib import Path

import moderngl
import pytest

from tests.events.files import bad_files, good_files
from tests.events.kept import kept_by, opens_in_python, opens_in_window
from tests.gl.watched_contexts import WatchedContexts, make_current
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.shell.probe import gl_objects

# `make events` opens a thousand.
OPENS = 120
LIBRARY = ctypes.CDLL("libGL.so.1")
SETTLED = 1000.0


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("good")
    return next(path for path in good_files(folder) if path.name == "good.onnx")


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return bad_files(tmp_path_factory.mktemp("bad"))


def test_in_python_they_leave_nothing(good: Path, bad: list[Path], watched_contexts: WatchedContexts) -> None:
    assert opens_in_python(good) == ""
    alive = watched_contexts.alive
    assert kept_by(opens_in_python, bad, OPENS) == []
    assert watched_contexts.alive == alive
    assert [path.name for path in bad if not opens_in_python(path)] == []


def test_in_the_window_they_leave_nothing(
    gl: moderngl.Context, good: Path, bad: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # bundles are unpacked there
    make_current(gl)
    log = MessageLog()
    document = Document(gl, log, lambda: None)
    opens_in_window(document, good)
    session, target = document.session, document.target
    document.run.advance(SETTLED)
    objects = gl_objects(LIBRARY)
    try:
        assert session is not None
        assert kept_by(partial(opens_in_window, document), bad, OPENS) == []
        assert document.session is session
        assert document.target == target
        assert gl_objects(LIBRARY) == objects
        assert list(tmp_path.iterdir()) == []
        assert {entry.level for entry in log.entries[-OPENS:]} == {"error"}
    finally:
        document.close()
