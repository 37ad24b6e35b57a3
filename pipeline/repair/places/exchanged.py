"""Proposes exchanged values of two variables, and exchanged bodies of two macros."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeVar

from texelscope.pipeline.glsl.semantics.expressions import Assignment, NumberLiteral
from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.questions import function_around, value_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, scalar_of
from texelscope.pipeline.repair.places.leaves import leaves_of
from texelscope.pipeline.repair.words.mutation import Places, swap

_T = TypeVar("_T")
# The greatest distance in lines, and the longest value.
_APART, _LONGEST = 2, 400


def exchanged(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes it for every two variables of one type that are assigned on nearby lines."""
    values = [value for node in root.walk() if (value := _given(node)) is not None]
    for first, second in _near([(each, each.row) for each in values]):
        if function_around(first) == function_around(second) and _are_alike(first, second, types):
            known = [{name for name, _ in scope.variables(each)} for each in (first, second)]
            names = {each.text for value in (first, second) for leaf in leaves_of(value) for each in leaf.walk()}
            if not names & (known[0] ^ known[1]):
                yield (first, swap(first, second.text)), (second, swap(second, first.text))


def exchanged_macros(macros: Sequence[Macro], types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes it for every two macros of one type on nearby lines, unless one would refer to itself."""
    for first, second in _near([(each, each.line) for each in macros]):
        one, other = first.expression, second.expression
        if _are_alike(one, other, types) and _may_say(one, other, scope) and _may_say(other, one, scope):
            yield (
                (one, swap(one, other.text).moved(first.shift)),
                (other, swap(other, one.text).moved(second.shift)),
            )


def _may_say(one: SyntaxNode, other: SyntaxNode, scope: NameScope) -> bool:
    return all(scope.is_known(leaf.text, one) for leaf in leaves_of(other))


def _near(some: Sequence[tuple[_T, int]]) -> Iterator[tuple[_T, _T]]:
    for (one, line), (other, below) in itertools.combinations(some, 2):
        if below - line <= _APART:
            yield one, other


def _are_alike(first: SyntaxNode, second: SyntaxNode, types: Types) -> bool:
    kind, texts = types.of(first), (first.text, second.text)
    is_value = bool(scalar_of(kind)) and not is_matrix(kind) and kind == types.of(second)
    return is_value and texts[0] != texts[1] and not any(len(each) > _LONGEST or "#" in each or "//" in each
                                                         for each in texts)  # fmt: skip


def _given(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the whole value that a variable is assigned in a function; no lone number."""
    value = value_of(node)
    is_whole = isinstance(node, InitDeclarator) or (isinstance(node, Assignment) and node.operator == "=")
    if not is_whole or value is None or function_around(node) is None or isinstance(value, NumberLiteral):
        return None
    return value
