"""A folder of pictures or arrays, an animated picture, a video or a camera, played into an input frame after frame."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.animation import unpack_frames
from texelscope.pipeline.inputs.video import is_video
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.inputs.played import Film, Pictures, Played, PlayedFrame, frames_in

# A frame that is being decoded is looked for again after so long.
_LOOK_SECONDS = 0.005


class Playback:
    """What is being played, if anything; `advance` sets the next frame once the last has run and its time is over.

    The input keeps its size. `paused` leaves the frame that is shown until it is taken back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._played: Played | None = None
        self._input = ""
        self._due = 0.0
        self._shown: PlayedFrame | None = None
        self._wants_one = self._has_pace = False
        self._films: list[Film] = []
        self._unpacked: list[tempfile.TemporaryDirectory[str]] = []
        self._told: set[str] = set()
        self.paused = False
        self.seconds_per_frame = 0.5

    @property
    def playing(self) -> str:
        """The input that is played into, or nothing."""
        return self._input

    @property
    def name(self) -> str:
        """What is played."""
        return self._played.name if self._played is not None else ""

    @property
    def in_seconds(self) -> bool:
        """Whether places are seconds, not numbers of frames."""
        return self._played is not None and self._played.in_seconds

    @property
    def position(self) -> tuple[float, float | None]:
        """Where it is, and where it ends: frames or seconds. None where it has no end."""
        return self._shown.place if self._shown is not None else 0.0, self._played.length if self._played else None

    def about(self, source: str) -> str:
        """What the input's source is, if it is the frame that was set last; else empty."""
        return self._shown.label if self._shown is not None and self._shown.source == source else ""

    def start(self, name: str, source: str | Path) -> None:
        """Plays into the input called `name`, round and round.

        `source` is a folder, an animated picture, a video or `camera:0`. Raises TexelscopeError if there is nothing to
        play; of a video and a camera `advance` says so, as they are opened in a thread.
        """
        path = Path(source).expanduser()
        played: Played
        if is_video(str(source)):
            played = Film(str(source) if str(source).startswith("camera:") else str(path))
            self._films.append(played)
        elif path.is_file():
            folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
            self._unpacked.append(folder)
            played = Pictures(path.name, unpack_frames(path, Path(folder.name)))
        else:
            played = Pictures(path.name, frames_in(path))
        self.stop()
        self._played, self._input, self._due = played, name, 0.0
        self._shown, self.paused, self._has_pace = None, False, False
        self._told.clear()

    def stop(self) -> None:
        """The frame shown stays."""
        if self._played is not None:
            self._played.close()
        self._input, self._played = "", None

    def close(self) -> None:
        """Lets go what was unpacked to be played."""
        self.stop()
        for film in self._films:
            film.clean_up()
        for folder in self._unpacked:
            folder.cleanup()
        self._films.clear()
        self._unpacked.clear()

    def seek(self, place: float) -> None:
        """Goes on from a number of a frame, or a second; while paused it shows that frame."""
        if self._played is not None:
            self._played.seek(place)
            self._due, self._wants_one = 0.0, True

    def advance(self, document: Document, log: MessageLog) -> bool:
        """Sets the next frame if it is time and it is there; True if it did anything.

        A frame that the input cannot take is named and left out; at the last of them it stops.
        """
        if not self._is_due or document.run.is_under_way or self._clock() < self._due:
            return False
        session, played = document.session, self._played
        assert played is not None
        if session is None or self._input not in session.plan.inputs:
            self.stop()
            return True
        try:
            frame = played.take(session.plan.textures[self._input].shape)
            if frame is None:
                return False
            if document.set_input(self._input, frame.source, quietly=True):
                self._set(frame, log)
            else:
                played.refuse(frame)
                log.add(f"{frame.label.partition(',')[0]} is left out, the others play on.", warning=True)
        except TexelscopeError as error:
            log.add(f"{error}", error=True)
            self.stop()
        return True

    @property
    def _is_due(self) -> bool:
        return bool(self._input) and (not self.paused or self._wants_one)

    def _set(self, frame: PlayedFrame, log: MessageLog) -> None:
        assert self._played is not None
        if not self._has_pace and self._played.pace is not None:
            self.seconds_per_frame, self._has_pace = self._played.pace, True
        self._shown, self._wants_one = frame, False
        now, following = self._clock(), self._due + self.seconds_per_frame
        self._due = following if self._due and following > now else now + self.seconds_per_frame
        name, _, rule = frame.label.partition(", ")
        if rule and not self._told:
            self._told.add(rule)
            log.add(f"Playing {self.name}: {name} is {rule}, and so are others of another size.")

    def seconds_to_next(self) -> float:
        """How long the window may sleep."""
        return max(self._due - self._clock(), _LOOK_SECONDS) if self._is_due else math.inf
