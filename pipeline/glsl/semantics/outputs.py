"""Finds the variables that a fragment shader writes its texels to."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.semantics.questions import function_around
from texelscope.pipeline.glsl.semantics.statements import Declaration
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, variables_of, words_of

# Outputs that the language has, and how their first texel is written.
BUILT_IN_OUTPUTS = MappingProxyType({"gl_FragColor": "gl_FragColor", "gl_FragData": "gl_FragData[0]"})


def declared_outputs(root: SyntaxNode) -> tuple[DeclaredVariable, ...]:
    """Returns the outputs that a fragment shader declares, in order; `root` is its parsed text."""
    return tuple(each for node in _declarations(root) for each in variables_of(node))


def output_locations(root: SyntaxNode) -> dict[str, int]:
    """Returns the number of each declared output's target, by name: as written, and in order where none is written."""
    locations: dict[str, int] = {}
    for node in _declarations(root):
        words = words_of(node)
        written = next((words[at + 2] for at, word in enumerate(words[:-2]) if word == "location"), "")
        for each in variables_of(node):
            if each.name.startswith("gl_"):  # a depth, which has no target of its own
                continue
            number = whole_number(written)
            locations[each.name] = len(locations) if number is None else number
    return locations


def _declarations(root: SyntaxNode) -> Iterator[Declaration]:
    return (node for node in root.of_type(Declaration) if node.has_word("out") and function_around(node) is None)
