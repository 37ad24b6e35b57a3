"""Tests inputs: a picture beside the model, strokes and their undo, folders and videos that play."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window, all_match

MODEL = ROOT / "examples" / "convolution_twice" / "model.onnx"


@pytest.fixture(scope="module")
def opened(desktop: Desktop, typed_folder: Path) -> Iterator[Window]:
    """Returns one window on a model, beside which lie two pictures."""
    (typed_folder / "inputs").mkdir()
    shutil.copy(MODEL, typed_folder / "m.onnx")
    plain((90, 70), (1, 2, 3), typed_folder / "inputs" / "2.png")
    plain((64, 64), (250, 0, 0), typed_folder / "inputs" / "10.png")
    window = desktop.start(typed_folder / "m.onnx")
    desktop.wait_for(window, all_match, "every pass matches")
    desktop.click_on(window, "panel Input")
    yield window
    window.close()


def test_a_model_opens_on_a_picture_beside_it_and_strokes_are_undone(
    desktop: Desktop, opened: Window, typed_folder: Path
) -> None:
    assert opened.seen()["inputs"] == {"image": str(typed_folder / "inputs" / "10.png")}  # of the input's size
    assert any("uses a picture from the same folder" in line for line in opened.seen()["log"])
    red = middle(desktop, opened)
    assert red[0] > 2 * red[1]
    for down in (0.5, 0.4):
        stroke(desktop, opened, down)
    painted = middle(desktop, opened)
    assert painted != red
    desktop.press("ctrl+z")
    desktop.press("ctrl+z")
    rests(desktop, opened)
    assert middle(desktop, opened) == red
    desktop.click_on(opened, "paint redo")
    desktop.press("ctrl+y")
    rests(desktop, opened)
    assert middle(desktop, opened) == painted
    desktop.press("ctrl+y")
    desktop.wait_for(opened, lambda seen: "nothing to redo" in "".join(seen["log"]), "there is no more")


def test_a_folder_plays_on_and_nothing_flashes(desktop: Desktop, opened: Window, typed_folder: Path) -> None:
    frames = typed_folder / "f"
    frames.mkdir()
    for number, size in enumerate([(64, 64), (96, 64), (40, 80)]):
        plain(size, (0, 200, 50 * number), frames / f"{number}.png")
    (frames / "3.png").write_bytes(b"no picture")
    play(desktop, opened, frames)
    anew = "comparing anew; the input before: 2/2 match"
    desktop.wait_until(lambda: anew in desktop.title(opened), "it is said of which input the verdict is", window=opened)
    watch = Watch(desktop, frames)
    desktop.wait_for(opened, watch, "it goes round")
    assert all(verdicts == {"match"} and red < green for verdicts, (red, green, _) in watch.looks)
    assert "warning: 3.png is skipped; the others are still played." in opened.seen()["log"]
    assert any("1.png is 96×64 scaled to cover 64×64" in line for line in opened.seen()["log"])


def test_a_video_plays_pauses_and_is_sought_and_a_camera_that_is_not_there_is_told(
    desktop: Desktop, opened: Window, typed_folder: Path
) -> None:
    av = pytest.importorskip("av", reason="PyAV is not installed")
    clip = typed_folder / "c.mkv"
    with av.open(str(clip), "w") as container:
        stream = container.add_stream("ffv1", rate=5)
        stream.width, stream.height, stream.pix_fmt = 80, 48, "bgr0"
        for number in range(10):
            pixels = np.full((48, 80, 3), (0, 0, 200) if number < 5 else (0, 200, 0), np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            container.mux(stream.encode(frame.reformat(format="bgr0")))
        container.mux(stream.encode(None))
    play(desktop, opened, clip)
    desktop.wait_for(opened, lambda seen: seen["inputs"]["image"].endswith("c.npy"), "the video plays")
    desktop.click_on(opened, "input pause")
    desktop.click(*desktop.point_at(opened, "input place", 0.9))
    desktop.wait_for(opened, lambda seen: seen["playing"] > 1.5, "it is sought")
    rests(desktop, opened)
    _, green, blue = middle(desktop, opened)
    assert green > blue  # as it ends
    play(desktop, opened, "camera:nowhere")
    # The comparison of the frame before may end after it, with another line.
    desktop.wait_for(opened, lambda seen: "expected a camera" in "".join(seen["log"]), "there is no such camera")


def plain(size: tuple[int, int], colour: tuple[int, int, int], path: Path) -> None:
    Image.new("RGB", size, colour).save(path)


def rests(desktop: Desktop, window: Window) -> None:
    desktop.wait_for(window, lambda seen: all_match(seen) and seen["settled"], "all is compared")


def stroke(desktop: Desktop, window: Window, down: float) -> None:
    """Paints across the whole picture."""
    before = window.seen()["inputs"]
    desktop.drag(desktop.point_at(window, "paint", 0.1, down), desktop.point_at(window, "paint", 0.9, down))
    desktop.wait_for(window, lambda seen: seen["inputs"] != before and all_match(seen), "it is in the input")


def middle(desktop: Desktop, window: Window) -> tuple[int, int, int]:
    """The colour of the texture's middle, which the input is shown in."""
    return look(desktop, window.seen())[1]


def look(desktop: Desktop, seen: dict[str, Any]) -> tuple[set[str], tuple[int, int, int]]:
    """Returns the verdicts, and the colour in the middle of the texture."""
    left, top, width, height = seen["places"]["canvas"]
    return set(seen["verdicts"].values()), desktop.colour_at(round(left + width / 2), round(top + height / 2) + 8)


class Watch:
    """Looks again and again while a folder is played, until it has gone round."""

    def __init__(self, desktop: Desktop, folder: Path) -> None:
        self._desktop, self._folder = desktop, folder
        self._sources: list[str] = []
        self.looks: list[tuple[set[str], tuple[int, int, int]]] = []

    def __call__(self, seen: dict[str, Any]) -> bool:
        """Whether a frame has come a second time."""
        source = seen["inputs"]["image"]
        if str(self._folder) in source:
            if self._sources:
                self.looks.append(look(self._desktop, seen))
            if source not in self._sources[-1:]:
                self._sources.append(source)
        return len(self._sources) > len(set(self._sources))


def play(desktop: Desktop, window: Window, what: str | Path) -> None:
    desktop.click_on(window, "input live")
    desktop.press("ctrl+a")
    desktop.write(str(what))
    desktop.press("Return")
