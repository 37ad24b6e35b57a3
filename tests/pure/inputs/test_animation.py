"""Tests animated pictures as frames."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs import video
from texelscope.pipeline.inputs.sources import read_picture
from texelscope.pipeline.inputs.video import unpack_frames
from texelscope.viewer.inputs.model.playback import Playback


def a_gif(path: Path, count: int = 3) -> Path:
    """Makes frames of growing brightness."""
    frames = [Image.new("RGB", (6, 4), (40 * number, 0, 0)) for number in range(count)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100)
    return path


@pytest.mark.parametrize("suffix", ["gif", "webp", "png"])
def test_every_frame_becomes_a_picture_in_its_order(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "frames").mkdir()
    written = unpack_frames(a_gif(tmp_path / f"moving.{suffix}"), tmp_path / "frames")
    frames = [read_picture(path, (1, 3, 4, 6)) for path in written]
    assert [float(frame[0, 0, 2, 3]) * 255 for frame in frames] == pytest.approx([0, 40, 80], abs=6)


def test_an_animated_picture_is_played(tmp_path: Path) -> None:
    playback = Playback()
    playback.start("image", a_gif(tmp_path / "moving.gif"))
    assert playback.playing == "image"
    assert playback.position == (0, 3)
    playback.close()


def test_a_video_says_how_it_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"0")
    with pytest.raises(TexelscopeError, match=r"expected a folder of pictures or an animated picture, got another"):
        unpack_frames(tmp_path / "clip.mp4", tmp_path)


def test_what_is_too_long_or_broken_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = a_gif(tmp_path / "moving.gif")
    monkeypatch.setattr(video, "MOST_FRAMES", 2)
    with pytest.raises(TexelscopeError, match=r"expected at most 2 frames and .* got 3 of 6x4"):
        unpack_frames(path, tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(video, "MOST_PIXELS", 71)
    with pytest.raises(TexelscopeError, match=r"and 71 pixels in all, got 3 of 6x4"):
        unpack_frames(path, tmp_path)
    path.write_bytes(b"GIF89a, it says")
    with pytest.raises(TexelscopeError, match="expected a readable picture"):
        unpack_frames(path, tmp_path)
