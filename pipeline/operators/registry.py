"""Finds the operators: every module of this folder that lists some in `OPERATORS`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import pipeline.operators
from pipeline.errors import TexelscopeError
from pipeline.operators.base import Operator

_FRAME = frozenset({"base", "registry"})


@cache
def all_operators() -> Mapping[str, Operator]:
    """Operator type → operator. Raises TexelscopeError naming the file of a bad or doubled entry."""
    found: dict[str, Operator] = {}
    homes: dict[str, str] = {}
    for module_info in pkgutil.iter_modules(pipeline.operators.__path__):
        if module_info.name in _FRAME:
            continue
        module = importlib.import_module(f"pipeline.operators.{module_info.name}")
        home = f"pipeline/operators/{module_info.name}.py"
        for entry in _entries(module, home):
            for name in entry.names():
                if name in found:
                    raise TexelscopeError(
                        home,
                        "an operator not defined elsewhere",
                        f"'{name}', also in {homes[name]}",
                        "Remove one of the two.",
                    )
                found[name] = entry
                homes[name] = home
    return MappingProxyType(found)


def _entries(module: object, home: str) -> tuple[Operator, ...]:
    entries = getattr(module, "OPERATORS", None)
    if not isinstance(entries, tuple) or not all(isinstance(entry, Operator) for entry in entries):
        raise TexelscopeError(
            home,
            "OPERATORS, a tuple of Operator instances",
            type(entries).__name__,
            "List the module's operators there.",
        )
    return entries
