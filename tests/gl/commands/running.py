"""The command line in this process."""

from __future__ import annotations

import pytest

from texelscope import command_line
from texelscope.pipeline.commands.diff import FAILED


class Run:
    """Runs the program in this process; keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, *words: object) -> int:
        self._capsys.readouterr()
        code = command_line.main([str(word) for word in words])
        self.out, self.err = self._capsys.readouterr()
        return code

    def refusal(self, *words: object) -> str:
        """The one line with which it refuses."""
        assert self(*words) == FAILED
        assert self.out == ""
        assert self.err.startswith("texelscope: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line, as a test calls it."""
    return Run(capsys)
