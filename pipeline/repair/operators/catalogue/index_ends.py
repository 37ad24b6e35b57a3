"""Counts an index from the other end, puts another one in its place, or folds one index into two axes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import bare, sides_of
from texelscope.pipeline.glsl.semantics.statements import ForLoop, FunctionDefinition, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import IndexOperator, Made
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import COMPARING
from texelscope.pipeline.repair.text.mutation import APART, LEAVES, enclosed, with_texts

_CONSTRUCTOR = re.compile(r"[iu]?vec[23]")
_NOTHING = re.compile(r"0u?|0?\.0*")


class OtherTable(IndexOperator, nodes=(Subscript,)):
    """Another array of the same type is right at that index: `a[i]` becomes `b[i]`."""

    def takes(self, at: Place) -> bool:
        return not at.is_matrix

    def mutants(self, at: Place) -> Iterator[str]:
        base = at.node.argument if isinstance(at.node, Subscript) else None
        own = at.of(base) if base is not None and isinstance(base, Identifier) else ""
        if base is not None and own.endswith("]"):
            others = [each for each in at.scope.every_of_type(at.node, own) if each != base.text]
            yield from (each + at.text[len(base.text) :] for each in others[: LIMITS.names])


class SizeOffByOne(IndexOperator, nodes=LEAVES):
    """A size is one too large or too small where it is compared: `i < n` becomes `i < (n - 1)`."""

    def takes(self, at: Place) -> bool:
        is_compared = isinstance(at.parent, BinaryExpression) and at.around in COMPARING
        is_used = is_compared or isinstance(at.parent, InitDeclarator | Assignment)
        return is_used and at.scalar in ("int", "float") and not at.is_matrix and at.shader.is_size(at.text)

    def mutants(self, at: Place) -> Iterator[Made]:
        for number in (1, -1):
            shown = f"{at.text} {'+' if number > 0 else '-'} {at.written(1)}"
            yield shown, f"{at.summand} + {at.one}", (float(number), float(number))


class _Ends(NamedTuple):
    """The start of a loop, its end, and whether that is included."""

    first: str
    last: str
    is_within: bool


class IndexMirrored(IndexOperator):
    """An index counts from the wrong end, along one axis or two: `a[i]` becomes `a[n - 1 - i]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if at.has(Identifier) and (ends := _ends(at.node)) is not None:
            yield _from_the_other_end(at.text, ends, at.scalar)
        if at.is_whole and at.has(BinaryExpression, FunctionCall):
            yield from _both(at)
        yield from self._reversed_already(at)
        if not at.is_whole or at.has(NumberLiteral) or at.is_fixed(at.node):
            return
        text = enclosed(at.node)
        for step in at.steps if at.kind == "int" else ():
            yield self.moved(at, at.numbered(f"# - {text}", step - 1.0))
        yield from (f"{size} - {at.written(1)} - {text}" for size in at.near_sizes(LIMITS.near_sizes))

    @staticmethod
    def _reversed_already(at: Place) -> Iterator[str]:
        """Yields the index from the start."""
        if not at.has(BinaryExpression) or at.sign != "-" or at.is_fixed(b := at.right):
            return
        a = at.left
        if a.operator == "+":
            before, last = a.named_children[0], a.named_children[-1]
            if at.is_fixed(last) and not at.is_fixed(before):
                yield f"{before.text} + {b.text}"
        if at.is_fixed(a) and at.of(b) == at.kind:
            yield b.text


def _both(at: Place) -> Iterator[str]:
    """Yields two loop variables reversed at once, if their loops have the same ends."""
    leaves = list(at.node.of_type(Identifier))
    every = {leaf.text: ends for leaf in leaves if (ends := _ends(leaf)) is not None}
    for pair in itertools.combinations(every, 2):
        some = [leaf for leaf in leaves if leaf.text in pair]
        one, other = (every[name] for name in pair)
        if one == other:
            yield _turned(at, some, one)
        if one[1:] == other[1:]:
            yield _turned(at, some, one._replace(first="0"))


def _turned(at: Place, leaves: Sequence[SyntaxNode], ends: _Ends) -> str:
    texts = {}
    for leaf in leaves:
        new = _from_the_other_end(leaf.text, ends, at.of(leaf))
        texts[leaf] = new if isinstance(leaf.parent, APART) else f"({new})"
    return with_texts(at.node, texts)


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
        begun = loop.initializer.of_type(InitDeclarator)
        value = next((each.value for each in begun if each.declarator.text == name.text), None)
        (left, right), sign = sides_of(loop.condition), loop.condition.operator
        is_inside = loop.body.start_byte <= name.start_byte < loop.body.end_byte
        if value is None or left is None or right is None or left.text != name.text or not is_inside:
            continue
        return _Ends(value.text, enclosed(bare(right)), sign == "<=") if sign in ("<", "<=") else None
    return None


class OtherIndex(IndexOperator):
    """Another index stands along one axis, or none: `a[0]` becomes `a[i]`, `a[i]` becomes `a[0]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not isinstance(at.parent, ArgumentList | Subscript) or at.lanes != 1:
            return
        if at.has(NumberLiteral, BinaryExpression):
            yield from at.addresses(LIMITS.names)
            yield from itertools.islice(at.scope.unused(at.node, at.kind), LIMITS.names)
        if at.has(*LEAVES) and at.scalar != "float":
            yield at.written(0)


class IndexFolded(IndexOperator, nodes=(FunctionCall,)):
    """Both coordinates belong to one index, or only one does.

    `texelFetch(image, ivec2(i, 0), 0)` becomes `texelFetch(image, ivec2(i % n, i / n), 0)`.
    """

    def mutants(self, at: Place) -> Iterator[Made]:
        name, given, scalar = at.name, at.given, at.scalar
        if not _CONSTRUCTOR.fullmatch(name) or at.lanes != 2:
            return
        if len(given) == 1 and at.of(given[0]) == scalar:
            is_number = isinstance(given[0], NumberLiteral)
            nothing = "0.0" if scalar == "float" else "0"
            for each in at.addresses(LIMITS.names, scalar) if is_number else [given[0].text]:
                yield f"{name}({each}, {nothing})"
                yield f"{name}({nothing}, {each})"
        if len(given) != 2 or scalar == "float":
            return
        for one, other in (given, given[::-1]):
            is_index = not isinstance(one, NumberLiteral) and at.of(one) == scalar and at.shader.has_remainders
            if _NOTHING.fullmatch(other.text) and is_index:
                text, form = enclosed(one), f"{name}({{0}} % {{1}}, {{0}} / {{1}})"
                for step in at.steps:
                    yield form.format(text, step), form.format(text, at.one), (step, step)
                yield from (form.format(text, size) for size in at.near_sizes(LIMITS.near_sizes, scalar))
        first, second = (bare(each) for each in given)
        parts = [enclosed(each.left) for each in (first, second) if isinstance(each, BinaryExpression)]
        if len(parts) == 2 and parts[0] == parts[1] and {first.operator, second.operator} == {"%", "/"}:
            text = first.named_children[0].text
            yield f"{name}({text}, 0)"
            yield f"{name}(0, {text})"
