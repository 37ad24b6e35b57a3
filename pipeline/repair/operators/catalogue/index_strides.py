"""Counts by another stride, a factor or a size more or less, by rows for columns, and by sizes rounded up to packs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    Identifier,
    NumberLiteral,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import IndexOperator, Made
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import SIGNS, SUMS, rounded_up
from texelscope.pipeline.repair.text.mutation import LEAVES, NUMBER, OPERANDS, enclosed, with_texts

# Lanes of a texel, and of two: a layout that keeps four channels in a texel starts each batch with a new texel.
PACKS = (4, 8)
_NUMBER = re.compile(r"(\d+)u?")


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
    """An index has the sizes of another tensor, whose names differ in one part.

    `a[i * in_w + in_h]` becomes `a[i * out_w + out_h]`.
    """

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


class SizeRoundedUp(IndexOperator):
    """A size is rounded up to whole packs, or is not: `a[i * n + j]` becomes `a[i * ((n + 3) / 4 * 4) + j]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if at.lanes != 1:
            return
        if (size := _without_rounding(at.node)) is not None:
            yield size.text
        is_factor = at.around == "*" or (at.around in ("/", "%") and not at.is_first)
        if not at.has(*LEAVES) or not isinstance(at.parent, BinaryExpression) or not is_factor or not _is_a_size(at):
            return
        if at.scalar != "float" and at.shader.has_remainders:
            template = f"((({at.text} + {at.kind}({NUMBER}.y)) / {at.one}) * {at.one})"
            for pack, new in zip(PACKS, rounded_up(at.text, PACKS, "u" * (at.kind == "uint")), strict=True):
                yield at.mutation("index", new, template, (float(pack), pack - 1.0))
        elif at.scalar == "float":
            template = f"(ceil({at.text} / {at.one}) * {at.one})"
            for pack in PACKS:
                yield at.mutation("index", f"(ceil({at.text} / {pack}.0) * {pack}.0)", template, (float(pack), 0.0))


def _is_a_size(at: Place) -> bool:
    """Whether it is equal for every invocation: a uniform, a constant, or a variable that is declared as one."""
    value = at.shader.addresses.value_of(at.node) if at.has(Identifier) else None
    return at.is_fixed(at.node) or (value is not None and at.is_fixed(value))


def _without_rounding(node: SyntaxNode) -> SyntaxNode | None:
    """Returns x of (x + 3) / 4 * 4, ((x + 3) >> 2) << 2, (x + 3) & ~3 and ceil(x / 4.0) * 4.0; None for others."""
    left, right = sides_of(node)
    if left is None or right is None:
        return None
    inner, outer = bare(left), bare(right).text
    if node.operator == "&" and outer.startswith("~"):
        return _without(inner, outer.removeprefix("~").strip())
    dividing = {"*": "/", "<<": ">>"}.get(node.operator)
    if dividing is None:
        return None
    above, below = sides_of(inner)
    if inner.operator == dividing and above is not None and below is not None and bare(below).text == outer:
        number = _NUMBER.fullmatch(outer)
        if number is not None:
            pack = int(number[1]) if dividing == "/" else 1 << min(int(number[1]), 8)
            return _without(bare(above), str(pack - 1))
    given = arguments(inner) if function_called(inner) == "ceil" else ()
    quotient = bare(given[0]) if len(given) == 1 else None
    if node.operator == "*" and isinstance(quotient, BinaryExpression) and quotient.operator == "/":
        return quotient.left if quotient.right.text == outer else None
    return None


def _without(node: SyntaxNode, more: str) -> SyntaxNode | None:
    """Returns x of x + `more`."""
    left, right = sides_of(node)
    if node.operator != "+" or left is None or right is None or not isinstance(bare(right), NumberLiteral):
        return None
    return left if bare(right).text.rstrip("u") == more.rstrip("u") else None
