"""Rewrites an expression: a name in all its places, a stride with what it counts, a function, the other axis.

Shaders repeat most expressions for both axes, and a copy needs every name changed. So an expression is renamed as a
whole, or aligned with that of the other axis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import (
    WORD,
    argument_of,
    arguments,
    condition_of,
    function_around,
    function_called,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.axis_names import Counterpart, counterparts
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, TrialStage
from texelscope.pipeline.repair.operators.place import COUNTS, Place, Shader
from texelscope.pipeline.repair.operators.spelling import PRODUCTS, SUMS
from texelscope.pipeline.repair.text.mutation import LEAVES, around, leaves_of, summands, with_texts

# Functions of a value that layers have.
_FUNCTIONS = (
    "1.0 / (1.0 + exp(-{0}))", "tanh({0})", "max({0}, 0.0)", "clamp({0}, 0.0, 6.0)", "clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "clamp(0.2 * {0} + 0.5, 0.0, 1.0)", "{0} / (1.0 + exp(-{0}))", "{0} * clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "log(1.0 + exp({0}))", "{0} / (1.0 + abs({0}))", "{0} * tanh(log(1.0 + exp({0})))", "exp({0})", "abs({0})",
    "{0} * {0}", "sqrt({0})", "{0}", "{0} / (1.0 + exp(-1.702 * {0}))",
    "0.5 * {0} * (1.0 + tanh(0.7978845608 * ({0} + 0.044715 * {0} * {0} * {0})))",
)  # fmt: skip
_ALPHABETS = ("xyzw", "rgba")
# Two expressions match if the first share of the shorter one occurs in the other (for variables of one name the second)
# and the third share of both is equal.
_ALIKE, _ALIKE_OF_A_NAME, _OF_BOTH = 0.7, 0.5, 0.4


class NameInAllPlaces(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression, FunctionCall)):
    """One name is wrong wherever an expression has it: `x * z + x` becomes `y * z + y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        parts = at.node.argument_list if isinstance(at.node, FunctionCall) else at.node
        within = [[*leaves_of(part)] for part in parts.named_children]
        leaves = [leaf for some in within for leaf in some]
        counts = Counter(name for some in within for name in {leaf.text for leaf in some})
        for name in dict.fromkeys(leaf.text for leaf in leaves):
            places = [leaf for leaf in leaves if leaf.text == name]
            kind = at.of(places[0])
            if counts[name] < 2 or not scalar_of(kind) or is_matrix(kind):
                continue
            names = at.names(kind)[: LIMITS.repeated_names]
            for other in dict.fromkeys((*(at.sizes if kind == "int" else ()), *names)):
                # An array's elements vary and may be absent.
                is_fixed = at.shader.is_size(other) and any(map(_is_index, places))
                if other != name and not is_fixed:
                    yield with_texts(at.node, dict.fromkeys(places, other))


def _is_index(node: SyntaxNode) -> bool:
    outer = node.parent
    while isinstance(outer, BinaryExpression | Parenthesised):
        outer = outer.parent
    return isinstance(outer, Subscript)


class OtherStride(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,), types="int"):
    """An index counts along the wrong axis: `i * n + j` becomes `(j * u_size.x + i)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.sign != "+":
            return
        sizes = dict.fromkeys((*at.sizes, *(f"{each:g}" for each in COUNTS)))
        for product, other in ((at.left, at.right), (at.right, at.left)):
            if not isinstance(product, BinaryExpression) or product.operator != "*":
                continue
            factors = [each.text for each in product.named_children]
            is_alone = isinstance(other, (*LEAVES, FunctionCall, Parenthesised))
            outer = other.text if is_alone else f"({other.text})"
            for inner, stride in (factors, factors[::-1]):
                for size in sizes:
                    if size not in (inner, outer):
                        yield f"({outer} * {size} + {inner})"
                    if size not in (inner, stride, outer):
                        yield f"({inner} * {size} + {outer})"


class OtherGroups(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,)):
    """A quotient or a factor is one of another part: `x / y + z` becomes `((x + z) / y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        left, right, sign = at.left, at.right, at.sign
        if not at.kind or any(
            is_matrix(at.of(each)) for each in (left, right, *left.named_children, *right.named_children)
        ):
            return
        if sign in SUMS and isinstance(left, BinaryExpression) and left.operator in PRODUCTS:
            a, k, other = left.left.text, left.right.text, around(right)
            yield f"(({a} {sign} {other}) {left.operator} {k})"
            yield f"({a} {left.operator} ({k} {sign} {other}))"
        inner = right.named_children[0] if isinstance(right, Parenthesised) and len(right.named_children) else None
        if not isinstance(inner, BinaryExpression) or inner.operator not in SUMS:
            return
        a, b = inner.left.text, around(inner.right)
        if sign == "/":
            yield f"({left.text} / {around(inner.left)} {inner.operator} {b})"
        if sign == "*":
            yield f"({a} {inner.operator} {left.text} * {b})"
            yield f"({left.text} * {around(inner.left)} {inner.operator} {b})"


class SizeRemoved(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,), types="int"):
    """An index has a size added or subtracted that does not belong there: `i + n` becomes `i`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.sign in SUMS and at.shader.is_size(at.right.text):
            yield at.left.text
        if at.sign == "+" and at.shader.is_size(at.left.text):
            yield at.right.text


