"""Proposes the number of loop iterations that made a sum in place of its divisor."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    Identifier,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import bare, declared_name, function_around, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of
from texelscope.pipeline.repair.indices.index import enclosed
from texelscope.pipeline.repair.words.mutation import Mutation, swap

# The nearest so many loops before a quotient, and the deepest nesting.
_MOST, _DEEPEST = 3, 3


def turns(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a divisor."""
    parent, function = node.parent, function_around(node)
    is_divisor = isinstance(parent, BinaryExpression) and parent.operator == "/" and parent.right is node
    if not is_divisor or function is None or types.of(node) != "float":
        return
    before = _loops(function, node.start_byte)
    known = {name for name, _ in scope.variables(node)} | {name for name, _ in types.visible("")} | {*types.macros}
    for loop in before[-_MOST:]:
        factors = [*_turns_of(loop)]
        names = {each.text for factor in factors for part in factor[:2] for each in part.walk()
                 if isinstance(each, Identifier) and scalar_of(types.of(each))}  # fmt: skip
        if factors and names <= known:
            counts = [_count(*factor) for factor in factors]
            new = counts[0] if len(counts) == 1 else " * ".join(f"({each})" if " " in each else each for each in counts)
            is_float = types.of(factors[0][1]) == "float"
            yield swap(node, f"({new})" if is_float else f"float({new})")


def _loops(function: SyntaxNode, stop: int) -> list[ForLoop]:
    """Returns outermost loops of a function that end before a byte."""
    every = [each for each in function.of_type(ForLoop) if each.end_byte <= stop]
    return [each for each in every if not any(outer in every for outer in each.ancestors())]


def _turns_of(loop: ForLoop) -> Iterator[tuple[SyntaxNode, SyntaxNode, SyntaxNode]]:
    """Yields begin, end and condition of a loop, and of the loops nested in it."""
    for _ in range(_DEEPEST):
        start, asked, step = loop.initializer, loop.condition, loop.update
        begun = next(start.of_type(InitDeclarator), None) if start is not None else None
        left, last = sides_of(asked) if asked is not None else (None, None)
        if begun is None or asked is None or left is None or last is None or step is None:
            return
        is_one = isinstance(step, UpdateExpression) or step.text.replace(" ", "").endswith(("+=1", "+=1.0"))
        if not is_one or asked.operator not in ("<", "<=") or left.text != declared_name(begun):
            return
        yield begun.value, last, asked
        inner = next((each for each in loop.of_type(ForLoop) if each != loop), None)
        if inner is None:
            return
        loop = inner


def _count(first: SyntaxNode, last: SyntaxNode, asked: SyntaxNode) -> str:
    end = enclosed(last) if isinstance(last, ConditionalExpression) else last.text
    begins = bare(first).text.strip("0.") != ""
    count = f"{end} - {enclosed(first)}" if begins else end
    return f"{count} + 1" if asked.operator == "<=" else count
