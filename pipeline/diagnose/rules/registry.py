"""Finds the rules: every other module of this folder, each with one subclass of Rule called after its cause."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, ModuleType

from pipeline.diagnose import rules
from pipeline.diagnose.trial.hypothesis import Band, Rule
from pipeline.discovery import Plugin, first_line, plugins


@cache
def all_rules() -> Mapping[str, Rule]:
    """Cause → rule. Raises TexelscopeError, naming the file, for a module that is no rule."""
    return discover(rules)


def discover(package: ModuleType) -> Mapping[str, Rule]:
    """The rules in the modules of `package` by cause, in alphabetical order."""
    found = {plugin.stem: _rule(plugin) for plugin in plugins(package, without=("registry",))}
    return MappingProxyType(dict(sorted(found.items())))


def _rule(plugin: Plugin) -> Rule:
    kind = plugin.only_subclass(Rule)  # type: ignore[type-abstract]
    cause, band = getattr(kind, "cause", None), getattr(kind, "band", None)
    if cause != plugin.stem:
        raise plugin.refuse(f"cause = '{plugin.stem}', like the file", repr(cause), "Rename one of the two.")
    if not isinstance(band, Band):
        raise plugin.refuse("a band", repr(band), "Set band to one of Band.")
    if not first_line(kind) and sys.flags.optimize < 2:  # python -OO has none at all
        raise plugin.refuse("a docstring that says what the cause is", "none", "Write a line.")
    return kind()
