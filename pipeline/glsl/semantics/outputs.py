"""Finds the variables that a fragment shader writes its texels to."""

from __future__ import annotations

from types import MappingProxyType

from texelscope.pipeline.glsl.semantics.questions import function_around
from texelscope.pipeline.glsl.semantics.statements import Declaration
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, variables_of

# Outputs that the language has, and how their first texel is written.
BUILT_IN_OUTPUTS = MappingProxyType({"gl_FragColor": "gl_FragColor", "gl_FragData": "gl_FragData[0]"})


def declared_outputs(root: SyntaxNode) -> tuple[DeclaredVariable, ...]:
    """Returns the outputs that a fragment shader declares, in order; `root` is its parsed text."""
    return tuple(
        each
        for node in root.of_type(Declaration)
        if node.has_word("out") and function_around(node) is None
        for each in variables_of(node)
    )
