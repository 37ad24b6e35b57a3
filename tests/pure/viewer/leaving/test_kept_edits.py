"""Unsaved edits are found again after a window ended without a question, and a bad file harms nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope.viewer.leaving.model import kept_edits
from texelscope.viewer.leaving.model.kept_edits import EditedText, EditsFile, KeptEdits

EDITS = KeptEdits(
    "/models/p.toml", (EditedText("a", "a.frag", "one\n", "two\n"), EditedText("b", "b.frag", "", "x")), {"x": (1, 3)}
)


def found(folder: Path) -> list[KeptEdits]:
    return [replace(each, place=None) for each in EditsFile(folder).left_behind()]


def left(folder: Path) -> None:
    """Leaves the edits as a window does that is killed: in a process of its own, which ends at once."""
    code = (
        "import os, sys; from pathlib import Path; from tests.pure.viewer.leaving.test_kept_edits import EDITS;"
        "from texelscope.viewer.leaving.model.kept_edits import EditsFile;"
        "EditsFile(Path(sys.argv[1])).write(EDITS); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="it is killed by a signal")
def test_edits_of_a_window_that_was_killed_are_found_until_they_are_removed(tmp_path: Path) -> None:
    left(tmp_path)
    assert found(tmp_path) == [EDITS]
    (edits,) = EditsFile(tmp_path).left_behind()
    assert edits.place is not None
    kept_edits.remove(edits.place)
    assert not list(tmp_path.iterdir())


def test_edits_of_a_running_window_are_not_offered_and_end_with_their_saving(tmp_path: Path) -> None:
    file = EditsFile(tmp_path)
    file.write(EDITS)
    assert list(tmp_path.glob("*.json"))
    assert not found(tmp_path)
    file.write(replace(EDITS, texts=()))
    assert not list(tmp_path.iterdir()), "nothing is unsaved"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b'{"version": 2, "target": "x", "texts": []}',
        json.dumps({"version": 1, "target": 3, "texts": [{}]}).encode(),
        json.dumps({"version": 1, "target": "x", "texts": [{"name": "a"}, 7]}).encode(),
        json.dumps({"version": 1, "target": "x", "texts": {"name": "a"}}).encode(),
    ],
)
def test_a_file_that_is_not_understood_is_left_alone(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "1-1.json"
    place.write_bytes(content)
    (tmp_path / "2-2.json").mkdir()
    assert not found(tmp_path)
    assert place.read_bytes() == content


def test_wrong_shapes_are_ignored_and_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    text = {"name": "a", "file": "a.frag", "base": "", "text": "x"}
    shapes = {"x": [1, 2], "y": ["z"], "w": [-1]}
    (tmp_path / "1-1.json").write_text(
        json.dumps({"version": 1, "target": "m.onnx", "texts": [text], "shapes": shapes}), encoding="utf-8"
    )
    (edits,) = EditsFile(tmp_path).left_behind()
    assert dict(edits.shapes) == {"x": (1, 2)}
    (tmp_path / "file").write_text("", encoding="utf-8")
    EditsFile(tmp_path / "file" / "unsaved").write(EDITS)
    assert EditsFile(None).left_behind() == ()
