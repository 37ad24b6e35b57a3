"""A command with a time: another process does it, and is ended with a line where it cannot end itself."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from tests.child_processes import children
from texelscope import in_time
from texelscope.in_time import run_in_time

_WORDS = ["diff", "a.onnx", "--timeout", "0.2"]


def _doing(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-I", "-S", "-c", code])
    monkeypatch.setattr(in_time, "GRACE_SECONDS", 0.2)


def test_a_command_that_hangs_is_ended_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    earlier = children()
    _doing(monkeypatch, "import time; time.sleep(60)")
    assert run_in_time(_WORDS) == 2
    told = (
        "texelscope: diff: expected to be done in time, got more than 0.2 s. Give it longer with --timeout SECONDS.\n"
    )
    assert capfd.readouterr().err == told
    assert children() <= earlier


def test_its_exit_code_is_that_of_the_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(in_time, "GRACE_SECONDS", 20.0)
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-I", "-S", "-c", "raise SystemExit(1)"])
    assert run_in_time(_WORDS) == 1
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-I", "-S", "-c", "import os; os.kill(os.getpid(), 11)"])
    assert run_in_time(["diff", "--timeout=5"]) == 2
    told = "texelscope: diff: expected a command that finishes, got one ended by SIGSEGV. Try --backend"
    assert capfd.readouterr().err == f"{told} fragment.\n"


@pytest.mark.parametrize(
    "words",
    [
        ["diff", "a.onnx"],
        ["diff", "--timeout"],
        ["diff", "--timeout", "long"],
        ["diff", "--timeout", "-1"],
        ["diff", "--timeout", "inf"],
        ["window", "--timeout", "5"],
        ["a.onnx", "--timeout", "5"],
        ["--timeout", "5"],
    ],
)
def test_others_run_where_they_are(words: list[str]) -> None:
    assert run_in_time(words) is None


def test_the_process_itself_makes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXELSCOPE_IN_TIME", "1")
    assert run_in_time(_WORDS) is None
    assert "TEXELSCOPE_IN_TIME" not in os.environ  # a process that it starts may be timed itself


def test_what_ends_the_command_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = children()
    _doing(monkeypatch, "import os, signal, time; os.kill(os.getppid(), signal.SIGUSR1); time.sleep(60)")
    monkeypatch.setattr(in_time, "GRACE_SECONDS", 30.0)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_in_time(_WORDS)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert children() <= earlier
