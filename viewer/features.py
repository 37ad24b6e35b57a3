"""Finds what features bring along: the modules of one name in the folders of `viewer/`.

A feature is a folder. What it adds to the window (panels, commands) is found by the names of its files, and listed
nowhere.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

from texelscope.pipeline.discovery import Plugin, plugins


def modules_named(package: ModuleType, name: str) -> Iterator[Plugin]:
    """Yields the modules `name` and `*_name` of each folder in `package`, folder by folder in alphabetical order.

    Raises TexelscopeError, naming the file, for one that cannot be imported.
    """
    for info in pkgutil.iter_modules(package.__path__):
        if info.ispkg:
            folder = importlib.import_module(f"{package.__name__}.{info.name}")
            yield from plugins(folder, fits=lambda module: module == name or module.endswith(f"_{name}"))
