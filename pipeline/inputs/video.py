"""Reads videos, cameras and animated pictures, frame by frame.

Videos and cameras need PyAV (https://pyav.basswood-io.com), which is an optional extra. Frames are RGB by the file's
own colour matrix, rotated as the file says; sound is ignored.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import ImageSequence

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files import opened
from texelscope.pipeline.untrusted_files.pictures import opened_picture

if TYPE_CHECKING:
    from av.container import InputContainer


# FFmpeg's reader for each ending. It is never guessed: FFmpeg also reads texts that name other files and addresses.
_KINDS = {
    ".mp4": "mp4", ".m4v": "mp4", ".mov": "mov", ".mkv": "matroska", ".webm": "webm", ".avi": "avi", ".mpg": "mpeg",
    ".mpeg": "mpeg", ".ts": "mpegts", ".ogv": "ogg", ".wmv": "asf",
}  # fmt: skip
VIDEO_SUFFIXES = frozenset(_KINDS)
CAMERA = "camera:"
INSTALL = "pip install 'texelscope[video]'"
# FFmpeg's reader for a system's cameras, and the name of a numbered camera there.
CAMERA_KINDS = {"linux": ("v4l2", "/dev/video{}"), "darwin": ("avfoundation", "{}"), "win32": ("dshow", "video={}")}


@dataclass(frozen=True)
class VideoFrame:
    """Holds one frame: uint8 [height, width, 3], and when it is shown, in seconds from the start."""

    pixels: NDArray[np.uint8]
    seconds: float


def is_video(source: str) -> bool:
    """Reports whether a source is a video by its ending, or a camera."""
    return source.startswith(CAMERA) or Path(source).suffix.lower() in VIDEO_SUFFIXES


class Video:
    """Reads an open video, or a camera (`camera:0`, or the system's own name after the colon).

    `seconds` is its length and `rate` its frames a second, None where it does not say. Not for two threads at once.
    """

    def __init__(self, source: str) -> None:
        """Opens the video. Raises TexelscopeError without PyAV, and for a source that cannot be opened."""
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
            codec: Any = self._stream.codec_context  # None for an unknown codec, which av's types do not say
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
        """Closes the file or the camera."""
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
        """Yields frames from the one shown at that time to the end, decoded on demand.

        Raises TexelscopeError for a broken frame.
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
    """Returns the names of the system's cameras."""
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
    """Returns the arguments of `av.open` for a camera: its name, and the system's reader."""
    name = source.removeprefix(CAMERA).strip() or "0"
    kind, numbered = CAMERA_KINDS.get(sys.platform, CAMERA_KINDS["linux"])
    if whole_number(name) is not None and sys.platform != "win32":
        return numbered.format(name), kind
    return (f"video={name}" if sys.platform == "win32" else name), kind


def _turned(frame: Any) -> NDArray[np.uint8]:
    pixels = frame.to_ndarray(format="rgb24")
    return np.ascontiguousarray(np.rot90(pixels, round(frame.rotation / 90) % 4))


ANIMATED = frozenset({".gif", ".webp", ".png", ".apng"})
MOST_FRAMES = 2000
# The most frames; unpacking them takes about half a second.
MOST_PIXELS = 16 << 20
_ADVICE = "Save its frames as pictures in a folder: ffmpeg -i FILE frames/%04d.png"


def unpack_frames(path: Path, folder: Path) -> tuple[Path, ...]:
    """Writes the frames of an animated picture as PNG files into `folder`, in their order.

    Raises TexelscopeError for a video or another kind of file, and for one too long or too large.
    """
    if path.suffix.lower() not in ANIMATED:
        raise TexelscopeError(str(path), "a folder of pictures or an animated picture", "another kind of file", _ADVICE)
    written = []
    with opened_picture(path, do_next=_ADVICE) as picture:
        count = getattr(picture, "n_frames", 1)
        if count > MOST_FRAMES or count * picture.width * picture.height > MOST_PIXELS:
            got = f"{count} of {picture.width}x{picture.height}"
            expected = f"at most {MOST_FRAMES} frames and {MOST_PIXELS} pixels in all"
            raise TexelscopeError(str(path), expected, got, _ADVICE)
        for number, frame in enumerate(ImageSequence.Iterator(picture)):
            check()
            to = folder / f"{number:05}.png"
            plain = frame.convert("RGBA" if frame.mode in ("RGBA", "LA", "PA") else "RGB")
            write_whole(to, partial(plain.save, format="PNG", compress_level=1), lasting=False)
            written.append(to)
    return tuple(written)
