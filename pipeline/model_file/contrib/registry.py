"""Finds the operators: every module of this folder that has a `write`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType

import texelscope.pipeline.model_file.contrib
from texelscope.pipeline.discovery import Plugin, by_name, plugins
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.model_file.contrib.writer import Writer

Write = Callable[[Writer], None]

# What several of them are written with.
SHARED = (
    "registry", "writer", "activations", "attended", "channels", "filled", "linear", "normalised", "numbers", "packed",
    "post_transform", "quantised", "rotation", "steps", "trees",
)  # fmt: skip

# Optimised models have these in ONNX's domain, from before ONNX had them or without its ever having had them.
_IN_PLAIN_DOMAIN = frozenset({"LayerNormalization", "SimplifiedLayerNormalization"})


def writes(domain: str, op_type: str) -> Write | None:
    """What writes a node of that type in ONNX's own operators; None for one that is not known here."""
    known = domain == CONTRIB_DOMAIN or (domain == "" and op_type in _IN_PLAIN_DOMAIN)
    return all_contributed().get(op_type) if known else None


def described() -> dict[str, str]:
    """Operator type → what the first line of its module says of it."""
    return said_of(all_contributed())


def said_of(writes: Mapping[str, Write]) -> dict[str, str]:
    """Operator type → what the first line of its `write`'s module says of it."""
    modules = {name: inspect.getmodule(write) for name, write in writes.items()}
    lines = {name: (inspect.getdoc(module) or "").partition("\n")[0] for name, module in modules.items()}
    return {name: line.partition(": ")[2].rstrip(".") for name, line in lines.items()}


@cache
def all_contributed() -> Mapping[str, Write]:
    """Operator type → its `write`. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return discover(texelscope.pipeline.model_file.contrib)


def discover(package: ModuleType) -> Mapping[str, Write]:
    """Those that the modules of `package` have, by operator type."""
    return by_name(_entries(package), "an operator")


def _entries(package: ModuleType) -> Iterator[tuple[str, Plugin, Write]]:
    for plugin in plugins(package, without=SHARED):
        operator = plugin.take(
            "OPERATOR",
            "the name of an operator of com.microsoft",
            'Add a line like OPERATOR = "FusedConv".',
            lambda it: isinstance(it, str),
        )
        write = plugin.take("write", "a function of a Writer", "See the folder's __init__.py.", callable)
        yield operator, plugin, write
