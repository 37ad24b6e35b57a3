"""Finds the numpy versions of operators: every module of a folder lists some, validated when it is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

from texelscope.pipeline.discovery import Plugin, are_functions, by_name, gathered, plugins
from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate


@cache  # an oracle is made for each model, the folders stay unchanged
def discover(package: ModuleType) -> Mapping[str, Evaluate]:
    """Returns operator name → the function that evaluates it, from the modules of `package`.

    Raises TexelscopeError, naming the file, for a module that cannot be imported, that lacks `OPERATORS`, or that
    claims another module's operator.
    """
    return by_name(gathered(plugins(package), _versions), "a version of an operator")


def _versions(plugin: Plugin) -> Iterator[tuple[str, Plugin, Evaluate]]:
    expected = "a mapping from names of operators to functions of an Invocation"
    do_next = 'Add a line like OPERATORS = {"Conv": conv}.'
    listed: Mapping[str, Evaluate] = plugin.take("OPERATORS", expected, do_next, are_functions)
    yield from ((name, plugin, evaluate) for name, evaluate in listed.items())
