"""Finds the fast versions: every module of a folder, validated when it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType

from texelscope.pipeline.discovery import Plugin, by_name, plugins
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

Evaluate = Callable[[Invocation], Outputs | None]


@cache  # an oracle is made for each model, the folders stay as they are
def discover(*packages: ModuleType) -> Mapping[str, Evaluate]:
    """Operator name → `evaluate`, from the modules of `packages`.

    Raises TexelscopeError, naming the file, for a module that cannot be imported, that lacks `OPERATOR` or
    `evaluate`, or that claims an operator which another module has.
    """
    return by_name((found for package in packages for found in _versions(package)), "a version of an operator")


def _versions(package: ModuleType) -> Iterator[tuple[str, Plugin, Evaluate]]:
    for plugin in plugins(package):
        operator = plugin.take(
            "OPERATOR",
            "the name of an ONNX operator",
            'Add a line like OPERATOR = "Conv".',
            lambda it: isinstance(it, str),
        )
        evaluate = plugin.take(
            "evaluate", "a function of an Invocation", "See pipeline/oracle/fast/__init__.py.", callable
        )
        yield operator, plugin, evaluate
