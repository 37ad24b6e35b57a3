"""Finds what features bring along: the modules of one name in the folders of `viewer/`.

A feature is a folder. What it adds to the window (panels, commands) is found by the names of its files, and listed
nowhere.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from texelscope.pipeline.discovery import Plugin, plugins


def modules_named(package: ModuleType, name: str) -> Iterator[Plugin]:
    """Yields the modules `name` and `*_name` of each folder in `package`, folder by folder in alphabetical order.

    Raises TexelscopeError, naming the file, for one that cannot be imported.
    """
    inside = (path.parent.name for place in package.__path__ for path in Path(place).glob("*/__init__.py"))
    for folder in sorted({*inside}):
        feature = importlib.import_module(f"{package.__name__}.{folder}")
        yield from plugins(feature, fits=lambda module: module == name or module.endswith(f"_{name}"))
