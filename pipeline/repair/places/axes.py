"""What is said of one axis, said of the other: x for y, width for height, columns for rows; and so of two sides.

A shader says most of it twice, and the second time is a copy in which everything has to be renamed. So an expression is
renamed as a whole, or brought in line with that of the other axis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import tree_sitter

from texelscope.pipeline.glsl.syntax import WORD, arguments, function_around, text_of, walk
from texelscope.pipeline.repair.places.leaves import LEAVES, leaves_of, with_texts
from texelscope.pipeline.repair.words.mutation import Mutation, is_target
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, lanes_of, scalar_of

# Words for what lies along the first axis, with those for the second; and for what is on one side, with the other.
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
# Letters that a word ends or begins with: `sx`, `outw`, `xo`.
_LETTERS = (("x", "y"), ("w", "h"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WHOLES = frozenset({"binary_expression", "call_expression", "conditional_expression", "subscript_expression"})
_LONGEST = 200
# Expressions say the same of two axes where so much of the shorter one is in the other, of two variables of one name a
# smaller part, and so much of both is alike; and not farther apart than so many lines.
_ALIKE, _ALIKE_OF_A_NAME, _OF_BOTH, _APART = 0.7, 0.5, 0.4, 12


def canonical(text: str) -> str:
    """A name with its words for the second axis as those for the first: alike for both."""
    return _WORD.sub(lambda found: _first(found[0]), text)


@dataclass(frozen=True)
class _Other:
    """A name's counterpart; whether its own is of the first axis, or on the first side, and of which of both."""

    name: str
    is_first: bool
    is_axis: bool


@dataclass(frozen=True)
class _Value:
    """An expression that stands alone, with the name of what is given it, if anything is, and what it stands in."""

    node: tree_sitter.Node
    name: str
    place: int


class Axes:
    """Of one parsed shader."""

    def __init__(self, root: tree_sitter.Node, types: Types, scope: NameScope) -> None:
        self._types, self._scope = types, scope
        self._others: dict[tuple[int, str], _Other | None] = {}
        self._values: dict[int, list[_Value]] = {}
        for node in walk(root):
            function = function_around(node)
            if function is not None and not node.has_error:
                self._values.setdefault(function.start_byte, []).extend(_values_of(node))
        self._by_node = {each.node.id: each for values in self._values.values() for each in values}

    def proposals(self, node: tree_sitter.Node) -> Iterator[Mutation]:
        """What may stand in place of an expression."""
        text = text_of(node)
        if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
            return
        made = [*self._in_line(node), *(self._renamed(node) if node.type in _WHOLES else ())]
        for new in dict.fromkeys(made):
            if new != text:
                yield Mutation(node.start_byte, node.end_byte, text, new, "replaced", f"({new})")

    def _renamed(self, node: tree_sitter.Node) -> Iterator[str]:
        """With all names of one axis as those of the other, or those of both exchanged."""
        others = {leaf: other for leaf in leaves_of(node) if (other := self.other(leaf, node)) is not None}
        if len(others) < 2 or any({*leaves_of(part)} >= {*others} for part in node.named_children):
            return  # one name alone is another edit, and so is a part that has them all
        yield with_texts(node, {leaf: other.name for leaf, other in others.items()})
        for wanted in (True, False):
            for attribute in ("is_first", "is_axis"):
                some = {leaf: other.name for leaf, other in others.items() if getattr(other, attribute) == wanted}
                if 1 < len(some) < len(others):
                    yield with_texts(node, some)

    def _in_line(self, node: tree_sitter.Node) -> Iterator[str]:
        """As what is said alike of the other axis."""
        own, function = self._by_node.get(node.id), function_around(node)
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
            are_alike = others and _are_alike(new, text_of(node), _ALIKE_OF_A_NAME if is_named else _ALIKE)
            if are_alike and all(self._is_there(leaf, node) for leaf in leaves_of(each.node) if leaf not in others):
                yield new
                yield _with_numbers(new, text_of(node))

    def other(self, leaf: tree_sitter.Node, node: tree_sitter.Node) -> _Other | None:
        """A variable's counterpart of the other axis or side, where that is in scope at a node."""
        key = id(self._scope.variables(node)), text_of(leaf)
        if key not in self._others:
            self._others[key] = next(self._others_of(leaf, node), None)
        return self._others[key]

    def _others_of(self, leaf: tree_sitter.Node, node: tree_sitter.Node) -> Iterator[_Other]:
        kind, text = self._types.of(leaf), text_of(leaf)
        if not scalar_of(kind) or is_matrix(kind):
            return
        if leaf.type == "identifier":
            known = self._known(node)
            yield from (other for other in _others(text) if known.get(other.name) == kind)
            return
        base, field = leaf.child_by_field_name("argument"), leaf.child_by_field_name("field")
        if base is None or field is None or base.type not in LEAVES:
            return
        letters, own, head = text_of(field), self._types.of(base), f"{text_of(base)}."
        members, fields = self._types.members, self._types.fields(own)
        for other in _others(letters) if text in members or fields else ():
            if (members.get(f"{head}{other.name}") if text in members else fields.get(other.name)) == kind:
                yield replace(other, name=f"{head}{other.name}")
        if text not in members and not fields and letters in ("x", "y") and lanes_of(own) > 1:
            yield _Other(f"{head}{'y' if letters == 'x' else 'x'}", letters == "x", is_axis=True)
        if base.type == "identifier" and (found := self.other(base, node)) is not None:
            yield replace(found, name=f"{found.name}.{letters}")

    def _known(self, node: tree_sitter.Node) -> Mapping[str, str]:
        """Types of the names in scope at a node."""
        macros = {name: kind for name, kind in self._types.macros.items() if self._scope.is_known(name, node)}
        return {**macros, **dict(reversed(self._scope.variables(node)))}

    def _is_there(self, leaf: tree_sitter.Node, node: tree_sitter.Node) -> bool:
        """Whether a variable is in scope at another node as well."""
        while leaf.type == "field_expression" and (base := leaf.child_by_field_name("argument")) is not None:
            if text_of(leaf) in self._types.members:
                return True
            leaf = base
        return leaf.type != "identifier" or text_of(leaf) in self._known(node)


