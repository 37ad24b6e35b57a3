"""Finds the names that a declaration uses, and puts declarations in the order in which GLSL wants them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

from texelscope.pipeline.wgsl.syntax import CallNode, Declaration, NameNode


def names_in(node: object) -> Iterator[str]:
    """Yields the names that a part of the syntax tree uses, of types too."""
    if isinstance(node, NameNode):
        yield node.name
    if isinstance(node, CallNode):
        yield node.callee.name
    if isinstance(node, tuple):
        for each in node:
            yield from names_in(each)
    elif is_dataclass(node) and not isinstance(node, type):
        for one in fields(node):
            yield from names_in(getattr(node, one.name))


def used_by(first: Sequence[str], declarations: Mapping[str, Declaration]) -> list[str]:
    """Returns the names of declarations that some use, and their own, each behind those that it uses.

    A name of a function's own variable counts too: what is declared but hidden stays.
    """
    found: list[str] = []
    waiting: list[tuple[str, bool]] = [(name, False) for name in reversed(first)]
    seen: set[str] = set()
    while waiting:
        name, is_done = waiting.pop()
        if is_done:
            found.append(name)
        elif name not in seen and name in declarations:
            seen.add(name)
            waiting.append((name, True))
            waiting += [(each, False) for each in dict.fromkeys(names_in(declarations[name])) if each not in seen]
    return found
