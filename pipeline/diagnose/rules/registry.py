"""Finds the rules: every other module of this folder, with a subclass of Rule called after its cause, or several.

Those of installed plug-ins count too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType, ModuleType
from typing import get_args

from texelscope.pipeline.diagnose import rules
from texelscope.pipeline.diagnose.trial.hypothesis import Family, Rule, Stage, Traits
from texelscope.pipeline.discovery import Plugin, by_name, first_line, gathered, installed, plugins


@cache
def all_rules() -> Mapping[str, Rule]:
    """Cause → rule. Raises TexelscopeError, naming the file, for a module that is no rule."""
    return _discover((*plugins(rules, without=("registry",)), *installed("causes")))


def traits_of(cause: str) -> Traits:
    """What holds of a cause; nothing of one that no rule stands for."""
    rule = all_rules().get(cause)
    return Traits() if rule is None else rule.traits


def causes_where(holds: Callable[[Traits], bool]) -> frozenset[str]:
    """The causes of whose traits it holds."""
    return frozenset(cause for cause, rule in all_rules().items() if holds(rule.traits))


def by_family() -> Mapping[Family, tuple[str, ...]]:
    """The causes of each family, in alphabetical order."""
    families: tuple[Family, ...] = get_args(Family)
    return {each: tuple(cause for cause, rule in all_rules().items() if rule.family == each) for each in families}


def discover(package: ModuleType) -> Mapping[str, Rule]:
    """The rules in the modules of `package` by cause, in alphabetical order."""
    return _discover(plugins(package, without=("registry",)))


def _discover(found: Iterable[Plugin]) -> Mapping[str, Rule]:
    return MappingProxyType(dict(sorted(by_name(gathered(found, _rules), "a cause").items())))


def _rules(plugin: Plugin) -> Iterator[tuple[str, Plugin, Rule]]:
    for kind in _kinds(plugin):
        yield kind.cause, plugin, kind()


def _kinds(plugin: Plugin) -> list[type[Rule]]:
    kinds = plugin.subclasses(Rule)  # type: ignore[type-abstract]
    for kind in kinds:
        cause, stage = getattr(kind, "cause", None), getattr(kind, "stage", None)
        if len(kinds) == 1 and cause != plugin.stem:
            raise plugin.refuse(
                f"cause = '{plugin.stem}', like {plugin.called_after}", repr(cause), "Rename one of the two."
            )
        if not isinstance(cause, str):
            raise plugin.refuse(f"a cause of {kind.__name__}", repr(cause), "Set cause to its name.")
        if not isinstance(stage, Stage):
            raise plugin.refuse("a stage", repr(stage), "Set stage to one of Stage.")
        family = getattr(kind, "family", None)
        if family not in get_args(Family):
            raise plugin.refuse(
                f"a family, {' or '.join(get_args(Family))}", repr(family), "Set family to one of them."
            )
        if not isinstance(kind.traits, Traits):
            raise plugin.refuse("traits, an instance of Traits", repr(kind.traits), "See another rule.")
        if not first_line(kind) and sys.flags.optimize < 2:  # python -OO removes docstrings
            raise plugin.refuse("a docstring that says what the cause is", "none", "Write a line.")
    return kinds
