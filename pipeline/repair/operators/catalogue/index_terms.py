"""Adds to an index, divides it otherwise, and changes what happens at and beyond a picture's border."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, Identifier, NumberLiteral
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, declared_name, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import IndexOperator, Made
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import OF_DIVISION, PRODUCTS, SUMS, rounded_up
from texelscope.pipeline.repair.text.mutation import LEAVES, NUMBER, enclosed

_HALF = re.compile(r"(vec2\()?0?\.50*\)?")
_BOUNDS = frozenset({"min", "max", "clamp"})
# Lanes of a texel, and of two: a layout that keeps four channels in a texel starts each batch with a new texel.
PACKS = (4, 8)
_NUMBER = re.compile(r"(\d+)u?")


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


class SummandForgotten(IndexOperator):
    """An index lacks another variable, or its part a size or a step: `a[i / 4 + j]` becomes `a[(i / 4 * 4) + j]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if at.has(NumberLiteral):
            return
        few = LIMITS.axis_sizes
        if at.is_whole and not at.is_fixed(at.node):
            nearest = dict.fromkeys((*_counters(at), *at.address_names(2 * LIMITS.paired_names)))
            names = [each for each in nearest if each not in at.used][: LIMITS.paired_names]
            if at.lanes > 1:
                yield from (f"{name} + {at.summand}" for name in names)
            elif at.scalar == "float":
                sizes = sorted(at.near_sizes(2 * few), key=lambda size: "." in size)[:few]
                for name, size in itertools.product(names, sizes):
                    yield self.moved(at, f"{name} * {size} + {at.summand}")
        if at.around not in SUMS or at.lanes != 1:
            return
        if at.has(*LEAVES) and at.is_fixed(at.node):
            yield from (f"{at.text} + {size}" for size in at.near_sizes(few))
        if at.sign in OF_DIVISION:
            yield from (self.moved(at, at.numbered(f"{at.text} * #", step)) for step in at.steps)
            yield from (self.moved(at, f"{at.text} * {size}") for size in at.near_sizes(few))
        if at.has(Identifier) and at.kind == "int" and at.text in _counters(at):
            for step in (each for each in at.steps if each <= LIMITS.taps):
                yield self.moved(at, at.numbered(f"# - {at.text}", step - 1.0))


def _counters(at: Place) -> list[str]:
    """Returns counters, of its type, of the loops around it."""
    starts = (each.initializer for each in at.node.ancestors() if isinstance(each, ForLoop))
    names = (declared_name(each) for start in starts if start is not None for each in start.of_type(InitDeclarator))
    return [name for name in names if at.types.at(at.node, name) == at.kind]


class OtherQuotient(IndexOperator):
    """A quotient or remainder is by another number, or is the other: `a[i / 4]` becomes `a[i % 4]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if at.kind in ("int", "uint"):
            yield from self._of_whole_numbers(at)
        elif at.scalar == "float":
            yield from self._of_floats(at)
        if isinstance(at.parent, InitDeclarator) and at.lanes == 1 and not at.has(NumberLiteral, Identifier):
            for one, other in itertools.permutations(at.address_names(LIMITS.paired_names), 2):
                yield self.moved(at, f"{one} - {other}")

    @staticmethod
    def _of_whole_numbers(at: Place) -> Iterator[Made]:
        if not at.has(BinaryExpression) or at.sign not in ("/", "%", "*"):
            return
        a, b, sign = at.left, at.right, at.sign
        inner, by, has_remainders = bare(a), enclosed(b), at.shader.has_remainders
        if sign == "*":
            if isinstance(inner, BinaryExpression) and inner.operator in OF_DIVISION:
                yield f"{enclosed(inner.left)} / {by} * {by}"
            return
        text = enclosed(a)
        for step in at.steps if has_remainders else ():
            yield at.numbered(f"{text} {OF_DIVISION[sign]} #", step)
            if not isinstance(bare(b), NumberLiteral):
                yield at.numbered(f"{text} {sign} #", step)
        for size in at.near_sizes(LIMITS.axis_sizes):
            if size != b.text and has_remainders:
                yield from (f"{text} {each} {size}" for each in "/%")
            if sign == "%":
                yield f"{a.text} - {size}"
        if has_remainders:
            yield f"{text} / {by} * {by}"

    @staticmethod
    def _of_floats(at: Place) -> Iterator[str]:
        """Turns mod(a, b) into the quotient rounded down, and that into the remainder."""
        given, sizes = at.given, at.near_sizes(LIMITS.nearest_sizes)
        if at.name == "mod" and len(given) == 2:
            yield f"floor({enclosed(given[0])} / {enclosed(given[1])})"
            yield from (f"floor(({given[0].text} + 0.5) / {by})" for by in (enclosed(given[1]), *sizes))
        inner = bare(given[0]) if at.name == "floor" and len(given) == 1 else None
        if isinstance(inner, BinaryExpression) and inner.operator == "/":
            above = bare(inner.left)
            if isinstance(above, BinaryExpression) and above.operator == "+" and above.right.text in ("0.5", ".5"):
                above = above.left
            yield f"mod({above.text}, {inner.right.text})"
            yield from (f"mod({above.text}, {size})" for size in sizes if size != above.text)


