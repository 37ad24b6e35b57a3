"""Proposes all changes of an address, one at a time: mirrored, another axis, another step, unclamped.

Few proposals of a place have the kind `index`, many the kind `moved`. A mirrored index is counted from the other end,
along one axis or along two. Another index stands for a number or an index along an axis, or for two axes folded into
one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, FunctionDefinition, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.borders import about_centres, held, sized
from texelscope.pipeline.repair.indices.index import APART, Addresses, Index, enclosed
from texelscope.pipeline.repair.indices.index_terms import added
from texelscope.pipeline.repair.indices.rounded import rounded
from texelscope.pipeline.repair.indices.strides import divided, strided
from texelscope.pipeline.repair.text.mutation import Mutation, is_target, with_texts

# The nearest so many names of sizes.
_MOST_MIRRORED = 3
# The nearest so many variables, and sizes.
_MOST_VARIABLES, _MOST_SIZES = 6, 3
_PLACES = (ArgumentList, Subscript)
_CONSTRUCTOR = re.compile(r"[iu]?vec[23]")
_NOTHING = re.compile(r"0u?|0?\.0*")
# Lanes, taps and group sizes that no size names; at most so many steps, and none larger.
_COUNTS, _MOST_STEPS, _LARGEST = (2.0, 3.0, 4.0), 12, 1 << 16
_LONGEST = 120


class _Ends(NamedTuple):
    """The start of a loop, its end, and whether that is included."""

    first: str
    last: str
    is_within: bool


def mirrored(index: Index) -> Iterator[Mutation]:
    """Proposes an index from the other end, or from the start if it is reversed already."""
    node = index.node
    if isinstance(node, Identifier) and (ends := _ends(node)) is not None:
        yield index.as_index(_from_the_other_end(index.text, ends, index.scalar))
    if index.is_whole and isinstance(node, BinaryExpression | FunctionCall):
        yield from (index.as_index(new) for new in _both(index))
    a, b = sides_of(node)
    if node.operator == "-" and a is not None and b is not None and a.operator == "+" and not index.is_fixed(b):
        before, last = a.named_children[0], a.named_children[-1]
        if index.is_fixed(last) and not index.is_fixed(before):
            yield index.as_index(f"{before.text} + {b.text}")
    is_turned = node.operator == "-" and a is not None and index.is_fixed(a)
    if is_turned and b is not None and index.types.of(b) == index.kind and not index.is_fixed(b):
        yield index.as_index(b.text)
    if not index.is_whole or isinstance(node, NumberLiteral) or index.is_fixed(node):
        return
    text, one = enclosed(node), index.shown(1)
    if index.kind == "int":
        for step in index.steps:
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)
    yield from (index.as_index(f"{size} - {one} - {text}") for size in index.sizes(_MOST_MIRRORED))


def _both(index: Index) -> Iterator[str]:
    """Yields two loop variables reversed at once, if their loops have the same ends."""
    leaves = list(index.node.of_type(Identifier))
    ends = {leaf.text: found for leaf in leaves if (found := _ends(leaf)) is not None}
    for pair in itertools.combinations(ends, 2):
        some = [leaf for leaf in leaves if leaf.text in pair]
        if ends[pair[0]] == ends[pair[1]]:
            yield _turned(index, some, ends[pair[0]])
        if ends[pair[0]].last == ends[pair[1]].last and ends[pair[0]].is_within == ends[pair[1]].is_within:
            yield _turned(index, some, ends[pair[0]]._replace(first="0"))


def _turned(index: Index, leaves: Sequence[SyntaxNode], ends: _Ends) -> str:
    texts = {}
    for leaf in leaves:
        new = _from_the_other_end(leaf.text, ends, index.types.of(leaf))
        texts[leaf] = new if leaf.parent is not None and isinstance(leaf.parent, APART) else f"({new})"
    return with_texts(index.node, texts)


def _from_the_other_end(name: str, ends: _Ends, scalar: str) -> str:
    if re.sub(r"\s", "", ends.first) == f"-{ends.last}" and ends.is_within:
        return f"-{name}"
    last = ends.last if ends.is_within else f"{ends.last} - {'1.0' if scalar == 'float' else '1'}"
    return f"{last} - {name}" if re.fullmatch(r"0(\.0*)?", ends.first) else f"{ends.first} + {last} - {name}"


def _ends(name: SyntaxNode) -> _Ends | None:
    """Returns the ends of the loop whose variable it is; None for any other variable."""
    for loop in name.ancestors():
        if isinstance(loop, FunctionDefinition):
            break
        if not isinstance(loop, ForLoop) or loop.initializer is None or loop.condition is None:
            continue
        body, begun = loop.body, loop.initializer.of_type(InitDeclarator)
        value = next((each.value for each in begun if each.declarator.text == name.text), None)
        (left, right), sign = sides_of(loop.condition), loop.condition.operator
        is_inside = body.start_byte <= name.start_byte < body.end_byte
        if value is None or left is None or right is None or left.text != name.text or not is_inside:
            continue
        return _Ends(value.text, enclosed(bare(right)), sign == "<=") if sign in ("<", "<=") else None
    return None


def placed(index: Index) -> Iterator[Mutation]:
    """Proposes another index in place of one, along one axis."""
    node, parent = index.node, index.node.parent
    if parent is None or not isinstance(parent, _PLACES) or index.lanes != 1:
        return
    if isinstance(node, NumberLiteral | BinaryExpression):
        yield from (index.as_index(each) for each in index.variables(_MOST_VARIABLES))
        yield from (
            index.as_index(each) for each in itertools.islice(index.scope.unused(node, index.kind), _MOST_VARIABLES)
        )
    if isinstance(node, Identifier | FieldAccess) and index.scalar != "float":
        yield index.as_index(index.shown(0))


def folded(index: Index) -> Iterator[Mutation]:
    """Proposes both coordinates from one index, and one index along one axis where both are made of it."""
    given = arguments(index.node) if isinstance(index.node, FunctionCall) else []
    if not _CONSTRUCTOR.fullmatch(function_called(index.node)) or index.lanes != 2:
        return
    name, scalar = function_called(index.node), index.scalar
    if len(given) == 1 and index.types.of(given[0]) == scalar:
        inside = (
            [given[0].text] if not isinstance(given[0], NumberLiteral) else index.variables(_MOST_VARIABLES, scalar)
        )
        nothing = "0.0" if scalar == "float" else "0"
        for each in inside:
            yield index.as_index(f"{name}({each}, {nothing})")
            yield index.as_index(f"{name}({nothing}, {each})")
    if len(given) != 2 or scalar == "float":
        return
    for one, other in (given, given[::-1]):
        is_index = not isinstance(one, NumberLiteral) and index.types.of(one) == scalar and index.has_remainders
        if _NOTHING.fullmatch(other.text) and is_index:
            yield from _into_two(index, name, enclosed(one))
    first, second = (bare(each) for each in given)
    parts = [enclosed(each.named_children[0]) for each in (first, second) if isinstance(each, BinaryExpression)]
    if len(parts) == 2 and parts[0] == parts[1] and {first.operator, second.operator} == {"%", "/"}:
        yield index.as_index(f"{name}({first.named_children[0].text}, 0)")
        yield index.as_index(f"{name}(0, {first.named_children[0].text})")


def _into_two(index: Index, name: str, text: str) -> Iterator[Mutation]:
    for step in index.steps:
        template = f"{name}({text} % {index.one}, {text} / {index.one})"
        yield index.as_index(f"{name}({text} % {step}, {text} / {step})", template, step)
    for size in index.sizes(_MOST_SIZES, index.scalar):
        yield index.as_index(f"{name}({text} % {size}, {text} / {size})")


def other_tables(node: SyntaxNode, index: Index) -> Iterator[Mutation]:
    """Proposes another array of the same type, read at the same place."""
    if not isinstance(node, Subscript) or not isinstance(node.argument, Identifier):
        return
    base = node.argument
    own, name = index.types.of(base), base.text
    if own.endswith("]"):
        for other in [each for each in index.scope.every_of_type(node, own) if each != name][:_MOST_VARIABLES]:
            yield index.as_index(other + index.text[len(name) :])


_FAMILIES = (mirrored, placed, folded, strided, rounded, added, divided, held, about_centres)


class Indices:
    """Makes the proposals for addresses of one parsed shader."""

    def __init__(self, types: Types, scope: NameScope, addresses: Addresses, *, has_remainders: bool) -> None:
        """`has_remainders`: whether this version of GLSL has an operator for remainders."""
        self._types, self._scope, self._addresses = types, scope, addresses
        self._has_remainders = has_remainders

    def proposals(self, node: SyntaxNode, numbers: tuple[float, ...], sizes: tuple[float, ...]) -> Iterator[Mutation]:
        """Proposes changes of one node; `numbers` are expected by a finding, `sizes` are those of tensors."""
        text, kind = node.text, self._types.of(node)
        if len(text) > _LONGEST or "#" in text or "//" in text or is_target(node) or is_matrix(kind):
            return
        steps = [int(each) for each in (*numbers, *_COUNTS, *sizes) if each.is_integer() and 1 < each < _LARGEST]
        some = (*dict.fromkeys(steps),)[:_MOST_STEPS]
        index = Index(node, self._types, self._scope, self._addresses, some, self._has_remainders)
        made: Iterator[Mutation] = itertools.chain(other_tables(node, index), sized(node, index))
        is_number = scalar_of(kind) in ("int", "uint", "float") and lanes_of(kind) <= 3
        if is_number and not is_in_a_table(node) and self._addresses.has(node):
            made = itertools.chain(made, *(family(index) for family in _FAMILIES))
        seen = set[tuple[str, float]]()
        for each in made:
            if (each.new, each.values[0]) not in seen and each.new != text:
                seen.add((each.new, each.values[0]))
                yield each
