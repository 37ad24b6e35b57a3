"""Animated pictures (GIF, WebP, PNG) as pictures one after the other, to be played into an input."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PIL import ImageSequence

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files.pictures import opened_picture

ANIMATED = frozenset({".gif", ".webp", ".png", ".apng"})
MOST_FRAMES = 2000
# So many are unpacked in about half a second.
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
