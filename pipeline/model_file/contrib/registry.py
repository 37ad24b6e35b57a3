"""Finds the operators: every module of this folder lists some in `OPERATORS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

import texelscope.pipeline.model_file.contrib
from texelscope.pipeline.discovery import Plugin, are_functions, by_name, first_line, gathered, plugins
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.model_file.contrib.writer import Write

# Several modules use these.
SHARED = ("registry", "writer", "numbers")

# Optimised models have these in ONNX's domain, from before ONNX had them or although it never did.
_IN_PLAIN_DOMAIN = frozenset({"LayerNormalization", "SimplifiedLayerNormalization"})


def writes(domain: str, op_type: str) -> Write | None:
    """Returns the function that writes a node of that type in ONNX's own operators; None for an unknown one."""
    known = domain == CONTRIB_DOMAIN or (domain == "" and op_type in _IN_PLAIN_DOMAIN)
    return all_contributed().get(op_type) if known else None


def described() -> dict[str, str]:
    """Returns operator type → the description in the first sentence of its function."""
    return said_of(all_contributed())


def said_of(writes: Mapping[str, Write]) -> dict[str, str]:
    """Returns operator type → the description in the first sentence of its function."""
    lines = {name: first_line(write).partition(": ")[2] for name, write in writes.items()}
    return {name: line.partition(". ")[0].rstrip(".") for name, line in lines.items()}


@cache
def all_contributed() -> Mapping[str, Write]:
    """Returns operator type → its `write`. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return discover(texelscope.pipeline.model_file.contrib)


def discover(package: ModuleType) -> Mapping[str, Write]:
    """Returns the operators in the modules of `package`, by type."""
    return by_name(gathered(plugins(package, without=SHARED), _entries), "an operator")


def _entries(plugin: Plugin) -> Iterator[tuple[str, Plugin, Write]]:
    expected = "a mapping from names of operators to functions of a Writer"
    do_next = 'Add a line like OPERATORS = {"Gelu": gelu}.'
    listed: Mapping[str, Write] = plugin.take("OPERATORS", expected, do_next, are_functions)
    yield from ((name, plugin, write) for name, write in listed.items())
