"""Finds the generators that the other modules of this folder list in `GENERATORS`, and the causes that they propose.

Modules of installed plug-ins count too; each holds the row of its cause beside its generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType, ModuleType
from typing import get_args

from texelscope.pipeline.diagnose import hypotheses
from texelscope.pipeline.diagnose.causes import Cause, Family
from texelscope.pipeline.diagnose.trial.hypothesis import Generator
from texelscope.pipeline.discovery import Plugin, by_name, gathered, installed, plugins

Generators = tuple[Generator, ...]


@cache
def by_cause() -> Mapping[str, Generators]:
    """Returns each cause's generators in the order of their turns, by its name, in alphabetical order.

    Raises TexelscopeError, naming the file, for a module that lists no generators.
    """
    return _by_cause((*plugins(hypotheses, without=("registry",)), *installed("causes")))


@cache
def in_turn() -> Generators:
    """Returns all generators as they take turns: stage by stage, and in alphabetical order of causes."""
    every = (each for generators in by_cause().values() for each in generators)
    return tuple(sorted(every, key=lambda each: each.stage))


def generators_of(cause: Cause) -> Generators:
    """Returns the generators of a cause in the order of their turns."""
    return by_cause().get(cause.name, ())


def all_causes() -> Mapping[str, Cause]:
    """Returns the causes that have a generator, by name, in alphabetical order."""
    return {name: generators[0].cause for name, generators in by_cause().items()}


def cause_called(name: str) -> Cause:
    """Returns the cause of that name; for a name without a generator a cause of which nothing holds."""
    return all_causes().get(name) or Cause(name, "computing", "")


def causes_where(holds: Callable[[Cause], bool]) -> frozenset[str]:
    """Returns the names of the causes that satisfy a predicate."""
    return frozenset(name for name, cause in all_causes().items() if holds(cause))


def by_family() -> Mapping[Family, tuple[str, ...]]:
    """Returns the names of each family's causes, in alphabetical order."""
    families: tuple[Family, ...] = get_args(Family)
    return {each: tuple(name for name, cause in all_causes().items() if cause.family == each) for each in families}


def discover(package: ModuleType) -> Mapping[str, Generators]:
    """Returns the generators in the modules of `package` by cause, in alphabetical order."""
    return _by_cause(plugins(package, without=("registry",)))


def _by_cause(found: Iterable[Plugin]) -> Mapping[str, Generators]:
    return MappingProxyType(dict(sorted(by_name(gathered(found, _listed), "a cause").items())))


def _listed(plugin: Plugin) -> Iterator[tuple[str, Plugin, Generators]]:
    expected, do_next = "a tuple of Generator instances", "List the module's generators."
    listed: Generators = plugin.take("GENERATORS", expected, do_next, _are_generators)
    causes = dict.fromkeys(each.cause for each in listed)
    for cause in causes:
        _check(plugin, cause, is_alone=len(causes) == 1)
        yield cause.name, plugin, tuple(each for each in listed if each.cause is cause)


def _are_generators(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(each, Generator) for each in value)


def _check(plugin: Plugin, cause: object, *, is_alone: bool) -> None:
    """Raises TexelscopeError for a cause that lacks something; one of a plug-in is called after its entry point."""
    if not isinstance(cause, Cause):
        raise plugin.refuse("a Cause in each generator", repr(cause), "Write a row for it.")
    if plugin.entry_point is not None and is_alone and cause.name != plugin.stem:
        expected = f"a cause called '{plugin.stem}', like {plugin.called_after}"
        raise plugin.refuse(expected, repr(cause.name), "Rename one of the two.")
    if cause.family not in get_args(Family):
        expected = f"a family, {' or '.join(get_args(Family))}"
        raise plugin.refuse(expected, repr(cause.family), "Set family to one of them.")
    if not cause.meaning:
        raise plugin.refuse("a meaning, which says what the cause is", "none", "Write a sentence.")
