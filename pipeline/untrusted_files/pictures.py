"""Pictures, of the few formats that are meant, as large as a quota allows.

Pillow looks at a file's bytes, not at its name, and knows formats for which it starts other programs or unpacks before
it tells a size; none of them is tried here.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from PIL import (
    Image,
    TiffImagePlugin,  # noqa: F401 - Pillow knows it once it is imported
    UnidentifiedImageError,
    WebPImagePlugin,  # noqa: F401 - likewise
)

from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files.door import OutsideFileError, opened, reason

# As Pillow calls them.
FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP", "TIFF")
PICTURE = "a picture"
_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_STANDARD_ERROR = 2
_ONE_AT_A_TIME = threading.RLock()
# What Pillow logs of a broken picture is in the error; nobody asked to have it printed as well.
logging.getLogger("PIL").addHandler(logging.NullHandler())
_SAVE = "Save it again as PNG."


@contextmanager
def opened_picture(
    path: str | Path, who: str = "", *, inside: Path | None = None, what: str = PICTURE, do_next: str = _SAVE
) -> Iterator[Image.Image]:
    """The picture at `path`, its size known and its pixels not yet unpacked; unpacking it inside is told alike.

    Raises TexelscopeError for a file that is none, and for one with more pixels than may be.
    """
    who = who or str(path)
    with opened(path, who, what=what, inside=inside) as file, decoded(file, who, what=what, do_next=do_next) as picture:
        yield picture


@contextmanager
def decoded(
    file: BinaryIO, who: str, *, what: str = PICTURE, formats: tuple[str, ...] = FORMATS, do_next: str = _SAVE
) -> Iterator[Image.Image]:
    """As `opened_picture`, of an open file."""
    try:
        Image.preinit()
        with (
            warnings.catch_warnings(action="ignore"),
            _without_words(file),
            Image.open(file, formats=formats) as picture,
        ):
            hold(who, "picture_pixels", picture.width * picture.height)
            yield picture
    except (TexelscopeError, CancelledError):
        raise
    except UnidentifiedImageError as error:
        raise OutsideFileError(who, what, "another kind of file", do_next) from error
    except Exception as error:  # decoders of six formats end in whatever a broken byte leads them to
        got = reason(error) if isinstance(error, OSError) and error.errno else _first_line(error)
        raise OutsideFileError(who, what, got, do_next) from error


@contextmanager
def _without_words(file: BinaryIO) -> Iterator[None]:
    """Nothing on standard error while a TIFF is open: its library writes there what it thinks of a broken one."""
    is_tiff = file.read(4) in _TIFF
    file.seek(0)
    if not is_tiff or not _has_standard_error():
        yield
        return
    with _ONE_AT_A_TIME:
        sys.stderr.flush()
        kept, nowhere = os.dup(_STANDARD_ERROR), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)
            os.close(nowhere)


def _has_standard_error() -> bool:
    try:
        os.fstat(_STANDARD_ERROR)
    except OSError:
        return False
    return sys.stderr is not None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
