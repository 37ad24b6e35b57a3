"""Foreign code that closes streams, writes without end or ends the program harms neither streams nor the program."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable

import pytest

from texelscope.pipeline.oracle.contained import MOST_LETTERS, EndingError, contained

HARMFUL: dict[str, Callable[[], object]] = {
    "closes": lambda: sys.stdout.close(),
    "closes the bytes below": lambda: sys.stdout.buffer.close(),
    "detaches": lambda: sys.stdout.detach(),  # type: ignore[union-attr]
    "removes": lambda: setattr(sys, "stdout", None),
    "exchanges": lambda: setattr(sys, "stdout", io.StringIO()),
    "closes standard error": lambda: sys.stderr.close(),
    "closes the file": lambda: os.close(1),
    "exchanges the file": lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 1),
}


@pytest.mark.parametrize("harm", HARMFUL.values(), ids=HARMFUL)
def test_standard_streams_are_as_before(harm: Callable[[], object], capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr, os.fstat(1).st_ino
    with contained():
        harm()
    assert (sys.stdout, sys.stderr, os.fstat(1).st_ino) == before
    sys.stdout.write("the report\n")
    assert capfd.readouterr().out == "the report\n"


def test_what_it_prints_goes_to_standard_error_in_part(capsys: pytest.CaptureFixture[str]) -> None:
    with contained():
        sys.stdout.write("x" * 5_000_000)
        sys.stdout.write("more")
    found = capsys.readouterr()
    assert (found.out, len(found.err), found.err[-4:]) == ("", MOST_LETTERS + 3, "x …\n")


def test_another_thread_prints_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    with contained():
        thread = threading.Thread(target=lambda: sys.stdout.write("of the program\n"))
        thread.start()
        thread.join()
    assert capsys.readouterr().out == "of the program\n"


@pytest.mark.parametrize("name", ["_exit", "abort"])
def test_it_cannot_end_the_program_now_or_later(name: str) -> None:
    before = getattr(os, name)
    with contained():
        kept = getattr(os, name)
    assert getattr(os, name) is before
    with contained(), pytest.raises(EndingError, match=rf"os\.{name}\(\)"):
        kept()


def test_two_threads_leave_the_streams_alone(capsys: pytest.CaptureFixture[str]) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def longer() -> None:
        with contained():
            begun.set()
            go_on.wait(10)

    before, thread = sys.stdout, threading.Thread(target=longer)
    with contained():
        thread.start()
        begun.wait(10)
    go_on.set()
    thread.join()
    with contained():
        pass
    assert sys.stdout is before
    sys.stdout.write("the report\n")
    assert capsys.readouterr().out == "the report\n"
