"""Finds plug-ins of installed distributions: the modules that their entry points name.

A distribution adds, for example, a layout with an entry point in the group `texelscope.layouts`. The entry point names
a module with the same contents as a module of this folder. A plug-in that cannot be used is reported once and left
out: a fault in another distribution must not stop the program. This module stands with the layouts, below everything
that has plug-ins.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from texelscope.layouts.errors import TexelscopeError
from texelscope.layouts.outside_text import logger, said_by

PREFIX = "texelscope."
# The kinds of plug-ins: the name of a group after the prefix.
GROUPS = ("operators", "derivatives", "layouts", "importers", "causes", "panels")
_LOG = logger("texelscope.plugins")


@dataclass(frozen=True)
class EntryPoint:
    """One line of a distribution's entry points: `name` in `group` stands for the module `value`.

    `distribution` is the name and version, as in `texelscope-tflite 1.2`.
    """

    group: str
    name: str
    value: str
    distribution: str

    def __str__(self) -> str:
        """Returns the name for errors."""
        return f"{self.distribution}: entry point '{self.name}' of {self.group}"

    def load(self) -> ModuleType:
        """Imports and returns the module. Raises TexelscopeError if that fails."""
        try:
            return importlib.import_module(self.value)
        except (Exception, SystemExit) as error:
            raise TexelscopeError(
                str(self), f"a module '{self.value}' that imports", said_by(error, with_type=True),
                "Fix the distribution, or uninstall it.",
            ) from error  # fmt: skip


def entry_points(kind: str) -> tuple[EntryPoint, ...]:
    """Returns the entry points of one of the GROUPS, sorted by name and then by distribution."""
    return tuple(each for each in _installed().found if each.group == PREFIX + kind)


def leave_out(error: TexelscopeError) -> None:
    """Reports, once, why a plug-in, or a part of one, is not used; the error names its entry point."""
    if error.args not in [each.args for each in _installed().left_out]:
        _installed().left_out.append(error)
        _LOG.warning("%s The plug-in is left out.", error)


def plugin_at(path: str) -> EntryPoint | None:
    """Returns an entry point whose package, or single module, has the file; None where the file is of no plug-in."""
    for each in _installed().found:
        module = sys.modules.get(each.value.partition(".")[0])
        folders = getattr(module, "__path__", ()) if module is not None else ()
        if path == getattr(module, "__file__", None) or any(Path(path).is_relative_to(folder) for folder in folders):
            return each
    return None


def left_out() -> tuple[TexelscopeError, ...]:
    """Returns the errors of all plug-ins that were left out so far."""
    return tuple(_installed().left_out)


def look_again() -> None:
    """Clears the cache of distributions; for tests, which add some."""
    _installed.cache_clear()


@dataclass(frozen=True)
class _Installed:
    found: tuple[EntryPoint, ...]
    left_out: list[TexelscopeError]


@cache
def _installed() -> _Installed:
    """Returns every entry point of this program's groups. Distributions are searched once, at the first call."""
    from importlib import metadata  # not needed by a start that opens nothing

    every = metadata.entry_points()
    found = [
        EntryPoint(point.group, point.name, point.value, _named(point.dist))
        for kind in GROUPS
        for point in every.select(group=PREFIX + kind)
    ]
    return _Installed(tuple(sorted(found, key=lambda each: (each.name, each.distribution))), [])


def _named(distribution: object) -> str:
    name, version = (getattr(distribution, each, None) for each in ("name", "version"))
    return f"{name} {version}" if name else "an unnamed distribution"