class LanesLeftOut(
    ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression, FunctionCall), scalars="float int"
):
    """A sum or maximum of lanes lacks some: `v.x + v.y + v.z` becomes `v.x + v.y + v.z + v.w`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.lanes != 1:
            return
        parts = [*at.given] if at.name else summands(at.node)
        if at.name and (at.name not in ("max", "min") or at.kind != "float"):
            return
        while at.name and (inner := [each for each in parts if function_called(each) == at.name]):
            parts = [each for each in parts if each not in inner] + [each for part in inner for each in arguments(part)]
        base = argument_of(parts[0]) if parts else None
        if base is None or any(not isinstance(each, FieldAccess) for each in parts):
            return
        lanes = {each.text.rpartition(".")[2] for each in parts}
        bases = {each.text.rpartition(".")[0] for each in parts}
        if at.name:
            are_three = len({each.text for each in parts}) == len(parts) == 3 and len(bases) == 1
            for letters in _ALPHABETS if are_three and at.of(base) == "vec4" else ():
                if len(left := {*letters} - {each[-1] for each in lanes}) == 1:
                    yield f"{at.name}({at.text}, {base.text}.{left.pop()})"
        elif at.sign == "+" and not (isinstance(at.parent, BinaryExpression) and at.around == "+") and len(bases) == 1:
            for every in (letters[: lanes_of(at.of(base))] for letters in _ALPHABETS):
                if lanes < {*every}:
                    yield " + ".join(f"{base.text}.{letter}" for letter in every)


class OtherActivation(ExpressionOperator, stage=TrialStage.REWRITTEN, scalars="float"):
    """Another function of the one variable is right, as layers have it: `max(x, 0.0)` becomes `tanh(x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_part = lanes_of(at.called) > 1
        if (not is_part and not at.is_value) or at.has(*LEAVES, NumberLiteral):
            return
        leaves = [*leaves_of(at.node)]
        names = {leaf.text for leaf in leaves}
        if len(names) == 1 and all(at.of(leaf) == at.kind for leaf in leaves) and not names & at.types.uniforms:
            yield from (form.format(next(iter(names))) for form in _FUNCTIONS)


class ValueForANumber(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(NumberLiteral,), scalars="float"):
    """A number of a quotient has to be a computed value: `x / 4.0` becomes `x / float(p.x * p.y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not isinstance(at.parent, BinaryExpression) or at.around not in PRODUCTS or at.is_in_a_table:
            return
        fixed, few = at.shader.fixed, LIMITS.divisors
        for kind, form in (("float", "{0}"), ("int", "float({0})")):
            names = [each for each in at.names(kind) if each.split(".")[0] not in fixed]
            yield from (form.format(each) for each in names[:few])
        sides = [name for name, kind in at.scope.variables(at.node) if kind == "ivec2" and name not in fixed]
        yield from (f"float({name}.x * {name}.y)" for name in sides[:few])


@dataclass(frozen=True)
class _Value:
    """An expression on its own, the variable that it is assigned to, if any, and the node around it."""

    node: SyntaxNode
    name: str
    place: int


class _Axes:
    """The axes in the names of one parsed shader."""

    def __init__(self, shader: Shader) -> None:
        self._types, self._scope = shader.types, shader.scope
        self._others: dict[tuple[int, str], Counterpart | None] = {}
        self.values: dict[int, list[_Value]] = {}
        for node in shader.root.walk():
            function = function_around(node)
            if function is not None and not node.has_error:
                self.values.setdefault(function.start_byte, []).extend(_values_of(node))
        self.by_node = {each.node: each for values in self.values.values() for each in values}

    def others(self, inside: SyntaxNode, node: SyntaxNode) -> dict[SyntaxNode, Counterpart]:
        """Returns the variables of one expression that have a counterpart in scope at a node, with it."""
        return {leaf: other for leaf in leaves_of(inside) if (other := self._other(leaf, node)) is not None}

    def _other(self, leaf: SyntaxNode, node: SyntaxNode) -> Counterpart | None:
        key = id(self._scope.variables(node)), leaf.text
        if key not in self._others:
            self._others[key] = next(self._others_of(leaf, node), None)
        return self._others[key]

    def _others_of(self, leaf: SyntaxNode, node: SyntaxNode) -> Iterator[Counterpart]:
        kind, text = self._types.of(leaf), leaf.text
        if not scalar_of(kind) or is_matrix(kind):
            return
        if isinstance(leaf, Identifier):
            known = self._known(node)
            yield from (other for other in counterparts(text) if known.get(other.name) == kind)
        if not isinstance(leaf, FieldAccess) or not isinstance(leaf.argument, LEAVES):
            return
        base, letters = leaf.argument, leaf.field.text
        own, head, members = self._types.of(base), f"{base.text}.", self._types.members
        fields = self._types.fields(own)
        for other in counterparts(letters) if text in members or fields else ():
            if (members.get(f"{head}{other.name}") if text in members else fields.get(other.name)) == kind:
                yield replace(other, name=f"{head}{other.name}")
        if text not in members and not fields and letters in ("x", "y") and lanes_of(own) > 1:
            yield Counterpart(f"{head}{'y' if letters == 'x' else 'x'}", letters == "x", is_axis=True)
        if isinstance(base, Identifier) and (outer := self._other(base, node)) is not None:
            yield replace(outer, name=f"{outer.name}.{letters}")

    def _known(self, node: SyntaxNode) -> Mapping[str, str]:
        """Returns types of the names in scope at a node."""
        macros = {name: kind for name, kind in self._types.macros.items() if self._scope.is_known(name, node)}
        return {**macros, **dict(reversed(self._scope.variables(node)))}

    def is_known(self, leaf: SyntaxNode, node: SyntaxNode) -> bool:
        """Whether a variable is in scope at another node as well."""
        while isinstance(leaf, FieldAccess):
            if leaf.text in self._types.members:
                return True
            leaf = leaf.argument
        return not isinstance(leaf, Identifier) or leaf.text in self._known(node)


def _values_of(node: SyntaxNode) -> Iterator[_Value]:
    """Yields expressions on their own in a node: assigned, tested, or passed."""
    condition = condition_of(node)
    if condition is not None:
        yield _Value(condition.named_children[0] if isinstance(condition, Parenthesised) else condition, "", 0)
    target, value = target_of(node), value_of(node)
    if target is not None and value is not None:
        yield _Value(value, target.text, 0)
    yield from (_Value(each, "", node.start_byte) for each in arguments(node))


class CopyForTheOtherAxis(ExpressionOperator, stage=TrialStage.AXES, kind="replaced"):
    """An expression differs from its twin for the other axis, which has the right form.

    `int sx = p.x * n + 1; int sy = p.y * n;` becomes `int sx = p.x * n + 1; int sy = p.y * n + 1;`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        axes, function = at.shader.fact(_Axes), function_around(at.node)
        own = axes.by_node.get(at.node)
        for each in axes.values[function.start_byte] if own is not None and function is not None else ():
            if own is None or each is own or abs(each.node.row - own.node.row) > LIMITS.axes_lines:
                continue
            is_named = own.name != "" and own.name in {other.name for other in counterparts(each.name)}
            if not is_named and (own.name or each.name or own.place != each.place):
                continue
            others = {leaf: other.name for leaf, other in axes.others(each.node, at.node).items()}
            new = with_texts(each.node, others)
            if not others or not _are_alike(new, at.text, _ALIKE_OF_A_NAME if is_named else _ALIKE):
                continue
            if all(axes.is_known(leaf, at.node) for leaf in leaves_of(each.node) if leaf not in others):
                yield new
                yield _with_numbers(new, at.text)


def _are_alike(one: str, other: str, share: float) -> bool:
    """Whether this share of the shorter text occurs in the other one."""
    words, others = WORD.findall(one), WORD.findall(other)
    same = sum(each.size for each in SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks())
    return same >= share * min(len(words), len(others)) and 2 * same >= _OF_BOTH * (len(words) + len(others))


def _with_numbers(new: str, old: str) -> str:
    """Returns a text with the numbers of another one at the same places: sizes of its own axis."""
    words, others = [*WORD.finditer(new)], WORD.findall(old)
    matcher = SequenceMatcher(None, [each[0] for each in words], others, autojunk=False)
    for kind, start, _, first, _ in reversed(matcher.get_opcodes()):
        if kind == "replace" and words[start][0][0].isdigit() and others[first][0].isdigit():
            new = new[: words[start].start()] + others[first] + new[words[start].end() :]
    return new


class OtherAxis(
    ExpressionOperator,
    stage=TrialStage.AXES,
    kind="replaced",
    nodes=(BinaryExpression, FunctionCall, ConditionalExpression, Subscript),
):
    """All names are those of one axis and have to be the other's: `p.x * u_size.x` becomes `p.y * u_size.y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        others = at.shader.fact(_Axes).others(at.node, at.node)
        if len(others) < 2 or any({*leaves_of(part)} >= {*others} for part in at.node.named_children):
            return  # single names, and parts with all the names, are other mutations
        yield with_texts(at.node, {leaf: other.name for leaf, other in others.items()})
        for wanted in (True, False):
            for attribute in ("is_first", "is_axis"):
                some = {leaf: other.name for leaf, other in others.items() if getattr(other, attribute) == wanted}
                if 1 < len(some) < len(others):
                    yield with_texts(at.node, some)
