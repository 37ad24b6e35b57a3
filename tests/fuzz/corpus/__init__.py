"""Keeps the corpus: small cases each of which once ended in something else than an answer or a line.

A module here is found by being here; its `cases()` gives names and cases, made by code where a file would be large, a
pipe or a link. A folder in `files/` is one too: `words` has the command's words, a line each, the rest is its files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.case import Case, Entry

_FILES = Path(__file__).parent / "files"
_WORDS = "words"


def cases() -> Iterator[tuple[str, Case]]:
    """Returns all of it, by name."""
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        yield from ((f"{info.name} {name}", case) for name, case in module.cases())
    for folder in sorted(path for path in _FILES.iterdir() if path.is_dir()):
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        words = files.pop(_WORDS).read_text(encoding="utf-8").splitlines()
        entry: Entry = "bundle" if len(words) == 1 else "command"
        contents = {name: path.read_bytes() for name, path in files.items()}
        yield f"files {folder.name}", Case(folder.name, contents, tuple(words), entry=entry)
