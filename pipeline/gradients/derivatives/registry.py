"""Finds the derivatives: every module of `pipeline.gradients.derivatives`, of an operator's own, and of plug-ins.

A module names functions of a `Backward` by operator type in `DERIVATIVES`, and in `FLAT` operators through which
nothing flows back. Where it has a `DOMAIN`, they are of that domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import texelscope.pipeline.gradients.derivatives
from texelscope.pipeline.discovery import Plugin, by_name, gathered, installed, plugins
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import OWN_DOMAIN, Node
from texelscope.pipeline.operators.families.registry import domain_of, families_and_plugins

Derivative = Callable[[Backward], None]

# Derivatives write with this.
SHARED = ("registry", "backward", "formulas", "along_axes", "sliding", "corners", "normalised_groups", "recurrence")


def derivative(node: Node) -> Derivative | None:
    """What writes the backward nodes of a node; None for one that has none."""
    return all_derivatives().get(_key(node.op_type, node.domain))


@cache
def all_derivatives() -> Mapping[str, Derivative]:
    """Operator type, behind a domain that is not ONNX's → its derivative.

    Raises TexelscopeError naming the file of a bad or doubled entry.
    """
    return by_name(gathered(_plugins(), _entries), "an operator")


@cache
def flat() -> frozenset[str]:
    """Operators, as `all_derivatives` names them, through which nothing flows back.

    Their outputs are whole numbers, or constant between jumps.
    """
    return frozenset(gathered(_plugins(), _flat))


def is_flat(node: Node) -> bool:
    """Whether nothing flows back through the node."""
    return _key(node.op_type, "" if node.domain == OWN_DOMAIN else node.domain) in flat()


def _key(op_type: str, domain: str) -> str:
    """Unlike `key_of` of the operators, with this program's own domain: its LRN, say, has another derivative."""
    return f"{domain}.{op_type}" if domain else op_type


def _plugins() -> Iterator[Plugin]:
    yield from plugins(texelscope.pipeline.gradients.derivatives, without=SHARED)
    for plugin in families_and_plugins():
        if hasattr(plugin.module, "DERIVATIVES") or hasattr(plugin.module, "FLAT"):
            yield plugin
    yield from installed("derivatives")


def _entries(plugin: Plugin) -> Iterator[tuple[str, Plugin, Derivative]]:
    if not hasattr(plugin.module, "DERIVATIVES") and hasattr(plugin.module, "OPERATORS"):
        return  # an operator's module that has FLAT alone
    table = plugin.take(
        "DERIVATIVES",
        "a mapping from operators to functions of a Backward",
        'Add a line like DERIVATIVES = {"Relu": relu}.',
        lambda it: isinstance(it, Mapping) and all(callable(each) for each in it.values()),
    )
    for name, write in table.items():
        yield _key(name, domain_of(plugin)), plugin, write


def _flat(plugin: Plugin) -> Iterator[str]:
    for name in getattr(plugin.module, "FLAT", ()):
        yield _key(name, domain_of(plugin))
