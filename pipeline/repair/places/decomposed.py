"""Proposes the other decomposition of an index: quotient and remainder exchanged.

This puts blocks inside channels, or channels inside blocks; the last axis first, or the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from texelscope.pipeline.glsl.semantics.expressions import Assignment, Identifier
from texelscope.pipeline.glsl.semantics.questions import sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    InitDeclarator,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.indices.named_sizes import sizes_at
from texelscope.pipeline.repair.words.mutation import Mutation, Places

# The other part follows within this many statements. At most this many numbers are tried, none larger.
_APART, _MOST, _LARGEST = 3, 12, 1 << 12
_OTHER = {"/": "%", "%": "/"}


class _Part(NamedTuple):
    """A variable `name` that is assigned `number / divisor`, or its remainder by `sign`, in `node`."""

    name: str
    number: str
    sign: str
    divisor: str
    node: SyntaxNode


def decomposed(root: SyntaxNode, types: Types, scope: NameScope, sizes: Sequence[float]) -> Iterator[Places]:
    """Proposes both parts of a decomposition at once, by the same number, by `sizes`, and by names of sizes."""
    has_remainders = b"%" in root.text.encode()
    for block in root.walk():
        statements = block.named_children if isinstance(block, CompoundStatement) else []
        for place, statement in enumerate(statements):
            for first in _declared(statement, types):
                for after in statements[place : place + _APART + 1]:
                    second = _second(first, after, types)
                    if second is not None:
                        names = sizes_at(first.node, types, scope)
                        yield from _exchanged(first, second, names, sizes, has_remainders=has_remainders)


def _declared(statement: SyntaxNode, types: Types) -> Iterator[_Part]:
    """Yields quotients and remainders of a variable in a declaration."""
    for each in statement.declarators if isinstance(statement, Declaration) else ():
        if not isinstance(each, InitDeclarator) or types.of(each.value) != "int":
            continue
        name, value = each.declarator, each.value
        (a, b), sign = sides_of(value), value.operator
        if a is not None and b is not None and isinstance(a, Identifier) and sign in ("/", "%", "-"):
            yield _Part(name.text, a.text, sign, b.text, value)


def _second(first: _Part, after: SyntaxNode, types: Types) -> SyntaxNode | None:
    """Returns the node of the other part: a declaration's value, or an assignment to the variable itself."""
    if first.sign == "-":
        return None
    for each in _declared(after, types):
        is_behind = each.number == first.number and each.node.start_byte > first.node.start_byte
        if is_behind and (each.sign == _OTHER[first.sign] or (first.sign == "/" and _is_rest(each.divisor, first))):
            return each.node
    inner = after.named_children[0] if isinstance(after, ExpressionStatement) and after.named_children else None
    if not isinstance(inner, Assignment) or inner.left.text != first.number:
        return None
    sign = inner.operator
    is_rest = sign == "%=" or (sign == "-=" and _is_rest(inner.right.text, first))
    return after if (is_rest if first.sign == "/" else sign == "/=") else None


def _is_rest(taken_off: str, first: _Part) -> bool:
    """Whether something is roughly the quotient times the divisor."""
    return taken_off.startswith(f"{first.name} *") or taken_off.endswith(f"* {first.name}")


def _exchanged(
    first: _Part, second: SyntaxNode, names: Sequence[str], sizes: Sequence[float], *, has_remainders: bool
) -> Iterator[Places]:
    numbers = [f"{size:g}" for size in sizes if size.is_integer() and 1 < size < _LARGEST][:_MOST]
    is_statement = isinstance(second, ExpressionStatement)
    for by in dict.fromkeys((first.divisor, *names, *numbers)):
        rest = f"{first.number} % {by}" if has_remainders else f"{first.number} - {first.number} / {by} * {by}"
        quotient = f"{first.number} / {by}"
        one, other = (rest, quotient) if first.sign == "/" else (quotient, rest)
        if is_statement:
            is_divided = first.sign == "/"
            other = f"{first.number} /= {by};" if is_divided else f"{first.number} -= {first.name} * {by};"
        yield (_said(first.node, one, is_statement=False), _said(second, other, is_statement=is_statement))


def _said(node: SyntaxNode, new: str, *, is_statement: bool) -> tuple[SyntaxNode, Mutation]:
    kind, template = ("statement", new) if is_statement else ("index", f"({new})")
    return node, Mutation(node.start_byte, node.end_byte, node.text, new, kind, template)  # type: ignore[arg-type]
