"""Texels that hold two rows and two columns: which lanes of one are meant where a vector of four is taken whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, sign_of
from texelscope.pipeline.repair.words.types import Types, is_in_a_table

# Each lane of a row or of a column twice, by both alphabets.
_TWICE = ("xyxy", "zwzw", "xxzz", "yyww")
_TO_RGBA = str.maketrans("xyzw", "rgba")
_PACKED = re.compile(r"\.(?:xyxy|zwzw|xxzz|yyww|xxyy|zzww|rgrg|baba|rrbb|ggaa|rrgg|bbaa)\b")
_VALUES = frozenset({"identifier", "call_expression", "subscript_expression"})
_AROUND = frozenset({"argument_list", "init_declarator", "assignment_expression", "return_statement"})
_LONGEST = 200


class LaneLetters:
    """Of one shader: whether it takes lanes twice anywhere, and by which letters."""

    def __init__(self, source: str) -> None:
        self._is_packed = _PACKED.search(source) is not None
        self._has_colours = len(re.findall(r"\.[rgba]{1,4}\b", source)) > len(re.findall(r"\.[xyzw]{1,4}\b", source))

    def proposals(self, node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
        """What may stand in place of a vector of four."""
        text = text_of(node)
        if types.of(node) != "vec4" or is_target(node) or is_in_a_table(node) or len(text) > _LONGEST:
            return
        if "#" in text or "//" in text:
            return
        for new in (*self._of_a_lane(node, types), *self._of_a_whole(node)):
            yield Mutation(node.start_byte, node.end_byte, text, new, "swapped", new)

    def _of_a_whole(self, node: tree_sitter.Node) -> Iterator[str]:
        parent = node.parent
        if not self._is_packed or node.type not in _VALUES or parent is None:
            return
        if parent.type in _AROUND or (parent.type == "binary_expression" and sign_of(parent) in "+-*/"):
            yield from (f"{text_of(node)}.{self._letters(letters)}" for letters in _TWICE)

    def _of_a_lane(self, node: tree_sitter.Node, types: Types) -> Iterator[str]:
        """Of a vector made of one lane of another the other one, and its lanes twice."""
        given = arguments(node) if node.type == "call_expression" and function_called(node) == "vec4" else []
        base = given[0].child_by_field_name("argument") if len(given) == 1 else None
        if base is None or types.of(base) != "vec4" or types.of(given[0]) != "float":
            return
        name, field = text_of(base), text_of(given[0]).rpartition(".")[2]
        yield name
        for four in _TWICE:
            letters = four.translate(_TO_RGBA) if field in "rgba" else four
            yield f"vec4({name}.{letters[:2]}, {name}.{letters[2:]})"

    def _letters(self, letters: str) -> str:
        return letters.translate(_TO_RGBA) if self._has_colours else letters
