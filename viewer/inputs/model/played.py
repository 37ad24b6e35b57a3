"""Provides frames to play: a folder of pictures and arrays, and a video or a camera."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PIL import Image

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.atomic_files import write_array_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.beside import natural
from texelscope.pipeline.inputs.sources import FIT, PICTURE_SUFFIXES, RULE, picture_size, picture_values
from texelscope.viewer.inputs.model.decoding import Decoding


@dataclass(frozen=True)
class PlayedFrame:
    """A frame: `source` sets the input; `label` says what it is and how it was made to fit."""

    source: str
    label: str
    place: float


class FrameSource(Protocol):
    """An endless sequence of frames. `length` and positions are in frames or, with `in_seconds`, in seconds.

    `pace` is the frame duration of the source, None if it has none.
    """

    name: str
    in_seconds: bool

    @property
    def length(self) -> float | None:
        """The end position; None while it is unknown, and if there is none."""

    @property
    def pace(self) -> float | None:
        """Seconds per frame."""

    def take(self, shape: Shape) -> PlayedFrame | None:
        """Returns the next frame for an input of that shape, None if not ready. Raises TexelscopeError at the end."""

    def refuse(self, frame: PlayedFrame) -> None:
        """Skips a frame from now on, because the input could not take it."""

    def seek(self, place: float) -> None:
        """Continues from that position."""

    def close(self) -> None:
        """Releases files and threads."""


class Pictures:
    """Files in their order; pictures are scaled to the size of the input."""

    in_seconds = False
    pace = None

    def __init__(self, name: str, files: tuple[Path, ...]) -> None:
        self.name = name
        self._files = list(files)
        self._next = 0
        self.resized = 0

    @property
    def length(self) -> float:
        """The number of files."""
        return float(len(self._files))

    def take(self, shape: Shape) -> PlayedFrame:
        """Returns the next file, as it is or scaled."""
        if not self._files:
            raise TexelscopeError(self.name, "frames that the input can take", "none", "Look at the log for why.")
        number = self._next % len(self._files)
        path = self._files[number]
        self._next = number + 1
        size, (_, _, height, width) = picture_size(str(path)), as_nchw(shape)
        if size is None or size == (height, width):
            return PlayedFrame(str(path), path.name, number + 1.0)
        self.resized += 1
        rule = RULE.format(width=width, height=height)
        return PlayedFrame(f"{FIT}{path}", f"{path.name}, {size[1]}×{size[0]} {rule}", number + 1.0)

    def refuse(self, frame: PlayedFrame) -> None:
        """Skips the file from now on."""
        gone = Path(frame.source.removeprefix(FIT))
        if gone in self._files:
            self._next = self._files.index(gone)
            self._files.remove(gone)

    def seek(self, place: float) -> None:
        """Continues with the file of that number, counted from 1."""
        self._next = min(max(round(place) - 1, 0), max(len(self._files) - 1, 0))

    def close(self) -> None:
        """Does nothing: no resources are held."""


class VideoPlayback:
    """A video or a camera; frames go into the input through files, so that another layout can use them too."""

    in_seconds = True

    def __init__(self, source: str) -> None:
        self.name = Path(source).name
        self._decoding = Decoding(source)
        self._folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
        self._number = 0

    @property
    def length(self) -> float | None:
        """Seconds of the video; None for a camera."""
        return self._decoding.seconds

    @property
    def pace(self) -> float | None:
        """Seconds per frame as recorded."""
        return 1.0 / self._decoding.rate if self._decoding.rate else None

    def take(self, shape: Shape) -> PlayedFrame | None:
        """Returns the next frame if it is decoded, scaled to cover the input."""
        decoded = self._decoding.take()
        if decoded is None:
            return None
        height, width = decoded.pixels.shape[:2]
        values = picture_values(Image.fromarray(decoded.pixels), shape)
        path = Path(self._folder.name) / str(self._number % 2) / f"{Path(self.name).stem.replace(':', ' ')}.npy"
        self._number += 1
        path.parent.mkdir(exist_ok=True)
        write_array_whole(path, values, lasting=False)
        _, _, high, wide = as_nchw(shape)
        rule = "" if (height, width) == (high, wide) else f", {width}×{height} {RULE.format(width=wide, height=high)}"
        return PlayedFrame(str(path), f"{self.name} at {decoded.seconds:.2f} s{rule}", decoded.seconds)

    def refuse(self, frame: PlayedFrame) -> None:
        """Raises TexelscopeError: if one frame does not fit, none will."""
        raise TexelscopeError(self.name, "frames that the input can take", "others", "Look at the log for why.")

    def seek(self, place: float) -> None:
        """Continues from that second."""
        self._decoding.seek(place)

    def close(self) -> None:
        """Closes the source; the last frame's file stays, so that the target can be reopened with it."""
        self._decoding.close()

    def clean_up(self) -> None:
        """Removes the files."""
        self._folder.cleanup()


def frames_in(folder: Path) -> tuple[Path, ...]:
    """Returns pictures and .npy files, sorted by name, numbers by value. Raises TexelscopeError if there are none."""
    suffixes = PICTURE_SUFFIXES | {".npy"}
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in suffixes and path.is_file()]
    except OSError as error:
        raise TexelscopeError(
            str(folder), "a folder of pictures", error.strerror or str(error), "Check the path."
        ) from error
    if not found:
        raise TexelscopeError(str(folder), "a folder of pictures", "none in it", "PNG, JPEG and .npy files are played.")
    return tuple(sorted(found, key=natural))
