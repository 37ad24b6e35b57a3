"""Runs a line and judges it: the exit code, what stands on standard error, what was written."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT
from tests.command_lines.lines import Line
from texelscope.command_line import main

CODES = frozenset({0, 1, 2, 129, 130, 141, 143})
MOST_LETTERS = 500
SECONDS = 60.0


@dataclass(frozen=True)
class Answer:
    """Holds the result of a line."""

    line: Line
    code: int
    said: str

    @property
    def problems(self) -> list[str]:
        """Returns the problems of an answer; nothing for a good one."""
        found = []
        if self.code not in CODES:
            found.append(f"exit code {self.code}")
        if "Traceback" in self.said or "Exception ignored" in self.said:
            found.append("a traceback")
        lines = self.said.splitlines()
        errors = [line for line in lines if "expected " in line or line.endswith("--help'.")]
        if self.code == 2 and self.line.around == "{}" and len(errors) != 1:
            found.append(f"{len(errors)} errors on standard error")
        if any(len(line) > MOST_LETTERS for line in lines):
            found.append(f"a line of {max(map(len, lines))} letters")
        if not self.said.replace("\n", "").isprintable():
            found.append("control characters on standard error")
        return found


def answered(line: Line, folder: Path) -> Answer:
    """Runs it with `folder`, which is scratch, for the present one."""
    return _in_process(line, folder) if line.needs_process else _here(line, folder)


def _here(line: Line, folder: Path) -> Answer:
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            code = main(list(line.words))
        except BaseException as error:  # noqa: BLE001 - nothing may come out of it
            err.write(f"Traceback: {type(error).__name__}: {error}\n")
            code = 1
    return Answer(line, code, err.getvalue())


def _in_process(line: Line, folder: Path) -> Answer:
    command = [sys.executable, *line.python, str(ROOT / "app.py"), *line.words]
    shown = " ".join(shlex.quote(word) for word in command)
    environment: dict[str, str] = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    environment.pop("DISPLAY", None)
    for name, value in line.environment.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {line.around.format(shown)}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=SECONDS,
        check=False,
    )
    return Answer(line, done.returncode, done.stderr.decode("utf-8", "backslashreplace"))
