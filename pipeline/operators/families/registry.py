"""Finds the operators: every module of this folder that lists some in `OPERATORS`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

import texelscope.pipeline.operators.families
from texelscope.pipeline.discovery import Plugin, by_name, plugins
from texelscope.pipeline.graph import OWN_DOMAIN, Node
from texelscope.pipeline.operators.base import Operator
from texelscope.pipeline.operators.facts import NOTHING, Facts


@cache
def all_operators() -> Mapping[str, Operator]:
    """Operator type → operator. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return discover(texelscope.pipeline.operators.families)


def operator_of(node: Node) -> Operator | None:
    """The operator of a node; None for one that nobody here knows."""
    return all_operators().get(node.op_type) if node.domain in ("", OWN_DOMAIN) else None


def facts_of(node: Node) -> Facts:
    """What the node's operator says of itself; of one that nobody here knows, nothing."""
    operator = operator_of(node)
    return NOTHING if operator is None else operator.facts


def discover(package: ModuleType) -> Mapping[str, Operator]:
    """Those that the modules of `package` list, by operator type."""
    return by_name(_entries(package), "an operator")


def _entries(package: ModuleType) -> Iterator[tuple[str, Plugin, Operator]]:
    for plugin in plugins(package, without=("registry",)):
        listed = plugin.take("OPERATORS", "a tuple of Operator instances", "List the module's operators there.", _valid)
        for entry in listed:
            for name in entry.names():
                yield name, plugin, entry


def _valid(entries: object) -> bool:
    return isinstance(entries, tuple) and all(isinstance(entry, Operator) for entry in entries)
