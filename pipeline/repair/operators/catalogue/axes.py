"""Uses an expression of one axis for the other: x for y, width for height, columns for rows; and so for two sides.

Shaders repeat most expressions for both axes, and a copy needs every name changed. So an expression is renamed as a
whole, or aligned with that of the other axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import (
    WORD,
    arguments,
    condition_of,
    function_around,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.axis_names import Counterpart, counterparts
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, TrialStage
from texelscope.pipeline.repair.operators.place import Place, Shader
from texelscope.pipeline.repair.text.mutation import LEAVES, leaves_of, with_texts

# Two expressions match if the first share of the shorter one occurs in the other (for variables of one name the second)
# and the third share of both is equal.
_ALIKE, _ALIKE_OF_A_NAME, _OF_BOTH = 0.7, 0.5, 0.4


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
