"""In place of what a sum is divided by: how many turns the loops took that made it."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import bare, declared_name, function_around, parents, text_of, walk
from texelscope.pipeline.repair.indices.index import enclosed
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, scalar_of

# Of the loops before a quotient, the nearest so many; loops in one another, so many.
_MOST, _DEEPEST = 3, 3


def turns(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a node, where that is a divisor."""
    parent, function = node.parent, function_around(node)
    is_divisor = parent is not None and sign_of(parent) == "/" and parent.child_by_field_name("right") == node
    if not is_divisor or function is None or types.of(node) != "float":
        return
    before = _loops(function, node.start_byte)
    known = {name for name, _ in scope.variables(node)} | {name for name, _ in types.visible("")} | {*types.macros}
    for loop in before[-_MOST:]:
        factors = [*_turns_of(loop)]
        names = {text_of(each) for factor in factors for part in factor[:2] for each in walk(part)
                 if each.type == "identifier" and scalar_of(types.of(each))}  # fmt: skip
        if factors and names <= known:
            counts = [_count(*factor) for factor in factors]
            new = counts[0] if len(counts) == 1 else " * ".join(f"({each})" if " " in each else each for each in counts)
            is_float = types.of(factors[0][1]) == "float"
            yield swap(node, f"({new})" if is_float else f"float({new})")


def _loops(function: tree_sitter.Node, stop: int) -> list[tree_sitter.Node]:
    """Those of a function that end before a byte, and are in no other such one."""
    every = [each for each in walk(function) if each.type == "for_statement" and each.end_byte <= stop]
    return [each for each in every if not any(outer in every for outer in parents(each))]


def _turns_of(loop: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node, tree_sitter.Node]]:
    """Of a loop and the first one in it, and so on: where it begins, where it ends, and the condition; one by one."""
    for _ in range(_DEEPEST):
        start, asked, step = (loop.child_by_field_name(part) for part in ("initializer", "condition", "update"))
        begun = next((each for each in walk(start) if each.type == "init_declarator"), None) if start else None
        first = begun.child_by_field_name("value") if begun is not None else None
        left, last = (asked.child_by_field_name(part) if asked else None for part in ("left", "right"))
        if begun is None or first is None or asked is None or left is None or last is None or step is None:
            return
        is_one = step.type == "update_expression" or text_of(step).replace(" ", "").endswith(("+=1", "+=1.0"))
        if not is_one or sign_of(asked) not in ("<", "<=") or text_of(left) != declared_name(begun):
            return
        yield first, last, asked
        inner = next((each for each in walk(loop) if each.type == "for_statement" and each != loop), None)
        if inner is None:
            return
        loop = inner


def _count(first: tree_sitter.Node, last: tree_sitter.Node, asked: tree_sitter.Node) -> str:
    end = enclosed(last) if last.type in ("conditional_expression",) else text_of(last)
    begins = text_of(bare(first)).strip("0.") != ""
    count = f"{end} - {enclosed(first)}" if begins else end
    return f"{count} + 1" if sign_of(asked) == "<=" else count
