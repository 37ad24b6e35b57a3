"""Finds the rules: every other module of this folder, with one or more subclasses of Rule, called after its cause."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, ModuleType

from texelscope.pipeline.diagnose import rules
from texelscope.pipeline.diagnose.trial.hypothesis import Rule, Stage
from texelscope.pipeline.discovery import Plugin, by_name, first_line, plugins


@cache
def all_rules() -> Mapping[str, Rule]:
    """Returns each cause's rule. Raises TexelscopeError, naming the file, for a module that defines no rule."""
    return discover(rules)


def discover(package: ModuleType) -> Mapping[str, Rule]:
    """Returns the rules in the modules of `package` by cause, in alphabetical order."""
    found = (
        (kind.cause, plugin, kind()) for plugin in plugins(package, without=("registry",)) for kind in _kinds(plugin)
    )
    return MappingProxyType(dict(sorted(by_name(found, "a cause").items())))


def _kinds(plugin: Plugin) -> list[type[Rule]]:
    kinds = plugin.subclasses(Rule)  # type: ignore[type-abstract]
    for kind in kinds:
        cause, stage = getattr(kind, "cause", None), getattr(kind, "stage", None)
        if len(kinds) == 1 and cause != plugin.stem:
            raise plugin.refuse(f"cause = '{plugin.stem}', like the file", repr(cause), "Rename one of the two.")
        if not isinstance(cause, str):
            raise plugin.refuse(f"a cause of {kind.__name__}", repr(cause), "Set cause to its name.")
        if not isinstance(stage, Stage):
            raise plugin.refuse("a stage", repr(stage), "Set stage to one of Stage.")
        if not first_line(kind) and sys.flags.optimize < 2:  # python -OO removes docstrings
            raise plugin.refuse("a docstring that says what the cause is", "none", "Write a line.")
    return kinds
