"""Finds the derivatives: in modules of `pipeline.gradients.derivatives`, in modules of operators, and in plug-ins.

`DERIVATIVES` of a module maps operator types to functions of a `Backward`; `FLAT` lists operators without gradients.
If the module has a `DOMAIN`, they belong to that domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import texelscope.pipeline.gradients.derivatives
from texelscope.pipeline.discovery import Plugin, are_functions, by_name, gathered, installed, plugins
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import OWN_DOMAIN, Node
from texelscope.pipeline.operators.families.registry import domain_of, families_and_plugins

Derivative = Callable[[Backward], None]

# Derivatives write with this.
SHARED = ("registry", "backward", "along_axes")


def derivative(node: Node) -> Derivative | None:
    """Returns the function that writes the backward nodes of a node; None for one without."""
    return all_derivatives().get(_key(node.op_type, node.domain))


@cache
def all_derivatives() -> Mapping[str, Derivative]:
    """Returns operator type, prefixed by any domain other than ONNX's → its derivative.

    Raises TexelscopeError naming the file of a bad or doubled entry.
    """
    return by_name(gathered(_plugins(), _entries), "an operator")


@cache
def flat() -> frozenset[str]:
    """Returns operators without gradients, named as in `all_derivatives`.

    Their outputs are whole numbers, or constant between jumps.
    """
    return frozenset(gathered(_plugins(), _flat))


def is_flat(node: Node) -> bool:
    """Reports whether the node has no gradient."""
    return _key(node.op_type, "" if node.domain == OWN_DOMAIN else node.domain) in flat()


def _key(op_type: str, domain: str) -> str:
    """Returns the key; unlike `key_of` of operators it includes this program's own domain, whose LRN differs."""
    return f"{domain}.{op_type}" if domain else op_type


def _plugins() -> Iterator[Plugin]:
    yield from plugins(texelscope.pipeline.gradients.derivatives, without=SHARED)
    for plugin in families_and_plugins():
        if hasattr(plugin.module, "DERIVATIVES") or hasattr(plugin.module, "FLAT"):
            yield plugin
    yield from installed("derivatives")


def _entries(plugin: Plugin) -> Iterator[tuple[str, Plugin, Derivative]]:
    if not hasattr(plugin.module, "DERIVATIVES") and hasattr(plugin.module, "OPERATORS"):
        return  # an operator's module with FLAT alone
    table = plugin.take(
        "DERIVATIVES",
        "a mapping from operators to functions of a Backward",
        'Add a line like DERIVATIVES = {"Relu": relu}.',
        are_functions,
    )
    for name, write in table.items():
        yield _key(name, domain_of(plugin)), plugin, write


def _flat(plugin: Plugin) -> Iterator[str]:
    for name in getattr(plugin.module, "FLAT", ()):
        yield _key(name, domain_of(plugin))
