"""Collects the offences of the whole product."""

from __future__ import annotations

from collections.abc import Iterable

from tests.plain_english.docstrings import without_verb
from tests.plain_english.exceptions import EXCEPTIONS
from tests.plain_english.folders import upwards
from tests.plain_english.names import used_twice
from tests.plain_english.offence import Offence
from tests.plain_english.words import dialect
from tests.pure.packages import edges, modules
from tests.pure.source_tree import syntax_of


def all_offences() -> list[Offence]:
    """Every place that breaks a rule, exceptions too, by file and line."""
    trees = {path.as_posix(): syntax_of(path) for path in modules().values()}
    found = [*used_twice(trees), *upwards(edges(), modules())]
    for file, tree in trees.items():
        found += [*without_verb(file, tree), *dialect(file, tree)]
    return sorted(found)


def remaining(offences: Iterable[Offence]) -> list[Offence]:
    """Those that are no exception."""
    return [offence for offence in offences if offence.key not in EXCEPTIONS]


def unneeded(offences: Iterable[Offence]) -> list[str]:
    """Exceptions that no offence has any more."""
    return sorted(EXCEPTIONS.keys() - {offence.key for offence in offences})
