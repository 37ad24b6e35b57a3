"""Tests an unforeseen fault: one line, exit code 3, and a file with all of it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gl.commands.running import Run
from tests.plugin_folders import added_to
from texelscope import commands
from texelscope.ending import CLOSED_PIPE, FAULT, threads_tell
from texelscope.pipeline.crash_report.fault_log import MOST_FILES, fault, write_fault

ADD = 'HELP = "plants a fault"\ndef add(parser): parser.add_argument("--lots")\n'
LINE = (
    r"texelscope: this command: expected no fault of this program, got (.*)\. All of it is in (.*); please report.*\n"
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder of logs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "texelscope"


def planted(run: Run, tmp_path: Path, body: str, *words: str) -> int:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    with added_to(commands, tmp_path / "added", {"planted": f"{ADD}def run(options):\n{lines}\n"}):
        return run("planted", *words)


def test_a_command_with_a_fault_says_it_in_a_line_and_writes_all_of_it(run: Run, tmp_path: Path, state: Path) -> None:
    with_context = "from texelscope.pipeline.gl.context import headless_context\nheadless_context().release()\n"
    body = f"{with_context}raise ValueError('planted')"
    assert planted(run, tmp_path, body) == FAULT
    said = re.fullmatch(LINE, run.err)
    assert said is not None
    assert said[1] == "ValueError: planted"
    log = Path(said[2])
    assert log.parent == state
    text = log.read_text()
    assert "Traceback (most recent call last):" in text
    assert "planted.py" in text
    assert all(f"\n{name}: " in text for name in ("Texelscope", "Python", "numpy", "onnx", "moderngl", "Command line"))
    assert "texelscope.driver: driver: DeviceInfo(renderer='llvmpipe" in text


def test_debug_shows_the_traceback_too(run: Run, tmp_path: Path) -> None:
    assert planted(run, tmp_path, "raise ValueError('planted')", "--debug") == FAULT
    assert "Traceback (most recent call last):" in run.err
    assert re.fullmatch(LINE, run.err.splitlines(keepends=True)[-1])


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ("raise OSError(5, 'disk on fire')", r"OSError: \[Errno 5\] disk on fire"),
        (
            "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd",
            "Odd: an exception without a text",
        ),
        ("raise ValueError('a\\nb' * 999)", "ValueError: a ba ba.*"),
        ("def deep(): deep()\ndeep()", "RecursionError: maximum recursion depth exceeded.*"),
    ],
)
def test_whatever_it_is_it_is_one_line(run: Run, tmp_path: Path, body: str, got: str) -> None:
    assert planted(run, tmp_path, body) == FAULT
    assert re.match(f"texelscope: this command: expected no fault of this program, got {got}", run.err)
    assert run.err.count("\n") == 1
    assert len(run.err) <= 500


def test_a_fault_in_a_thread_is_a_line(run: Run, tmp_path: Path) -> None:
    body = "import threading\ndef fail(): raise ValueError('planted')\nthread = threading.Thread(target=fail)\n"
    assert planted(run, tmp_path, f"{body}thread.start()\nthread.join()\nreturn 0") == 0
    assert (
        "texelscope: a thread of this command: expected no fault of this program, got ValueError: planted." in run.err
    )
    assert "Traceback" not in run.err
    before = threading.excepthook
    with threads_tell():
        assert threading.excepthook is not before
    assert threading.excepthook is before


def test_only_the_newest_are_kept(state: Path) -> None:
    paths = [write_fault("a", ValueError(str(number))) for number in range(MOST_FILES + 3)]
    assert sorted(state.iterdir()) == paths[3:]


def test_without_a_place_to_write_to_debug_is_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    line = "a: expected no fault of this program, got KeyError: 'b'. --debug shows all of it."
    assert fault("a", KeyError("b")) == line
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", lambda: Path("/").joinpath("dev", "null"))
    assert fault("a", KeyError("b")) == line


def test_a_pipe_that_nobody_reads_and_a_full_disk_and_signals_have_their_codes(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(
        ADD + "def run(options):\n    import os, sys, signal, time\n    print('x' * int(options.lots), flush=True)\n"
        "    time.sleep(30 * (options.lots == '1'))\n    return 0\n"
    )
    start = [
        sys.executable,
        "-c",
        "import sys; from texelscope import commands, command_line\n"
        f"commands.__path__.append({str(tmp_path)!r}); sys.exit(command_line.main())",
        "planted",
        "--lots",
    ]

    def started(lots: int, **streams: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*start, str(lots)], cwd=ROOT, stderr=subprocess.PIPE, **streams)  # type: ignore[call-overload, no-any-return]

    with Path("/dev/full").open("wb") as full:
        running = [started(9, stdout=full), started(99_999, stdout=subprocess.PIPE)]
        running += [started(1, stdout=subprocess.PIPE) for _ in range(3)]
    assert running[1].stdout is not None
    running[1].stdout.close()
    for each, number in zip(running[2:], (signal.SIGTERM, signal.SIGHUP, signal.SIGINT), strict=True):
        assert each.stdout is not None
        assert each.stdout.readline() == b"x\n"
        each.send_signal(number)
    said = [each.communicate()[1].decode() for each in running]
    assert [each.returncode for each in running] == [2, CLOSED_PIPE, 143, 129, 130]
    got = "expected a writable stream, got No space left on device. Write to a file."
    assert said == [f"texelscope: standard output: {got}\n", "", "", "", ""]
