"""Folders of plug-ins for the tests of what is discovered."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping
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
