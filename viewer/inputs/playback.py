"""A folder of pictures or arrays, or an animated picture, played into an input one frame after the other."""

from __future__ import annotations

import math
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pipeline.errors import TexelscopeError
from pipeline.inputs.animation import unpack_frames
from pipeline.inputs.sources import PICTURE_SUFFIXES
from viewer.document.document import Document


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
    return tuple(sorted(found, key=_natural))


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name) if part]


class Playback:
    """What is being played, if anything; `advance` sets the next frame once the last has run and its time is over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._frames: tuple[Path, ...] = ()
        self._input = ""
        self._next = 0
        self._due = 0.0
        self.seconds_per_frame = 0.5
        self._unpacked: tempfile.TemporaryDirectory[str] | None = None

    @property
    def playing(self) -> str:
        """The input that is played into, or nothing."""
        return self._input

    @property
    def position(self) -> tuple[int, int]:
        """How many frames of this round were shown, and how many there are."""
        return self._next, len(self._frames)

    def start(self, name: str, folder: Path) -> None:
        """Plays a folder, or an animated picture, into the input called `name`, round and round.

        Raises TexelscopeError if there is nothing to play.
        """
        if folder.is_file():
            self.close()
            self._unpacked = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
            frames = unpack_frames(folder, Path(self._unpacked.name))
        else:
            frames = frames_in(folder)
        self._frames, self._input, self._next, self._due = frames, name, 0, 0.0

    def stop(self) -> None:
        """The frame shown stays."""
        self._input, self._frames = "", ()

    def close(self) -> None:
        """Lets go what was unpacked to be played."""
        self.stop()
        if self._unpacked is not None:
            self._unpacked.cleanup()
            self._unpacked = None

    def advance(self, document: Document) -> bool:
        """Sets the next frame if it is time; ends at a frame that the input cannot take. True if it did anything."""
        if not self._input or document.run.is_under_way or self._clock() < self._due:
            return False
        session = document.session
        frame = self._frames[self._next % len(self._frames)]
        if session is None or self._input not in session.plan.inputs:
            self.stop()
        elif document.set_input(self._input, str(frame), quietly=True):
            self._next = self._next % len(self._frames) + 1
            self._due = self._clock() + self.seconds_per_frame
        else:
            self.stop()
        return True

    def seconds_to_next(self) -> float:
        """How long the window may sleep."""
        return max(self._due - self._clock(), 0.0) if self._input else math.inf
