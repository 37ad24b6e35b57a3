"""Counts an index from the other end, along other axes or by another stride, or puts another one in its place."""

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
from texelscope.pipeline.repair.operators.spelling import COMPARING, SIGNS, SUMS
from texelscope.pipeline.repair.text.mutation import APART, LEAVES, OPERANDS, enclosed, with_texts

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
            yield from at.address_names(LIMITS.names)
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
            for each in at.address_names(LIMITS.names, scalar) if is_number else [given[0].text]:
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


class _OfVariable(IndexOperator):
    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.has(NumberLiteral) and not at.is_fixed(at.node)


class StepForgotten(_OfVariable):
    """An index, or a part of one, lacks a step or a size as factor: `a[i]` becomes `a[i * 4]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        sign = at.around if isinstance(at.parent, BinaryExpression) else ""
        is_factor = sign == "*" and at.is_first
        is_summand = sign in SUMS and (at.scalar == "float" or at.lanes > 1)
        if not ((is_factor or is_summand) and at.has(*OPERANDS)) and not at.is_whole:
            return
        text = enclosed(at.node)
        yield from (self.moved(at, at.numbered(f"{text} * #", step)) for step in at.steps)
        for step in at.steps if at.is_whole and at.kind == "int" else ():
            for sign in "/%" if at.shader.has_remainders else "/":
                yield self.moved(at, at.numbered(f"{text} {sign} #", step))
        yield from (self.moved(at, f"{text} * {size}") for size in at.near_sizes(LIMITS.near_sizes))


class OffsetForgotten(_OfVariable):
    """An index, or the number before a remainder, lacks an offset: `a[i]` becomes `a[i - n]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        is_divided = at.around in ("%", "/") and at.is_first and at.has(*OPERANDS)
        if not at.is_whole and not is_divided:
            return
        for step in at.steps if at.is_whole and at.lanes == 1 else ():
            for sign, number in (("+", float(step)), ("-", -float(step))):
                new = f"{at.summand} {sign} {at.written(step)}"
                yield self.moved(at, (new, f"{at.summand} + {at.one}", (number, number)))
        for size, sign in itertools.product(at.near_sizes(LIMITS.near_sizes), "+-"):
            yield self.moved(at, f"{at.summand} {sign} {size}")
        # A tensor beside another one, in one texture.
        for size in at.near_sizes(LIMITS.near_sizes, "int") if at.kind == "ivec2" else ():
            for sign, place in itertools.product("+-", (f"ivec2({size}, 0)", f"ivec2(0, {size})")):
                yield self.moved(at, f"{at.summand} {sign} {place}")


class StrideRemoved(IndexOperator, nodes=(BinaryExpression,)):
    """An index has a size too many as factor, divisor or summand: `a[i * n]` becomes `a[i]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        pairs = ((at.left, at.right), (at.right, at.left))[: 2 if at.sign in "*+" else 1]
        for kept, other in pairs if at.sign in SIGNS | {"%"} else ():
            is_fixed = at.is_fixed(other) and not isinstance(bare(other), NumberLiteral)
            if at.of(kept) == at.kind and is_fixed and not at.is_fixed(kept):
                yield kept.text


class OtherOrder(IndexOperator, nodes=(BinaryExpression,)):
    """An index counts its axes in another order, by any step: `a[i * n + j]` becomes `a[j * 4 + i]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if at.sign not in SUMS or at.around in SUMS:
            return
        parts = _summands(at.node)
        products = [each for sign, each in parts if sign == "+" and each.operator == "*"]
        for product in products if len(parts) <= LIMITS.summands else ():
            others = [(sign, each) for sign, each in parts if each != product]
            rest = " ".join(f"{sign} {each.text}" for sign, each in others).removeprefix("+ ")
            outer = enclosed(others[0][1]) if len(others) == 1 and others[0][0] == "+" else f"({rest})"
            for inner, stride in (product.named_children, product.named_children[::-1]):
                if not at.is_fixed(stride) or at.is_fixed(inner):
                    continue
                yield from self._by_other_steps(at, outer, rest, inner, stride)
                if len(others) > 1:
                    yield f"{outer} * {enclosed(stride)} + {inner.text}"
                    yield from self._with_another(at, parts, product, inner, stride)

    def _by_other_steps(
        self, at: Place, outer: str, rest: str, inner: SyntaxNode, stride: SyntaxNode
    ) -> Iterator[Made]:
        for step in at.steps:
            yield self.moved(at, at.numbered(f"{outer} * # + {inner.text}", step))
            if not isinstance(bare(stride), NumberLiteral):
                yield self.moved(at, at.numbered(f"{enclosed(inner)} * # + {rest}", step))
        if at.kind != "int":  # other operators do this for integers
            yield from (f"{outer} * {size} + {inner.text}" for size in at.near_sizes(LIMITS.near_sizes))

    def _with_another(
        self, at: Place, parts: list[tuple[str, SyntaxNode]], product: SyntaxNode, inner: SyntaxNode, stride: SyntaxNode
    ) -> Iterator[Made]:
        """Turns a longer sum with a * k and b into one with b * k and a, or with b times any step or size."""
        sizes = [each for each in at.near_sizes(2 * LIMITS.near_sizes) if each != stride.text]
        for sign, other in parts:
            if sign != "+" or other.operator == "*" or at.is_fixed(other):
                continue
            new = {product: inner.text, other: f"{enclosed(other)} * #"}
            form = " ".join(f"{sign} {new.get(each, each.text)}" for sign, each in parts).removeprefix("+ ")
            yield from (form.replace("#", each) for each in (enclosed(stride), *sizes))
            yield from (self.moved(at, at.numbered(form, step)) for step in at.steps)


def _summands(node: SyntaxNode) -> list[tuple[str, SyntaxNode]]:
    """Returns the parts of a sum with their signs, in order."""
    behind: list[tuple[str, SyntaxNode]] = []
    while isinstance(node, BinaryExpression) and node.operator in SUMS:
        behind.insert(0, (node.operator, node.right))
        node = node.left
    return [("+", node), *behind]


class OtherTensor(IndexOperator):
    """An index has another tensor's sizes: `a[i * in_w + in_h]` becomes `a[i * out_w + out_h]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.is_whole or at.has(*LEAVES):
            return
        leaves = [*_variables(at.node)]
        sizes = {each.text: at.of(each) for each in leaves if at.shader.is_size(each.text)}
        known = {kind: at.scope.every_of_type(at.node, kind) for kind in dict.fromkeys(sizes.values())}
        for name, kind in sizes.items() if len(sizes) > 1 else ():
            for other in known[kind]:
                changed = _changed(name, other) if at.shader.is_size(other) and other != name else None
                if changed is None:
                    continue
                places = [each for each in leaves if each.text in sizes and changed[0] in each.text]
                names = {each.text: each.text.replace(*changed, 1) for each in places}
                if len(names) > 1 and all(new in known[sizes[old]] for old, new in names.items()):
                    yield with_texts(at.node, {each: names[each.text] for each in places})


def _variables(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields names in an expression, those of functions too; fields as wholes."""
    if isinstance(node, LEAVES):
        yield node
        return
    for child in node.named_children:
        yield from _variables(child)


def _changed(name: str, other: str) -> tuple[str, str] | None:
    """Returns the one part in which two names differ, if they have something in common."""
    head = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    most = min(len(name), len(other)) - head
    tail = next((i for i in range(most) if name[-1 - i] != other[-1 - i]), most)
    old, new = name[head : len(name) - tail], other[head : len(other) - tail]
    return (old, new) if old and head + tail > 0 else None
