"""Tests a folder played into an input."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PIL import Image

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.inputs.model.playback import Playback
from texelscope.viewer.inputs.model.played import frames_in


class Document:
    """Imitates the part of a document that playing needs; records what is set."""

    def __init__(self, refuses: str = "") -> None:
        self.run = SimpleNamespace(is_under_way=False)
        textures = {"image": SimpleNamespace(shape=(1, 3, 4, 6))}
        self.session = SimpleNamespace(plan=SimpleNamespace(inputs=("image",), textures=textures))
        self.seen: list[str] = []
        self.sources: list[str] = []
        self._refuses = refuses

    def set_input(self, _name: str, source: str, *, quietly: bool) -> bool:
        assert quietly
        self.sources.append(source)
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


def test_a_frame_that_the_input_cannot_take_is_named_and_left_out(folder: Path) -> None:
    playback, document, log = Playback(lambda: 0.0), Document(refuses="frame2"), MessageLog()
    playback.seconds_per_frame = 0.0
    playback.start("image", folder)
    for _ in range(8):
        playback.advance(cast("Any", document), log)
    rest = ["frame10.png", "last.npy", "frame1.PNG"]
    assert document.seen == ["frame1.PNG", "frame2.png", *rest, *rest]
    assert [entry.text for entry in log.entries] == ["frame2.png is skipped; the others are still played."]


def test_where_it_can_take_none_it_ends_and_says_so(folder: Path) -> None:
    playback, document, log = Playback(lambda: 0.0), Document(refuses="a"), MessageLog()
    playback.start("image", folder)
    for _ in range(5):
        playback.advance(cast("Any", document), log)
    assert not playback.playing
    assert "expected frames that the input can take, got none" in log.entries[-1].text


def test_pictures_of_another_size_are_scaled_and_that_is_said_once(tmp_path: Path) -> None:
    for number, size in enumerate([(6, 4), (12, 8), (9, 9)]):
        Image.new("RGB", size).save(tmp_path / f"{number}.png")
    playback, document, log = Playback(lambda: 0.0), Document(), MessageLog()
    playback.seconds_per_frame = 0.0
    playback.start("image", tmp_path)
    for _ in range(3):
        playback.advance(cast("Any", document), log)
    assert document.sources[0] == str(tmp_path / "0.png")
    assert document.sources[1:] == [f"fit:{tmp_path / '1.png'}", f"fit:{tmp_path / '2.png'}"]
    assert len(log.entries) == 1
    assert "1.png is 12×8 scaled to cover 6×4, the rest cut off evenly" in log.entries[0].text
    assert playback.about(document.sources[2]).startswith("2.png, 9×9 scaled")


def test_paused_it_stands_still_and_shows_the_frame_that_is_sought(folder: Path) -> None:
    playback, document = Playback(lambda: 0.0), Document()
    playback.start("image", folder)
    advance(playback, document)
    playback.paused = True
    assert not advance(playback, document)
    playback.seek(3.0)
    assert advance(playback, document)
    assert not advance(playback, document)
    assert document.seen == ["frame1.PNG", "frame10.png"]
    assert playback.position == (3.0, 4.0)


def advance(playback: Playback, document: Document) -> bool:
    return playback.advance(cast("Any", document), MessageLog())
