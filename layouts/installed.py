"""Plug-ins of installed distributions: the modules that their entry points name.

A distribution adds a layout, say, with an entry point in the group `texelscope.layouts` that names a module. The module
holds what a module of this folder would hold. A plug-in that cannot be used is reported once and left out: a fault in
somebody else's distribution must not stop the program. It stands with the layouts, below everything that has plug-ins.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from texelscope.layouts.errors import TexelscopeError
from texelscope.layouts.outside_text import logger, said_by

PREFIX = "texelscope."
# What follows the prefix in the name of a group, and what the module holds.
GROUPS = ("operators", "derivatives", "layouts", "importers", "causes", "panels")
_LOG = logger("texelscope.plugins")


@dataclass(frozen=True)
class EntryPoint:
    """One line of a distribution's entry points: in `group` the `name` for the module `value`.

    `distribution` is its name and version, as in `texelscope-tflite 1.2`.
    """

    group: str
    name: str
    value: str
    distribution: str

    def __str__(self) -> str:
        """How an error names it."""
        return f"{self.distribution}: entry point '{self.name}' of {self.group}"

    def load(self) -> ModuleType:
        """The module. Raises TexelscopeError for one that cannot be imported."""
        try:
            return importlib.import_module(self.value)
        except (Exception, SystemExit) as error:
            raise TexelscopeError(
                str(self), f"a module '{self.value}' that imports", said_by(error, with_type=True),
                "Fix the distribution, or uninstall it.",
            ) from error  # fmt: skip


def entry_points(kind: str) -> tuple[EntryPoint, ...]:
    """Those of one of the GROUPS, by name and then by distribution."""
    return tuple(each for each in _installed().found if each.group == PREFIX + kind)


def leave_out(error: TexelscopeError) -> None:
    """Reports, once, why a plug-in, or a part of one, is not used; the error names its entry point."""
    if error.args not in [each.args for each in _installed().left_out]:
        _installed().left_out.append(error)
        _LOG.warning("%s The plug-in is left out.", error)


def left_out() -> tuple[TexelscopeError, ...]:
    """What plug-ins that were looked at by now are not used for."""
    return tuple(_installed().left_out)


def look_again() -> None:
    """Forgets which distributions there are; for tests, which add some."""
    _installed.cache_clear()


@dataclass(frozen=True)
class _Installed:
    found: tuple[EntryPoint, ...]
    left_out: list[TexelscopeError]


@cache
def _installed() -> _Installed:
    """Every entry point of this program's groups; distributions are looked through once, when something first asks."""
    from importlib import metadata  # a start that opens nothing does without it

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
