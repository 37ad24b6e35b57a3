"""What was left out of an index: where its block begins, the size of another block, how far apart its groups lie."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.syntax import declared_name, parents, text_of, walk
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of variables, and of names of sizes, the nearest so many.
_MOST, _MOST_SIZES = 4, 4
# A window has so many taps along an axis at most.
_WIDEST = 16


def added(index: Index) -> Iterator[Mutation]:
    """An index with something more in it, or a part of one."""
    node, parent = index.node, index.node.parent
    if parent is None or node.type == "number_literal":
        return
    if index.is_whole and not index.is_fixed(node):
        used = {text_of(each) for each in walk(node) if each.type in ("identifier", "field_expression")}
        nearest = dict.fromkeys((*_turned(index), *index.variables(2 * _MOST)))
        names = [each for each in nearest if each not in used][:_MOST]
        if index.lanes > 1:
            yield from (index.as_index(f"{name} + {index.summand}") for name in names)
        elif index.scalar == "float":
            sizes = sorted(index.sizes(2 * _MOST_SIZES), key=lambda size: "." in size)[:_MOST_SIZES]
            yield from (index.as_moved(f"{name} * {size} + {index.summand}") for name in names for size in sizes)
    if sign_of(parent) in ("+", "-") and index.lanes == 1:
        yield from _as_a_summand(index)


def _as_a_summand(index: Index) -> Iterator[Mutation]:
    node, text = index.node, index.text
    if node.type in ("identifier", "field_expression") and index.is_fixed(node):
        yield from (index.as_index(f"{text} + {size}") for size in index.sizes(_MOST_SIZES))
    if sign_of(node) in ("/", "%"):
        for step in index.steps:
            yield index.as_moved(f"{text} * {index.shown(step)}", f"{text} * {index.one}", step)
        yield from (index.as_moved(f"{text} * {size}") for size in index.sizes(_MOST_SIZES))
    if node.type == "identifier" and index.kind == "int" and index.text in _turned(index):
        for step in (each for each in index.steps if each <= _WIDEST):
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)


def _turned(index: Index) -> list[str]:
    """Variables of its type of the loops around it."""
    starts = (each.child_by_field_name("initializer") for each in parents(index.node) if each.type == "for_statement")
    inside = (each for start in starts if start is not None for each in walk(start))
    names = (declared_name(each) for each in inside if each.type == "init_declarator")
    return [name for name in names if index.types.at(index.node, name) == index.kind]
