"""Proposes other lanes of a vector, and other fields of a structure.

A texel that holds two rows and two columns has other lanes where the vector of four is used as a whole.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, is_in_a_table, lanes_of
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation, Numbered, is_target

# Each lane of a row or of a column twice, in both alphabets.
_TWICE = ("xyxy", "zwzw", "xxzz", "yyww")
_TO_RGBA = str.maketrans("xyzw", "rgba")
_PACKED = re.compile(r"\.(?:xyxy|zwzw|xxzz|yyww|xxyy|zzww|rgrg|baba|rrbb|ggaa|rrgg|bbaa)\b")
_VALUES = (Identifier, FunctionCall, Subscript)
_AROUND = (ArgumentList, InitDeclarator, Assignment, ReturnStatement)
_LONGEST = 200


def of_field(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields other fields of the same vector or structure in place of a field expression."""
    if not isinstance(node, FieldAccess) or is_target(node):
        return
    base, field = node.argument, node.field
    fields = types.fields(types.of(base))
    yield from (
        f"{base.text}.{other}"
        for other, kind in fields.items()
        if kind == fields.get(field.text) and other != field.text
    )
    if (own := types.members.get(node.text)) is not None:
        around = f"{base.text}."
        yield from (name for name, kind in types.members.items() if kind == own and name.startswith(around))
        return
    letters, lanes = field.text, lanes_of(types.of(base))
    alphabet = next((each for each in ALPHABETS if set(letters) <= set(each)), "")
    if not alphabet or not lanes:
        return
    if len(letters) == 1:
        yield from (f"{base.text}.{letter}" for letter in alphabet[:lanes])
        return
    if len(letters) == 2:
        yield from (f"{base.text}.{''.join(each)}" for each in itertools.product(alphabet[:lanes], repeat=2))
        return
    yield f"{base.text}.{letters[::-1]}"
    if len({*letters}) == 1:  # one lane for all
        yield f"{base.text}.{alphabet[: len(letters)]}"
    for a, b in itertools.combinations(range(len(letters)), 2):
        moved = list(letters)
        moved[a], moved[b] = moved[b], moved[a]
        yield f"{base.text}.{''.join(moved)}"
    yield from (f"{base.text}.{letters[turn:]}{letters[:turn]}" for turn in range(1, len(letters)))
    yield f"{base.text}.{letters[2::-1]}{letters[3:]}"


def whole_of_a_lane(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields a sum or product of vectors with a vector where it has one lane of it."""
    kind, whole = types.of(node), node.text.encode()
    if not isinstance(node, BinaryExpression) or lanes_of(kind) < 2:
        return
    pending: list[SyntaxNode] = [node]
    while pending:
        for child in pending.pop().named_children:
            if isinstance(child, BinaryExpression | Parenthesised):
                pending.append(child)
            base = child.argument if isinstance(child, FieldAccess) else None
            if base is not None and types.of(base) == kind and lanes_of(types.of(child)) == 1:
                at, end = base.end_byte - node.start_byte, child.end_byte - node.start_byte
                yield (whole[:at] + whole[end:]).decode()


def of_twos(node: SyntaxNode, types: Types) -> Iterator[Numbered]:
    """Yields any two of four lanes, each doubled or in turn, as block products use them."""
    if not isinstance(node, FieldAccess) or not isinstance(node.argument, Identifier) or is_target(node):
        return
    base = node.argument
    letters, name = node.field.text, base.text
    alphabet = next((each for each in ALPHABETS if set(letters) <= set(each)), "")
    if len(letters) != 4 or types.of(base) != "vec4" or not alphabet:
        return
    low, high = (
        tuple(f"{name}[int({part})]" for part in (f"mod({NUMBER}.{lane}, 4.0)", f"{NUMBER}.{lane} / 4.0"))
        for lane in "xy"
    )
    template = f"vec4({low[0]}, {low[1]}, {high[0]}, {high[1]})"
    for a, b in itertools.product(range(4), repeat=2):
        for four in ((a, a, b, b), (a, b, a, b)):
            new = "".join(alphabet[each] for each in four)
            if new != letters:
                yield f"{name}.{new}", template, (float(four[0] + 4 * four[1]), float(four[2] + 4 * four[3]))


class LaneLetters:
    """One shader: whether it uses lanes twice anywhere, and with which letters."""

    def __init__(self, source: str) -> None:
        self._is_packed = _PACKED.search(source) is not None
        self._has_colours = len(re.findall(r"\.[rgba]{1,4}\b", source)) > len(re.findall(r"\.[xyzw]{1,4}\b", source))

    def proposals(self, node: SyntaxNode, types: Types) -> Iterator[Mutation]:
        """Proposes replacements of a vector of four."""
        text = node.text
        if types.of(node) != "vec4" or is_target(node) or is_in_a_table(node) or len(text) > _LONGEST:
            return
        if "#" in text or "//" in text:
            return
        for new in (*self._of_a_lane(node, types), *self._of_a_whole(node)):
            yield Mutation(node.start_byte, node.end_byte, text, new, "swapped", new)

    def _of_a_whole(self, node: SyntaxNode) -> Iterator[str]:
        parent = node.parent
        if not self._is_packed or not isinstance(node, _VALUES) or parent is None:
            return
        if isinstance(parent, _AROUND) or (isinstance(parent, BinaryExpression) and parent.operator in "+-*/"):
            yield from (f"{node.text}.{self._letters(letters)}" for letters in _TWICE)

    def _of_a_lane(self, node: SyntaxNode, types: Types) -> Iterator[str]:
        """Yields for a vector of one lane the other lane, and its lanes twice."""
        given = arguments(node) if isinstance(node, FunctionCall) and function_called(node) == "vec4" else []
        base = argument_of(given[0]) if len(given) == 1 else None
        if base is None or types.of(base) != "vec4" or types.of(given[0]) != "float":
            return
        name, field = base.text, given[0].text.rpartition(".")[2]
        yield name
        for four in _TWICE:
            letters = four.translate(_TO_RGBA) if field in "rgba" else four
            yield f"vec4({name}.{letters[:2]}, {name}.{letters[2:]})"

    def _letters(self, letters: str) -> str:
        return letters.translate(_TO_RGBA) if self._has_colours else letters
