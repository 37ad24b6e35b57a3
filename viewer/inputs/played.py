"""What can be played, frame by frame: a folder of pictures and arrays, and a video or a camera."""

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
from texelscope.pipeline.inputs.fitting import FIT, RULE
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES, picture_size, picture_values
from texelscope.viewer.inputs.decoding import Decoding


@dataclass(frozen=True)
class PlayedFrame:
    """`source` is what the input is set to; `label` says in words what that is, and how it was made to fit."""

    source: str
    label: str
    place: float


class Played(Protocol):
    """Frames one after the other, round and round. `length` and places in it are frames or, with `in_seconds`, seconds.

    `pace` is how long a frame stays by its own account, None where it has none.
    """

    name: str
    in_seconds: bool

    @property
    def length(self) -> float | None:
        """Where it ends; None while that is not known, and where it does not end."""

    @property
    def pace(self) -> float | None:
        """Seconds a frame."""

    def take(self, shape: Shape) -> PlayedFrame | None:
        """The next frame for an input of that shape; None while it is not there. Raises TexelscopeError at the end."""

    def refuse(self, frame: PlayedFrame) -> None:
        """The input could not take it: it is left out from now on."""

    def seek(self, place: float) -> None:
        """Goes on from there."""

    def close(self) -> None:
        """Lets go what it holds."""


class Pictures:
    """Files in their order; pictures of another size than the input are scaled, the input keeps its size."""

    in_seconds = False
    pace = None

    def __init__(self, name: str, files: tuple[Path, ...]) -> None:
        self.name = name
        self._files = list(files)
        self._next = 0
        self.resized = 0

    @property
    def length(self) -> float:
        """How many there are."""
        return float(len(self._files))

    def take(self, shape: Shape) -> PlayedFrame:
        """The next file, as it is or scaled."""
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
        """Leaves the file out of every further round."""
        gone = Path(frame.source.removeprefix(FIT))
        if gone in self._files:
            self._next = self._files.index(gone)
            self._files.remove(gone)

    def seek(self, place: float) -> None:
        """To the file of that number, from 1 on."""
        self._next = min(max(round(place) - 1, 0), max(len(self._files) - 1, 0))

    def close(self) -> None:
        """Nothing is held."""


class Film:
    """A video or a camera; its frames go into the input by way of files, so that another layout opens on them too."""

    in_seconds = True

    def __init__(self, source: str) -> None:
        self.name = Path(source).name
        self._decoding = Decoding(source)
        self._folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
        self._number = 0

    @property
    def length(self) -> float | None:
        """Seconds of the video; None of a camera."""
        return self._decoding.seconds

    @property
    def pace(self) -> float | None:
        """Seconds a frame as recorded."""
        return 1.0 / self._decoding.rate if self._decoding.rate else None

    def take(self, shape: Shape) -> PlayedFrame | None:
        """The next frame if it is decoded, scaled to cover the input."""
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
        """One frame is like the next: raises TexelscopeError."""
        raise TexelscopeError(self.name, "frames that the input can take", "others", "Look at the log for why.")

    def seek(self, place: float) -> None:
        """To that second."""
        self._decoding.seek(place)

    def close(self) -> None:
        """The frame shown last stays in its file: whoever reopens the target with it finds it there."""
        self._decoding.close()

    def clean_up(self) -> None:
        """Removes the files."""
        self._folder.cleanup()


def frames_in(folder: Path) -> tuple[Path, ...]:
    """Pictures and .npy files, by name, numbers in it by value. Raises TexelscopeError if there are none."""
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
