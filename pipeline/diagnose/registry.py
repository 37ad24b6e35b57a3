"""Finds the rules: every module of `rules/`, each with one subclass of Rule called after its cause."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, ModuleType

from pipeline.diagnose import rules
from pipeline.diagnose.hypothesis import Band, Rule
from pipeline.errors import TexelscopeError


@cache
def all_rules() -> Mapping[str, Rule]:
    """Cause → rule. Raises TexelscopeError, naming the file, for a module that is no rule."""
    return discover(rules)


def discover(package: ModuleType) -> Mapping[str, Rule]:
    """The rules in the modules of `package` by cause, in alphabetical order."""
    found: dict[str, Rule] = {}
    for info in pkgutil.iter_modules(package.__path__):
        name = f"{package.__name__}.{info.name}"
        try:
            module = importlib.import_module(name)
        except Exception as error:
            raise TexelscopeError(name, "a module that imports", f"{error}", "Correct it or take it away.") from error
        rule = _rule(module, info.name)
        found[rule.cause] = rule
    return MappingProxyType(dict(sorted(found.items())))


def _rule(module: ModuleType, stem: str) -> Rule:
    where = module.__file__ or module.__name__
    kinds = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__
    ]
    if len(kinds) != 1 or inspect.isabstract(kinds[0]):
        names = ", ".join(kind.__name__ for kind in kinds) or "none"
        raise TexelscopeError(where, "exactly one subclass of Rule, with propose()", names, "One cause, one module.")
    kind = kinds[0]
    if getattr(kind, "cause", None) != stem:
        raise TexelscopeError(
            where, f"cause = '{stem}', like the file", repr(getattr(kind, "cause", None)), "Rename one."
        )
    if not isinstance(getattr(kind, "band", None), Band):
        raise TexelscopeError(where, "a band", repr(getattr(kind, "band", None)), "Set band to one of Band.")
    if not (kind.__doc__ or "").strip():
        raise TexelscopeError(where, "a docstring that says what the cause is", "none", "Write a line.")
    return kind()
