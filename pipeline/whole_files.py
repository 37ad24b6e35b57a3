"""Files written whole or not at all: under another name first, which takes the place of the file when it is done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pipeline.errors import TexelscopeError


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Has `write` fill a file beside `path` and puts it in its place; what was there stays until then.

    Raises TexelscopeError for a file that cannot be written; nothing is left behind.
    """
    place = path.resolve()  # a link stays one
    unfinished = place.with_name(place.name + ".new")
    try:
        write(unfinished)
        unfinished.replace(place)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if not isinstance(error, OSError):
            raise
        reason = error.strerror or str(error)
        raise TexelscopeError(str(path), "a file that can be written", reason, "Choose another path.") from error
