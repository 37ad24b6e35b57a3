"""`watch`: a round after each save, whatever is saved, and an end without a trace."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gl.patches.test_patch import SHADER, folder
from texelscope.pipeline.commands.watch import WatchRound, screen, watched
from texelscope.pipeline.target import Target

WRONG = SHADER.replace("x * alpha", "x / alpha")
SECONDS = 60


@pytest.fixture
def leaks(tmp_path: Path) -> Path:
    return folder(tmp_path / "leaks", WRONG.encode())


def told(found: WatchRound) -> str:
    return screen(found, "pipeline.toml", None, None)


def test_each_save_is_a_round_and_what_cannot_run_is_said_until_it_can(leaks: Path) -> None:
    file, shader = leaks / "pipeline.toml", leaks / "leak.frag"
    good = file.read_text()
    with closing(watched(Target(str(file)), 0.0)) as rounds:
        first = next(rounds)
        assert first.report is not None
        assert (first.report.culprit, first.changed, first.is_searching) == ("a", (), False)
        assert told(first).endswith("First wrong pass: a\n  It was not diagnosed.")
        shader.write_text(SHADER)
        second = next(rounds)
        assert second.changed == (shader,)
        assert "leak.frag saved" in told(second)
        assert told(second).endswith("● 2 match of 2")
        shader.write_text(SHADER.replace("* alpha", "* alhpa"))
        said = told(next(rounds))
        assert "! 2 error of 2\n! a, b: leak.frag:8: expected a shader that compiles" in said
        assert "alhpa" in said
        file.write_text(good.replace("leak.frag", "lick.frag"))
        said = told(next(rounds))
        assert "Did you mean 'leak.frag'?" in said
        assert said.endswith("Save a file to try again.")
        shader.write_text(SHADER)
        assert next(rounds).report is None, "the file still names a shader that is not there"
        file.write_text(good)
        assert told(next(rounds)).endswith("● 2 match of 2")


def test_a_target_that_is_not_there_yet_is_waited_for(leaks: Path) -> None:
    file = leaks / "pipeline.toml"
    text = file.read_text()
    file.unlink()
    with closing(watched(Target(str(file)), 0.0)) as rounds:
        assert "expected a pipeline file, got no such file" in told(next(rounds))
        threading.Timer(1.0, file.write_text, (text,)).start()
        assert "✗ 2 mismatch of 2" in told(next(rounds))


def test_the_cause_follows_and_a_save_ends_the_search_for_it(leaks: Path) -> None:
    with closing(watched(Target(str(leaks / "pipeline.toml")), SECONDS)) as rounds:
        first = next(rounds)
        assert first.is_searching
        assert told(first).endswith("First wrong pass: a\n  Looking for the cause …")
        second = next(rounds)
        assert "leak.frag:8" in told(second)
        assert not second.is_searching
        (leaks / "leak.frag").write_text(WRONG.replace("x / alpha", "x + alpha"))
        assert next(rounds).is_searching
        (leaks / "leak.frag").write_text(SHADER)
        found = next(rounds)
        assert found.report is not None
        assert found.report.verdict == "match"


def test_in_a_terminal_a_round_has_one_screen_and_ctrl_c_ends_it(leaks: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "app.py"), "watch", "pipeline.toml", "--diagnose-seconds", "0"]
    surroundings = {**os.environ, "LINES": "12", "COLUMNS": "90"}
    process = subprocess.Popen(
        command, cwd=leaks, env=surroundings, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        seen = b""
        while b"First wrong pass: a" not in seen:
            seen += os.read(ours, 4096)
        (leaks / "leak.frag").write_text(SHADER)
        while b"2 match of 2" not in seen:
            seen += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    finally:
        process.kill()
        os.close(ours)
    nothing, *screens = seen.decode().split("\x1b[2J\x1b[H")
    assert nothing == ""
    assert len(screens) == 2
    assert all(each.count("\n") <= 12 for each in screens)
    assert "Traceback" not in seen.decode()