def _values_of(node: tree_sitter.Node) -> Iterator[_Value]:
    """What stands alone in a node: what is given to a variable, asked, or handed over."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        inner = condition.named_children[0] if condition.type == "parenthesized_expression" else condition
        yield _Value(inner, "", 0)
    target = node.child_by_field_name("declarator") or node.child_by_field_name("left")
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    if node.type in ("init_declarator", "assignment_expression") and target is not None and value is not None:
        yield _Value(value, text_of(target), 0)
    if node.type == "call_expression":
        yield from (_Value(each, "", node.start_byte) for each in arguments(node))


def _are_near(one: _Value, other: _Value) -> bool:
    return abs(one.node.start_point[0] - other.node.start_point[0]) <= _APART


def _are_alike(one: str, other: str, share: float) -> bool:
    """Whether so large a share of the shorter text is in the other one."""
    words, others = WORD.findall(one), WORD.findall(other)
    same = sum(each.size for each in SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks())
    return same >= share * min(len(words), len(others)) and 2 * same >= _OF_BOTH * (len(words) + len(others))


def _with_numbers(new: str, old: str) -> str:
    """A text with the numbers of another one where they stand at the same place: sizes of its own axis."""
    words, others = [*WORD.finditer(new)], WORD.findall(old)
    matcher = SequenceMatcher(None, [each[0] for each in words], others, autojunk=False)
    for kind, start, _, first, _ in reversed(matcher.get_opcodes()):
        if kind == "replace" and words[start][0][0].isdigit() and others[first][0].isdigit():
            new = new[: words[start].start()] + others[first] + new[words[start].end() :]
    return new


def _others(name: str) -> Iterator[_Other]:
    """Names that are as one, but for a word of the other axis or side."""
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
    """A word of the second axis as that of the first; any other as it is."""
    return next((each.name for each in _other_words(word) if each.is_axis and not each.is_first), word)


def _as_written(word: str, like: str) -> str:
    """In capitals where the other is so, or begins with one."""
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
