"""Finds the derivatives: every module of `pipeline.gradients.derivatives`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import texelscope.pipeline.gradients.derivatives
from texelscope.pipeline.discovery import Plugin, by_name, plugins
from texelscope.pipeline.gradients.derivatives.backward import Backward

Derivative = Callable[[Backward], None]

# What they are written with.
SHARED = ("registry", "backward", "formulas", "along_axes", "sliding", "corners", "normalised_groups", "recurrence")


def derivative(op_type: str) -> Derivative | None:
    """What writes the backward nodes of an operator; None for one that has none."""
    return all_derivatives().get(op_type)


@cache
def all_derivatives() -> Mapping[str, Derivative]:
    """Operator type → its derivative. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return by_name(_entries(), "an operator")


@cache
def flat() -> frozenset[str]:
    """Operators through which nothing flows back: their outputs are whole numbers, or constant between jumps."""
    return frozenset(name for plugin in _plugins() for name in getattr(plugin.module, "FLAT", ()))


def _plugins() -> Iterator[Plugin]:
    return plugins(texelscope.pipeline.gradients.derivatives, without=SHARED)


def _entries() -> Iterator[tuple[str, Plugin, Derivative]]:
    for plugin in _plugins():
        table = plugin.take(
            "DERIVATIVES",
            "a mapping from operators to functions of a Backward",
            'Add a line like DERIVATIVES = {"Relu": relu}.',
            lambda it: isinstance(it, Mapping) and all(callable(each) for each in it.values()),
        )
        for name, write in table.items():
            yield name, plugin, write
