"""Kinds of bad files, one module each: `case(random)` makes one of them. A module that is put here is found."""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable, Collection
from typing import Any

from tests.fuzz.case import Case

Maker = Callable[[random.Random], Case]
# Of so many turns a kind takes part in each, unless its module says a smaller SHARE.
TURNS = 4


def all_kinds() -> dict[str, Maker]:
    """Returns what makes a case, by the name of its kind."""
    return {name: _module(name).case for name in _names()}


def turn(kinds: Collection[str] | None = None) -> list[str]:
    """The kinds, those asked for or all, each as often as its share is; a run goes round and round."""
    names = [name for name in _names() if kinds is None or name in kinds]
    shares = {name: getattr(_module(name), "SHARE", TURNS) for name in names}
    return [name for number in range(TURNS) for name in names if number < shares[name]]


def _names() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
