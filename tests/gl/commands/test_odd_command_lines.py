"""Some of `make commandlines` and of `make kills`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.command_lines.lines import ASCII, CUT, MODEL, Line, drawn, scratch
from tests.command_lines.running import answered

# Refused before anything is opened, or surrounded in ways that no other test tries.
REFUSED = [line for line in drawn(seed=1) if line.words[0] in ("list", "eject", "extract", "probe")][::7]
SURROUNDED = [
    Line(("diff", "a\udcff.onnx", "--html", "é.html"), environment={**ASCII, "PYTHONIOENCODING": "ascii"}),
    Line(("eject", CUT, "--to", "to"), python=("-OO",)),
    Line((MODEL,), environment={"DISPLAY": ":99999"}),
    Line(("list",), "mkdir gone && cd gone && rmdir ../gone && {}", {"HOME": None}),
]


def test_odd_options_are_answered_in_a_line(tmp_path: Path) -> None:
    assert len(REFUSED) > 20
    scratch(tmp_path)
    answers = [answered(line, tmp_path) for line in REFUSED]
    assert [(each.line.words, each.said, each.problems) for each in answers if each.problems] == []
    assert {each.code for each in answers} <= {0, 2}


@pytest.mark.parametrize("line", SURROUNDED)
def test_odd_surroundings_are_answered_in_a_line(tmp_path: Path, line: Line) -> None:
    scratch(tmp_path)
    answer = answered(line, tmp_path)
    assert answer.problems == [], answer.said
    if line.words[0] == "list":
        assert answer.said.startswith("texelscope: the current folder: expected one that exists, got a deleted or")
    if line.words[0] == MODEL:
        got = "got DISPLAY=:99999, which does not respond. Set DISPLAY to a running display, or unset it"
        assert f"texelscope: window: expected a display, {got}" in answer.said
    if line.words[0] == "diff":
        assert answer.code == 0
        assert (tmp_path / "é.html").read_text().rstrip().endswith("</html>")
    assert (tmp_path / MODEL).is_file()


def test_kills_leave_nothing_half_written() -> None:
    words = ["-m", "tests.kills", "--count", "6", "--seed", "1", "--only", "settings,shader"]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 kills, 0 torn" in done.stdout
