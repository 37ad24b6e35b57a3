"""Makes packages with features, as the viewer has them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest


def package(folder: Path, patch: pytest.MonkeyPatch, name: str, files: Mapping[str, str]) -> ModuleType:
    """Makes an importable package called `name` in `folder`, with a feature for each folder of `files`."""
    patch.syspath_prepend(folder)
    for path, text in {"__init__.py": "", **files}.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        (file.parent / "__init__.py").touch()
    return importlib.import_module(name)
