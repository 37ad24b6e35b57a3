"""Tests videos and cameras, frame by frame."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs import video
from texelscope.pipeline.inputs.video import Video, is_video
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing
from texelscope.viewer.inputs.model.decoding import AHEAD, Decoding

av = pytest.importorskip("av", reason="PyAV is not installed")
FRAMES, RATE = 12, 10


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return a_video(tmp_path / "clip.mkv")


def a_video(path: Path) -> Path:
    """Twelve frames of 16x8, lossless; frame i is 20·i all over."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 16, 8, "bgr0"
        for number in range(FRAMES):
            frame = av.VideoFrame.from_ndarray(np.full((8, 16, 3), 20 * number, np.uint8), format="rgb24")
            container.mux(stream.encode(frame.reformat(format="bgr0")))
        container.mux(stream.encode(None))
    return path


def test_frames_come_in_their_order_with_their_times(clip: Path) -> None:
    with Video(str(clip)) as opened:
        assert opened.seconds == pytest.approx(FRAMES / RATE)
        assert opened.rate == RATE
        frames = list(opened.frames())
        assert [int(frame.pixels[3, 7, 1]) for frame in frames] == [20 * number for number in range(FRAMES)]
        assert [frame.seconds for frame in frames] == pytest.approx([number / RATE for number in range(FRAMES)])
        assert frames[0].pixels.shape == (8, 16, 3)
        assert next(opened.frames(0.5)).seconds == pytest.approx(0.5)
        assert next(opened.frames(1.19)).seconds == pytest.approx(1.1), "the last one is shown until the end"


def test_decoding_is_at_most_a_frame_or_two_ahead_and_goes_round(clip: Path) -> None:
    decoding = Decoding(str(clip))
    try:
        seen = [taken(decoding) for _ in range(2)]
        time.sleep(0.05)
        assert decoding.decoded <= len(seen) + AHEAD
        decoding.seek(1.1)
        assert [taken(decoding) for _ in range(3)] == pytest.approx([1.1, 0.0, 0.1])
    finally:
        decoding.close()


def test_of_a_camera_the_newest_frame_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "CAMERA_KINDS", {"linux": ("lavfi", "{}")})  # a picture generator in a camera's place
    monkeypatch.setattr(sys, "platform", "linux")
    decoding = Decoding("camera:testsrc=size=32x16:rate=30:duration=2")
    try:
        while decoding.problem is None:
            time.sleep(0.01)
        assert taken(decoding) == pytest.approx(59 / 30)
        with pytest.raises(TexelscopeError, match="expected frames, got no more of them"):
            decoding.take()
    finally:
        decoding.close()


def taken(decoding: Decoding) -> float:
    """Waits for the next frame and returns its time."""
    while (frame := decoding.take()) is None:
        time.sleep(0.002)
    return frame.seconds


def test_what_is_no_video_or_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_text("words")
    with pytest.raises(TexelscopeError, match=r"a\.mp4: expected a video that PyAV reads, got 'Invalid data"):
        Video(str(tmp_path / "a.mp4"))
    with pytest.raises(TexelscopeError, match=r"camera:nowhere: expected a camera, got .* Cameras here: "):
        Video("camera:nowhere")
    with allowing(Quotas(picture_pixels=100)), pytest.raises(QuotaError, match="at most 100 picture pixels, got 128"):
        Video(str(a_video(tmp_path / "b.mkv")))
    with av.open(str(tmp_path / "sound.mkv"), "w") as sound:
        stream = sound.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame(layout="mono", samples=64)
        frame.rate = 8000
        sound.mux([*stream.encode(frame), *stream.encode(None)])
    with pytest.raises(TexelscopeError, match="expected a video, got a file without pictures"):
        Video(str(tmp_path / "sound.mkv"))


def test_a_list_of_other_files_is_no_video(tmp_path: Path) -> None:
    a_video(tmp_path / "secret.mkv")
    for number, text in enumerate(
        (
            f"ffconcat version 1.0\nfile '{tmp_path}/secret.mkv'\n",
            f"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://{tmp_path}/secret.mkv\n#EXT-X-ENDLIST\n",
        )
    ):
        path = tmp_path / f"{number}.mp4"
        path.write_text(text)
        with pytest.raises(TexelscopeError, match="expected a video that PyAV reads"):
            Video(str(path))


def test_without_the_library_its_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TexelscopeError, match=r"got none installed\. pip install 'texelscope\[video\]'\."):
        Video("clip.mp4")


def test_which_sources_are_videos() -> None:
    assert [is_video(each) for each in ("a.MP4", "camera:0", "a.gif", "folder", "random:0")] == [True, True] + [
        False
    ] * 3
