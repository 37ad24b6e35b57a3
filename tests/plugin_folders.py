"""Folders of plug-ins for the tests of what is discovered."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

MakePackage = Callable[[Mapping[str, str]], ModuleType]

_names = (f"plugged_in_{number}" for number in itertools.count())


def package_maker(folder: Path, patch: pytest.MonkeyPatch) -> MakePackage:
    """Makes an importable package in `folder` from texts of modules by name."""
    patch.syspath_prepend(folder)

    def make(modules: Mapping[str, str]) -> ModuleType:
        name = next(_names)
        (folder / name).mkdir()
        for stem, text in {"__init__": "", **modules}.items():
            (folder / name / f"{stem}.py").write_text(text, encoding="utf-8")
        return importlib.import_module(name)

    return make


@contextmanager
def added_to(package: ModuleType, folder: Path, modules: Mapping[str, str]) -> Iterator[None]:
    """Texts of modules by name, as if they lay in `package`; they are written to `folder`, and forgotten afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, text in modules.items():
        (folder / f"{stem}.py").write_text(text, encoding="utf-8")
    before = list(package.__path__)
    package.__path__ = [*before, str(folder)]
    importlib.invalidate_caches()
    try:
        yield
    finally:
        package.__path__ = before
        for stem in modules:
            sys.modules.pop(f"{package.__name__}.{stem}", None)
            vars(package).pop(stem, None)
