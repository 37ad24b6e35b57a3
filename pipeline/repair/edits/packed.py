"""Proposes other lanes of texels that hold two rows and two columns, where a vector of four is used as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FunctionCall,
    Identifier,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table
from texelscope.pipeline.repair.words.mutation import Mutation, is_target

# Each lane of a row or of a column twice, in both alphabets.
_TWICE = ("xyxy", "zwzw", "xxzz", "yyww")
_TO_RGBA = str.maketrans("xyzw", "rgba")
_PACKED = re.compile(r"\.(?:xyxy|zwzw|xxzz|yyww|xxyy|zzww|rgrg|baba|rrbb|ggaa|rrgg|bbaa)\b")
_VALUES = (Identifier, FunctionCall, Subscript)
_AROUND = (ArgumentList, InitDeclarator, Assignment, ReturnStatement)
_LONGEST = 200


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
