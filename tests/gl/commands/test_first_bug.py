"""docs/first-bug.md at a terminal; `make windows` walks the page in the window."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.first_bug import block, line_of
from texelscope import command_line


def test_a_terminal_prints_what_the_page_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, copy = block("sh").split()[2:]
    shutil.copytree(ROOT / source, tmp_path / copy)
    monkeypatch.chdir(tmp_path)
    assert command_line.main(["diff", "first-bug/broken.toml", "--diagnose", "down1"]) == 1
    assert block("text") in capsys.readouterr().out


def test_the_line_of_the_page_stands_in_the_example_where_it_says() -> None:
    source = ROOT / block("sh").split()[2]
    lines = (source / "down1.frag").read_text(encoding="utf-8").split("\n")
    assert [number for number, line in enumerate(lines, 1) if line == line_of("-")] == [36]