class OtherBorder(IndexOperator):
    """A coordinate is clamped, mirrored, wrapped or neither at a border: `a[i % n]` becomes `a[min(i, n - 1)]`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        node, given = at.node, at.given
        if at.name in _BOUNDS and len(given) > 1 and all(map(at.is_fixed, given[1:])):
            yield given[0].text
            if len(given) == 3:
                yield f"max({given[0].text}, {given[1].text})"
                yield f"min({given[0].text}, {given[2].text})"
            elif at.name == "max" and at.scalar == "int":
                yield f"abs({given[0].text})"
        yield from _otherwise_beyond(at)
        if not at.is_whole or at.is_fixed(node) or at.scalar == "uint":
            return
        one, nothing = at.written(1), at.written(0)
        if at.kind == "int":
            yield from (self.moved(at, at.numbered(f"min({at.text}, #)", step - 1.0)) for step in at.steps)
            return
        yield f"max({at.text}, {nothing})"
        for size in at.near_sizes(LIMITS.near_sizes):
            yield f"min({at.text}, {size} - {one})"
            yield f"clamp({at.text}, {at.kind}({nothing}), {size} - {one})"
            if at.scalar == "float":
                yield self.moved(at, f"clamp({at.text}, {at.kind}(0.5), {size} - 0.5)")


def _otherwise_beyond(at: Place) -> Iterator[str]:
    """Yields for clamped, mirrored and wrapped coordinates the other two."""
    text, last, own = _beyond(at)
    if not own or at.scalar == "uint":
        return
    tail = f" - {at.written(1)}"
    size = last.removesuffix(tail) if last.endswith(tail) else f"({last} + {at.written(1)})"
    forms = {
        "edge": f"min({text}, {last})",
        "mirrored": f"({last}) - abs({text} - ({last}))",
        "round": f"{text} % {size}" if at.scalar == "int" else f"mod({text}, {size})",
    }
    yield from (form for name, form in forms.items() if name != own and ("%" not in form or at.shader.has_remainders))


def _beyond(at: Place) -> tuple[str, str, str]:
    """Returns a coordinate, the last valid one, and the behaviour beyond that; empty for anything else."""
    if at.name == "min" and len(at.given) == 2 and at.is_fixed(at.given[1]):
        return enclosed(at.given[0]), bare(at.given[1]).text, "edge"
    a, b = sides_of(at.node)
    if a is None or b is None:
        return "", "", ""
    if at.sign == "%" and at.shader.is_size(b.text):
        return enclosed(a), f"{b.text} - 1", "round"
    if at.sign == "-" and at.is_fixed(a) and function_called(b) == "abs":
        inner = bare(arguments(b)[0]) if len(arguments(b)) == 1 else b
        if isinstance(inner, BinaryExpression) and inner.operator == "-":
            return enclosed(inner.right if at.is_fixed(inner.left) else inner.left), bare(a).text, "mirrored"
    return "", "", ""


class OtherCentre(IndexOperator, nodes=(BinaryExpression,)):
    """A coordinate is scaled about the picture's corner instead of texel centres, or the other way round.

    `texture(image, s * 0.5)` becomes `texture(image, (s + 0.5) * 0.5 - 0.5)`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        a, b, sign = at.left, at.right, at.sign
        if at.scalar != "float" or at.lanes > 2:
            return
        if sign in ("*", "/") and not isinstance(at.parent, BinaryExpression) and at.of(a) == at.kind:
            yield f"({bare(a).text} + 0.5) {sign} {enclosed(b)} - 0.5"
        inner = bare(a)
        if (
            sign == "-"
            and _HALF.fullmatch(b.text)
            and isinstance(inner, BinaryExpression)
            and inner.operator in PRODUCTS
        ):
            first = bare(inner.left)
            if isinstance(first, BinaryExpression) and first.operator == "+" and _HALF.fullmatch(first.right.text):
                yield f"{enclosed(bare(first.left))} {inner.operator} {enclosed(inner.right)}"
