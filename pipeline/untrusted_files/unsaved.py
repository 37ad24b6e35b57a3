"""Lets texts that an editor has not saved yet stand for the files that they will be saved in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

_TEXTS: ContextVar[Mapping[Path, str]] = ContextVar("unsaved texts", default=MappingProxyType({}))


@contextmanager
def unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Reads these texts, by absolute path with links followed, instead of the files, within the block.

    It holds in the present thread. A file that does not exist yet is still missing.
    """
    token = _TEXTS.set({**_TEXTS.get(), **texts})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def unsaved_text(path: str | Path) -> str | None:
    """Returns the text that stands for a file; None where the file itself counts."""
    texts = _TEXTS.get()
    return texts.get(Path(path).resolve()) if texts else None
