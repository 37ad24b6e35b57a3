"""Proposes an expression of one axis for the other: x for y, width for height, columns for rows; and so for two sides.

Shaders repeat most expressions for both axes, and a copy needs every name changed. So an expression is renamed as a
whole, or aligned with that of the other axis.
"""

from __future__ import annotations

import re
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
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.text.mutation import LEAVES, Mutation, is_target, leaves_of, with_texts

# Words for the first axis, with those for the second; and words for one side, with the other.
_AXES = (
    ("x", "y"), ("w", "h"), ("width", "height"), ("col", "row"), ("cols", "rows"), ("column", "row"),
    ("columns", "rows"), ("left", "top"), ("right", "bottom"), ("u", "v"), ("j", "i"), ("c", "r"),
    ("horizontal", "vertical"), ("across", "down"),
)  # fmt: skip
_SIDES = (
    ("in", "out"), ("input", "output"), ("inputs", "outputs"), ("src", "dst"), ("source", "target"), ("query", "key"),
    ("queries", "keys"), ("q", "k"), ("lo", "hi"), ("low", "high"), ("lower", "upper"), ("even", "odd"),
    ("first", "second"), ("left", "right"), ("top", "bottom"), ("begin", "end"), ("start", "end"), ("from", "to"),
)  # fmt: skip
# Letters at the end or beginning of a name: `sx`, `outw`, `xo`.
_LETTERS = (("x", "y"), ("w", "h"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WHOLES = (BinaryExpression, FunctionCall, ConditionalExpression, Subscript)
_LONGEST = 200
# Two expressions match if the first share of the shorter one occurs in the other (for variables of one name the second)
# and the third share of both is equal; they are at most this many lines apart.
_ALIKE, _ALIKE_OF_A_NAME, _OF_BOTH, _APART = 0.7, 0.5, 0.4, 12


def canonical(text: str) -> str:
    """Returns a name with its words for the second axis replaced by those for the first: equal for both."""
    return _WORD.sub(lambda found: _first(found[0]), text)


@dataclass(frozen=True)
class _Other:
    """A name's counterpart; whether the name itself is of the first axis, or the first side; and which pair it is."""

    name: str
    is_first: bool
    is_axis: bool


@dataclass(frozen=True)
class _Value:
    """An expression on its own, the variable that it is assigned to, if any, and the node around it."""

    node: SyntaxNode
    name: str
    place: int


class Axes:
    """The axes in the names of one parsed shader."""

    def __init__(self, root: SyntaxNode, types: Types, scope: NameScope) -> None:
        self._types, self._scope = types, scope
        self._others: dict[tuple[int, str], _Other | None] = {}
        self._values: dict[int, list[_Value]] = {}
        for node in root.walk():
            function = function_around(node)
            if function is not None and not node.has_error:
                self._values.setdefault(function.start_byte, []).extend(_values_of(node))
        self._by_node = {each.node: each for values in self._values.values() for each in values}

    def proposals(self, node: SyntaxNode) -> Iterator[Mutation]:
        """Proposes replacements of an expression."""
        text = node.text
        if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
            return
        made = [*self._in_line(node), *(self._renamed(node) if isinstance(node, _WHOLES) else ())]
        for new in dict.fromkeys(made):
            if new != text:
                yield Mutation(node.start_byte, node.end_byte, text, new, "replaced", f"({new})")

    def _renamed(self, node: SyntaxNode) -> Iterator[str]:
        """Yields all names of one axis replaced by those of the other, or both exchanged."""
        others = {leaf: other for leaf in leaves_of(node) if (other := self.other(leaf, node)) is not None}
        if len(others) < 2 or any({*leaves_of(part)} >= {*others} for part in node.named_children):
            return  # single names, and parts with all the names, are other mutations
        yield with_texts(node, {leaf: other.name for leaf, other in others.items()})
        for wanted in (True, False):
            for attribute in ("is_first", "is_axis"):
                some = {leaf: other.name for leaf, other in others.items() if getattr(other, attribute) == wanted}
                if 1 < len(some) < len(others):
                    yield with_texts(node, some)

    def _in_line(self, node: SyntaxNode) -> Iterator[str]:
        """Yields the form of a matching expression of the other axis."""
        own, function = self._by_node.get(node), function_around(node)
        if own is None or function is None:
            return
        for each in self._values[function.start_byte]:
            if each is own or not _are_near(each, own):
                continue
            is_named = own.name != "" and own.name in {other.name for other in _others(each.name)}
            if not is_named and (own.name or each.name or own.place != each.place):
                continue
            others = {
                leaf: found.name for leaf in leaves_of(each.node) if (found := self.other(leaf, node)) is not None
            }
            new = with_texts(each.node, others)
            are_alike = others and _are_alike(new, node.text, _ALIKE_OF_A_NAME if is_named else _ALIKE)
            if are_alike and all(self._is_there(leaf, node) for leaf in leaves_of(each.node) if leaf not in others):
                yield new
                yield _with_numbers(new, node.text)

    def other(self, leaf: SyntaxNode, node: SyntaxNode) -> _Other | None:
        """Returns a variable's counterpart of the other axis or side, if it is in scope at a node."""
        key = id(self._scope.variables(node)), leaf.text
        if key not in self._others:
            self._others[key] = next(self._others_of(leaf, node), None)
        return self._others[key]

    def _others_of(self, leaf: SyntaxNode, node: SyntaxNode) -> Iterator[_Other]:
        kind, text = self._types.of(leaf), leaf.text
        if not scalar_of(kind) or is_matrix(kind):
            return
        if isinstance(leaf, Identifier):
            known = self._known(node)
            yield from (other for other in _others(text) if known.get(other.name) == kind)
            return
        if not isinstance(leaf, FieldAccess) or not isinstance(leaf.argument, LEAVES):
            return
        base, field = leaf.argument, leaf.field
        letters, own, head = field.text, self._types.of(base), f"{base.text}."
        members, fields = self._types.members, self._types.fields(own)
        for other in _others(letters) if text in members or fields else ():
            if (members.get(f"{head}{other.name}") if text in members else fields.get(other.name)) == kind:
                yield replace(other, name=f"{head}{other.name}")
        if text not in members and not fields and letters in ("x", "y") and lanes_of(own) > 1:
            yield _Other(f"{head}{'y' if letters == 'x' else 'x'}", letters == "x", is_axis=True)
        if isinstance(base, Identifier) and (found := self.other(base, node)) is not None:
            yield replace(found, name=f"{found.name}.{letters}")

    def _known(self, node: SyntaxNode) -> Mapping[str, str]:
        """Returns types of the names in scope at a node."""
        macros = {name: kind for name, kind in self._types.macros.items() if self._scope.is_known(name, node)}
        return {**macros, **dict(reversed(self._scope.variables(node)))}

    def _is_there(self, leaf: SyntaxNode, node: SyntaxNode) -> bool:
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
        inner = condition.named_children[0] if isinstance(condition, Parenthesised) else condition
        yield _Value(inner, "", 0)
    target, value = target_of(node), value_of(node)
    if target is not None and value is not None:
        yield _Value(value, target.text, 0)
    if isinstance(node, FunctionCall):
        yield from (_Value(each, "", node.start_byte) for each in arguments(node))


def _are_near(one: _Value, other: _Value) -> bool:
    return abs(one.node.row - other.node.row) <= _APART


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


def _others(name: str) -> Iterator[_Other]:
    """Yields names that are equal except for a word of the other axis or side."""
    for found in _WORD.finditer(name):
        for other in _other_words(found[0]):
            yield replace(other, name=name[: found.start()] + other.name + name[found.end() :])


def _other_words(word: str) -> Iterator[_Other]:
    plain, is_known = word.lower(), False
    for pairs, is_axis in ((_AXES, True), (_SIDES, False)):
        for first, second in pairs:
            if plain in (first, second):
                is_known = True
                yield _Other(_as_written(second if plain == first else first, word), plain == first, is_axis)
    for first, second in _LETTERS if len(word) > 1 and not is_known else ():
        for own, other in ((first, second), (second, first)):
            if plain == own * len(plain):
                yield _Other(_as_written(other * len(plain), word), own == first, is_axis=True)
            elif plain.endswith(own):
                yield _Other(word[:-1] + _as_written(other, word[-1]), own == first, is_axis=True)
            elif plain.startswith(own):
                yield _Other(_as_written(other, word[0]) + word[1:], own == first, is_axis=True)


def _first(word: str) -> str:
    """Replaces a word of the second axis by that of the first; others stay."""
    return next((each.name for each in _other_words(word) if each.is_axis and not each.is_first), word)


def _as_written(word: str, like: str) -> str:
    """Returns a word in capitals if the other one is, or begins with one."""
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
