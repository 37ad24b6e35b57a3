"""A folder that is written whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import TexelscopeError


def _check_new(folder: Path) -> None:
    """Raises TexelscopeError for a folder with something in it, and for a file."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise TexelscopeError(str(folder), "a new or empty folder", "one with files", "Choose another one with --to.")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder beside `folder`, which takes its place in the end; whatever is raised leaves neither.

    An empty folder that is there stays the one it was, as somebody may stand in it: what was written is moved into it.
    Raises TexelscopeError for a folder with something in it, and where it cannot be written.
    """
    _check_new(folder)
    there = folder.resolve()
    unfinished: Path | None = None
    try:
        there.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{there.name}-", dir=there.parent))
        yield unfinished
        if there.exists():
            for each in sorted(unfinished.iterdir()):
                each.replace(there / each.name)
        else:
            unfinished.chmod(0o755)
            unfinished.replace(there)
    except OSError as error:
        raise TexelscopeError(
            str(folder), "a folder that can be written", str(error), "Choose another one with --to."
        ) from error
    finally:
        if unfinished is not None:
            shutil.rmtree(unfinished, ignore_errors=True)
