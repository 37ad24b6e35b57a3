"""Plays a folder of pictures or arrays, an animated picture, a video or a camera into an input."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.video import is_video, unpack_frames
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.inputs.model.played import FrameSource, Pictures, PlayedFrame, VideoPlayback, frames_in

# Seconds to wait for a frame that is still being decoded.
_LOOK_SECONDS = 0.005


class Playback:
    """Plays frames into an input; `advance` sets the next one when the last has run and its time is over.

    The input keeps its size. While `paused`, the present frame stays.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._played: FrameSource | None = None
        self._input = ""
        self._due = 0.0
        self._shown: PlayedFrame | None = None
        self._wants_one = self._has_pace = False
        self._films: list[VideoPlayback] = []
        self._unpacked: list[tempfile.TemporaryDirectory[str]] = []
        self._logged_rules: set[str] = set()
        self.paused = False
        self.seconds_per_frame = 0.5

    @property
    def playing(self) -> str:
        """The input that is played into, or empty."""
        return self._input

    @property
    def name(self) -> str:
        """The name of what is played."""
        return self._played.name if self._played is not None else ""

    @property
    def in_seconds(self) -> bool:
        """Whether positions are seconds, not numbers of frames."""
        return self._played is not None and self._played.in_seconds

    @property
    def position(self) -> tuple[float, float | None]:
        """Position and end, in frames or seconds; the end is None if there is none."""
        return self._shown.place if self._shown is not None else 0.0, self._played.length if self._played else None

    def about(self, source: str) -> str:
        """Describes the input's source, if it is the frame that was set last; else empty."""
        return self._shown.label if self._shown is not None and self._shown.source == source else ""

    def start(self, name: str, source: str | Path) -> None:
        """Plays into the input called `name`, in an endless loop.

        `source` is a folder, an animated picture, a video or `camera:0`. Raises TexelscopeError if there is nothing to
        play; for videos and cameras, which are opened in a thread, `advance` raises it.
        """
        path = Path(source).expanduser()
        played: FrameSource
        if is_video(str(source)):
            played = VideoPlayback(str(source) if str(source).startswith("camera:") else str(path))
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
        self._logged_rules.clear()

    def stop(self) -> None:
        """Stops; the present frame stays in the input."""
        if self._played is not None:
            self._played.close()
        self._input, self._played = "", None

    def close(self) -> None:
        """Removes files that were unpacked to be played."""
        self.stop()
        for film in self._films:
            film.clean_up()
        for folder in self._unpacked:
            folder.cleanup()
        self._films.clear()
        self._unpacked.clear()

    def seek(self, place: float) -> None:
        """Continues from a frame number or a second; while paused it shows that frame."""
        if self._played is not None:
            self._played.seek(place)
            self._due, self._wants_one = 0.0, True

    def advance(self, document: Document, log: MessageLog) -> bool:
        """Sets the next frame if it is due and ready; True if it did anything.

        A frame that the input cannot take is logged and skipped; if there are only such frames, playing stops.
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
                log.add(f"{frame.label.partition(',')[0]} is skipped; the others are still played.", warning=True)
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
        if rule and not self._logged_rules:
            self._logged_rules.add(rule)
            log.add(f"Playing {self.name}: {name} is {rule}, and so are others of another size.")

    def seconds_to_next(self) -> float:
        """Returns how long the window may sleep."""
        return max(self._due - self._clock(), _LOOK_SECONDS) if self._is_due else math.inf
