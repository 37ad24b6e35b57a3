"""Unified diffs of edits: `patch` and `git apply` make of the author's file what the edits say, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, edited, unified

PLAIN = "".join(f"line {number}\n" for number in range(1, 21))


def edit(line: int, before: str | None, after: str | None, file: str = "a.frag") -> LineEdit:
    return LineEdit(file, line, before, after)


SEVERAL = (
    edit(2, "line 2", "two"),
    edit(2, "line 2", "two"),
    edit(5, None, "  before five"),
    edit(6, "line 6", None),
    edit(20, "line 20", "last"),
)


@pytest.mark.parametrize("tool", [("patch", "-p1", "-s"), ("git", "apply")])
@pytest.mark.parametrize(
    ("name", "text", "edits"),
    [
        ("a.frag", PLAIN, SEVERAL),
        ("a.frag", PLAIN.replace("\n", "\r\n"), SEVERAL),
        ("a.frag", PLAIN.rstrip("\n"), SEVERAL),
        ("sub folder/ä b.frag", "\ufeffone\ntwo\n", (edit(1, "one", "1"),)),
        ("a.frag", "only", (edit(1, "only", None), edit(2, None, "new"))),
    ],
)
def test_tools_take_the_diff(
    tmp_path: Path, tool: tuple[str, ...], name: str, text: str, edits: tuple[LineEdit, ...]
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    diff = unified(name, text, edits)
    assert diff is not None
    subprocess.run(tool, cwd=tmp_path, input=diff.encode(), check=True, timeout=20)
    assert path.read_bytes() == edited(text, edits).encode()  # type: ignore[union-attr]


def test_lines_that_no_edit_is_of_stay() -> None:
    assert edited(PLAIN, SEVERAL) == PLAIN.replace("line 2\n", "two\n", 1).replace(
        "line 5\nline 6\n", "  before five\nline 5\n"
    ).replace("line 20", "last")
    assert unified("a.frag", PLAIN, (SEVERAL[0],)) == (
        "--- a/a.frag\n+++ b/a.frag\n@@ -1,5 +1,5 @@\n line 1\n-line 2\n+two\n line 3\n line 4\n line 5\n"
    )


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (PLAIN, edit(2, "line 3", "x")),
        (PLAIN, edit(30, "line 30", "x")),
        (PLAIN, edit(0, None, "x")),
        ("one\rtwo\n", edit(1, "one", "x")),
    ],
)
def test_what_does_not_find_its_line_is_no_diff(text: str, change: LineEdit) -> None:
    assert unified("a.frag", text, (change,)) is None
    assert edited(text, (change,)) is None


def test_two_things_on_one_line_are_no_diff() -> None:
    assert unified("a.frag", PLAIN, (edit(2, "line 2", "x"), edit(2, "line 2", "y"))) is None
