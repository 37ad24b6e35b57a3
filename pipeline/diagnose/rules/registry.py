"""Finds the rules: every other module of this folder, with one or more subclasses of Rule, called after its cause.

Rules of installed plug-ins count too; each has the row of its cause in its own module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType, ModuleType
from typing import get_args

from texelscope.pipeline.diagnose import rules
from texelscope.pipeline.diagnose.causes import Cause, Family
from texelscope.pipeline.diagnose.trial.hypothesis import Rule, Stage
from texelscope.pipeline.discovery import Plugin, by_name, gathered, installed, plugins


@cache
def all_rules() -> Mapping[str, Rule]:
    """Returns each cause's rule. Raises TexelscopeError, naming the file, for a module that defines no rule."""
    return _discover((*plugins(rules, without=("registry",)), *installed("causes")))


def all_causes() -> Mapping[str, Cause]:
    """Returns the causes that have a rule, by name, in alphabetical order."""
    return {name: rule.cause for name, rule in all_rules().items()}


def cause_called(name: str) -> Cause:
    """Returns the cause of that name; for a name without a rule a cause of which nothing holds."""
    return all_causes().get(name) or Cause(name, "computing", "")


def causes_where(holds: Callable[[Cause], bool]) -> frozenset[str]:
    """Returns the names of the causes that satisfy a predicate."""
    return frozenset(name for name, cause in all_causes().items() if holds(cause))


def by_family() -> Mapping[Family, tuple[str, ...]]:
    """Returns the names of each family's causes, in alphabetical order."""
    families: tuple[Family, ...] = get_args(Family)
    return {each: tuple(name for name, cause in all_causes().items() if cause.family == each) for each in families}


def discover(package: ModuleType) -> Mapping[str, Rule]:
    """Returns the rules in the modules of `package` by cause, in alphabetical order."""
    return _discover(plugins(package, without=("registry",)))


def _discover(found: Iterable[Plugin]) -> Mapping[str, Rule]:
    return MappingProxyType(dict(sorted(by_name(gathered(found, _rules), "a cause").items())))


def _rules(plugin: Plugin) -> Iterator[tuple[str, Plugin, Rule]]:
    for kind in _kinds(plugin):
        yield kind.cause.name, plugin, kind()


def _kinds(plugin: Plugin) -> list[type[Rule]]:
    kinds = plugin.subclasses(Rule)  # type: ignore[type-abstract]
    for kind in kinds:
        cause, stage = getattr(kind, "cause", None), getattr(kind, "stage", None)
        if not isinstance(cause, Cause):
            raise plugin.refuse(f"a cause of {kind.__name__}", repr(cause), "Set cause to its row, a Cause.")
        if len(kinds) == 1 and cause.name != plugin.stem:
            expected = f"a cause called '{plugin.stem}', like {plugin.called_after}"
            raise plugin.refuse(expected, repr(cause.name), "Rename one of the two.")
        if cause.family not in get_args(Family):
            expected = f"a family, {' or '.join(get_args(Family))}"
            raise plugin.refuse(expected, repr(cause.family), "Set family to one of them.")
        if not cause.meaning:
            raise plugin.refuse("a meaning, which says what the cause is", "none", "Write a sentence.")
        if not isinstance(stage, Stage):
            raise plugin.refuse("a stage", repr(stage), "Set stage to one of Stage.")
    return kinds
