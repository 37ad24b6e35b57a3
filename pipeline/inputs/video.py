"""Videos and cameras, frame by frame, through PyAV (https://pyav.basswood-io.com), which is an optional extra.

Frames are RGB as the file's own colour matrix says, turned as the file asks; nothing of the sound is read.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files import opened

if TYPE_CHECKING:  # a large library, wanted by few runs
    from av.container import InputContainer

# What reads files of each ending. It is never guessed: FFmpeg also knows texts that name other files and addresses.
_KINDS = {
    ".mp4": "mp4", ".m4v": "mp4", ".mov": "mov", ".mkv": "matroska", ".webm": "webm", ".avi": "avi", ".mpg": "mpeg",
    ".mpeg": "mpeg", ".ts": "mpegts", ".ogv": "ogg", ".wmv": "asf",
}  # fmt: skip
VIDEO_SUFFIXES = frozenset(_KINDS)
CAMERA = "camera:"
INSTALL = "pip install 'texelscope[video]'"
# What reads a system's cameras, and how a number stands for one there.
CAMERA_KINDS = {"linux": ("v4l2", "/dev/video{}"), "darwin": ("avfoundation", "{}"), "win32": ("dshow", "video={}")}


@dataclass(frozen=True)
class VideoFrame:
    """One frame: uint8 [height, width, 3], and when it is shown, in seconds from the start."""

    pixels: NDArray[np.uint8]
    seconds: float


def is_video(source: str) -> bool:
    """Whether a source is a video by its ending, or a camera."""
    return source.startswith(CAMERA) or Path(source).suffix.lower() in VIDEO_SUFFIXES


class Video:
    """An open video, or a camera (`camera:0`, or the system's own name after the colon).

    `seconds` is its length and `rate` its frames a second, None where it does not say. Not for two threads at once.
    """

    def __init__(self, source: str) -> None:
        """Raises TexelscopeError without PyAV, and for what it cannot open."""
        if importlib.util.find_spec("av") is None:
            raise TexelscopeError(source, "PyAV, which reads videos and cameras", "none installed", f"{INSTALL}.")
        import av

        self.source = source
        self.is_camera = source.startswith(CAMERA)
        self._errors = (
            av.error.FFmpegError, OSError, ValueError, LookupError, TypeError, ArithmeticError, RuntimeError,
            MemoryError,
        )  # fmt: skip
        self._opened = ExitStack()
        try:
            self._container: InputContainer = self._open()
        except self._errors as error:
            self.close()
            raise self._failure(error) from error
        try:
            if not self._container.streams.video:
                raise TexelscopeError(source, "a video", "a file without pictures", "Check the path.")
            self._stream = self._container.streams.video[0]
            codec: Any = self._stream.codec_context  # None where nobody knows it, which av's types do not say
            if codec is None:
                raise TexelscopeError(source, "a video that PyAV reads", "an unknown codec", "Convert it to MP4.")
            width, height = codec.width, codec.height
            hold(source, "picture_pixels", width * height)  # before memory is taken
        except TexelscopeError:
            self.close()
            raise
        self._stream.thread_type = "AUTO"
        length, rate = self._container.duration, self._stream.average_rate
        self.seconds = length / av.time_base if length and not self.is_camera else None
        self.rate = float(rate) if rate else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Lets the file or the camera go."""
        self._opened.close()

    def _open(self) -> InputContainer:
        import av

        if self.is_camera:
            path, kind = _camera(self.source)
            return self._opened.enter_context(av.open(path, "r", format=kind))
        file = self._opened.enter_context(opened(self.source, what="a video"))
        kind = _KINDS.get(Path(self.source).suffix.lower(), "mp4")
        nothing_else = {"protocol_whitelist": "none"}
        return self._opened.enter_context(av.open(file, "r", format=kind, options=nothing_else))

    def frames(self, from_seconds: float = 0.0) -> Iterator[VideoFrame]:
        """From the frame that is shown then to the end, decoded as they are asked for.

        Raises TexelscopeError for a broken one.
        """
        stays = 1.0 / self.rate if self.rate else 0.0
        try:
            if not self.is_camera:
                self._container.seek(int(max(from_seconds, 0.0) * 1_000_000))  # to a key frame before it
            for frame in self._container.decode(self._stream):
                seconds = frame.time or 0.0
                if self.is_camera or seconds + stays > from_seconds + 1e-6:
                    yield VideoFrame(_turned(frame), seconds)
        except self._errors as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> TexelscopeError:
        said = getattr(error, "strerror", None) or str(error).splitlines()[0] if str(error) else type(error).__name__
        if self.is_camera:
            return TexelscopeError(self.source, "a camera", f"'{said}'", f"Cameras here: {cameras()}.")
        return TexelscopeError(self.source, "a video that PyAV reads", f"'{said}'", "Check it with another player.")


def cameras() -> str:
    """The names of the cameras that the system tells of."""
    import av

    if sys.platform == "linux":
        names = sorted(path.name for path in Path("/dev").glob("video*"))
        return ", ".join(f"{CAMERA}{name.removeprefix('video')}" for name in names) or "none"
    kind = CAMERA_KINDS.get(sys.platform, ("v4l2", ""))[0]
    try:
        found: list[Any] = list(av.enumerate_input_devices(kind))
    except (OSError, ValueError, av.error.FFmpegError):
        return "not known"
    return ", ".join(f"{CAMERA}{device.name}" for device in found) or "none"


def _camera(source: str) -> tuple[str, str]:
    """What `av.open` is told of a camera: which, and what reads cameras here."""
    name = source.removeprefix(CAMERA).strip() or "0"
    kind, numbered = CAMERA_KINDS.get(sys.platform, CAMERA_KINDS["linux"])
    if whole_number(name) is not None and sys.platform != "win32":
        return numbered.format(name), kind
    return (f"video={name}" if sys.platform == "win32" else name), kind


def _turned(frame: Any) -> NDArray[np.uint8]:
    pixels = frame.to_ndarray(format="rgb24")
    return np.ascontiguousarray(np.rot90(pixels, round(frame.rotation / 90) % 4))
