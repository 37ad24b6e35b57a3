"""A folder played into an input."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.errors import TexelscopeError
from viewer.inputs.playback import Playback, frames_in


class Document:
    """As much of a document as playing needs; notes what is set."""

    def __init__(self, refuses: str = "") -> None:
        self.run = SimpleNamespace(is_under_way=False)
        self.session = SimpleNamespace(plan=SimpleNamespace(inputs=("image",)))
        self.seen: list[str] = []
        self._refuses = refuses

    def set_input(self, _name: str, source: str, *, quietly: bool) -> bool:
        assert quietly
        self.seen.append(Path(source).name)
        return self._refuses not in source or not self._refuses


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("frame10.png", "frame2.png", "frame1.PNG", "notes.txt", "last.npy"):
        (tmp_path / name).touch()
    return tmp_path


def test_frames_are_in_the_order_of_their_numbers(folder: Path) -> None:
    assert [path.name for path in frames_in(folder)] == ["frame1.PNG", "frame2.png", "frame10.png", "last.npy"]


def test_a_folder_with_nothing_to_play_says_so(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"expected a folder of pictures, got none in it\. PNG, JPEG and \.npy"):
        frames_in(tmp_path)
    with pytest.raises(TexelscopeError, match=r"gone: expected a folder of pictures, got No such file or directory"):
        frames_in(tmp_path / "gone")


def test_frames_come_at_their_pace_and_start_again(folder: Path) -> None:
    now = [0.0]
    playback, document = Playback(lambda: now[0]), Document()
    playback.seconds_per_frame = 1.0
    playback.start("image", folder)
    for tenth in range(60):
        now[0] = tenth / 10
        advance(playback, document)
    assert document.seen == ["frame1.PNG", "frame2.png", "frame10.png", "last.npy", "frame1.PNG", "frame2.png"]


def test_a_frame_waits_until_the_one_before_has_run(folder: Path) -> None:
    playback, document = Playback(lambda: 0.0), Document()
    playback.seconds_per_frame = 0.0
    playback.start("image", folder)
    document.run.is_under_way = True
    assert not advance(playback, document)
    document.run.is_under_way = False
    assert advance(playback, document)


def test_a_frame_that_the_input_cannot_take_ends_it(folder: Path) -> None:
    playback, document = Playback(lambda: 0.0), Document(refuses="frame2")
    playback.seconds_per_frame = 0.0
    playback.start("image", folder)
    advance(playback, document)
    advance(playback, document)
    assert not playback.playing
    assert document.seen == ["frame1.PNG", "frame2.png"]


def advance(playback: Playback, document: Any) -> bool:
    return playback.advance(document)
