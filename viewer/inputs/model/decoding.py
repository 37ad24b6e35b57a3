"""Decodes a video or a camera in a thread: a video a frame or two ahead, a camera only the newest frame."""

from __future__ import annotations

import threading
from collections import deque

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.video import CAMERA, Video, VideoFrame

# Frames of a video that wait: the next one, and the one after it.
AHEAD = 2


class Decoding:
    """A decoder; `problem` says why no more frames will come; `seconds` and `rate` are known once it is open."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._is_camera = source.startswith(CAMERA)
        self._condition = threading.Condition()
        self._waiting: deque[VideoFrame] = deque()
        self._wanted: float | None = 0.0
        self._closing = False
        self.problem: TexelscopeError | None = None
        self.seconds: float | None = None
        self.rate: float | None = None
        self.decoded = 0
        self._thread = threading.Thread(target=self._run, name="decoding", daemon=True)
        self._thread.start()

    def take(self) -> VideoFrame | None:
        """Returns the next frame if it is decoded. Raises TexelscopeError once no more will come."""
        with self._condition:
            if self._waiting:
                frame = self._waiting.popleft()
                self._condition.notify()
                return frame
            if self.problem is not None:
                raise self.problem
            return None

    def seek(self, seconds: float) -> None:
        """Continues from there; has no effect on a camera."""
        with self._condition:
            if not self._is_camera:
                self._wanted = seconds
                self._waiting.clear()
                self._condition.notify()

    def close(self) -> None:
        """Ends the thread and closes the file or the camera."""
        with self._condition:
            self._closing = True
            self._condition.notify()
        self._thread.join(timeout=2.0)

    def _run(self) -> None:
        try:
            with Video(self._source) as video:
                self.seconds, self.rate = video.seconds, video.rate
                while not self._closing:
                    self._round(video)
        except TexelscopeError as error:
            self.problem = error
        except Exception as error:  # noqa: BLE001 - a decoder may raise anything; the window shows it
            self.problem = TexelscopeError(self._source, "a video", said_by(error, with_type=True), "Save it again.")

    def _round(self, video: Video) -> None:
        """Decodes from the wanted position to the end; the caller then starts again."""
        with self._condition:
            start, self._wanted = self._wanted or 0.0, None
        count = 0
        for frame in video.frames(start):
            count += 1
            if not self._offer(frame):
                return
        if self._is_camera or (not count and start == 0.0):
            raise TexelscopeError(self._source, "frames", "no more of them", "Start it again.")

    def _offer(self, frame: VideoFrame) -> bool:
        """Leaves a frame to be taken; False if others are wanted."""
        with self._condition:
            if self._is_camera:
                self._waiting.clear()
            while len(self._waiting) >= AHEAD and self._wanted is None and not self._closing:
                self._condition.wait()
            if self._closing or self._wanted is not None:
                return False
            self._waiting.append(frame)
            self.decoded += 1
            return True
