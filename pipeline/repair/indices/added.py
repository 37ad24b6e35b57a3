"""Proposes missing parts of an index: the start of its block, the size of another block, the step of its groups."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import FieldAccess, Identifier, NumberLiteral
from texelscope.pipeline.glsl.semantics.questions import declared_name
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.words.mutation import Mutation

# The nearest so many variables, and names of sizes.
_MOST, _MOST_SIZES = 4, 4
# A window has at most this many taps along an axis.
_WIDEST = 16


def added(index: Index) -> Iterator[Mutation]:
    """Proposes an index, or a part of one, with an addend."""
    node, parent = index.node, index.node.parent
    if parent is None or isinstance(node, NumberLiteral):
        return
    if index.is_whole and not index.is_fixed(node):
        used = {each.text for each in node.walk() if isinstance(each, Identifier | FieldAccess)}
        nearest = dict.fromkeys((*_turned(index), *index.variables(2 * _MOST)))
        names = [each for each in nearest if each not in used][:_MOST]
        if index.lanes > 1:
            yield from (index.as_index(f"{name} + {index.summand}") for name in names)
        elif index.scalar == "float":
            sizes = sorted(index.sizes(2 * _MOST_SIZES), key=lambda size: "." in size)[:_MOST_SIZES]
            yield from (index.as_moved(f"{name} * {size} + {index.summand}") for name in names for size in sizes)
    if parent.operator in ("+", "-") and index.lanes == 1:
        yield from _as_a_summand(index)


def _as_a_summand(index: Index) -> Iterator[Mutation]:
    node, text = index.node, index.text
    if isinstance(node, Identifier | FieldAccess) and index.is_fixed(node):
        yield from (index.as_index(f"{text} + {size}") for size in index.sizes(_MOST_SIZES))
    if node.operator in ("/", "%"):
        for step in index.steps:
            yield index.as_moved(f"{text} * {index.shown(step)}", f"{text} * {index.one}", step)
        yield from (index.as_moved(f"{text} * {size}") for size in index.sizes(_MOST_SIZES))
    if isinstance(node, Identifier) and index.kind == "int" and index.text in _turned(index):
        for step in (each for each in index.steps if each <= _WIDEST):
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)


def _turned(index: Index) -> list[str]:
    """Returns counters, of its type, of the loops around it."""
    starts = (each.initializer for each in index.node.ancestors() if isinstance(each, ForLoop))
    inside = (each for start in starts if start is not None for each in start.walk())
    names = (declared_name(each) for each in inside if isinstance(each, InitDeclarator))
    return [name for name in names if index.types.at(index.node, name) == index.kind]
