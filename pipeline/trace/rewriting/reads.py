"""Logs reads: each remains the built-in call that it is, in its own precision."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.questions import READS, function_around
from texelscope.pipeline.glsl.semantics.statements import Declaration
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import parameters_of, variables_of, words_of
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.trace.rewriting.values import ValueRecorder

_PRECISIONS = ("lowp", "mediump", "highp")
# For each read the argument that is an offset, -1 where none is, and whether its coordinates are texels.
_FORMS = {
    "texture": (-1, False),
    "texture2D": (-1, False),
    "texture2DLod": (-1, False),
    "textureLod": (-1, False),
    "textureGrad": (-1, False),
    "textureOffset": (2, False),
    "textureLodOffset": (3, False),
    "texelFetch": (-1, True),
    "texelFetchOffset": (3, True),
}


class Reads(ValueRecorder):
    """Follows the reads of textures."""

    def _read(self, node: FunctionCall) -> None:
        if node.has_error:
            raise self._unsupported(node, "a read that parses", self._text(node))
        self._followed.add(node.callee.start_byte)
        given = [child for child in node.arguments if not isinstance(child, Comment)]
        sampler, at = given[0], given[1]
        self._without_reads(given[2:])
        offset, is_texel = _FORMS[node.name]
        beside = [] if is_texel else [f"textureSize({self._text(sampler)}, 0)"]
        beside += [self._text(given[offset])] if offset >= 0 else []
        self._wrap(at, "trace_place(", f"{''.join(f', {each}' for each in beside)})")
        opening = f"{self._sampler_number(sampler)}, {self._site(node)}, {self._lanes(node)}, "
        self._wrap(node, f"trace_{self._precision(sampler)}({opening}")

    def _is_told_by_caller(self, node: SyntaxNode) -> bool:
        return self._is_generated(node)  # an author's function is stepped through

    def _without_reads(self, given: Sequence[SyntaxNode]) -> None:
        """Refuses reads in the arguments after the coordinates: the logged position would be another's."""
        for each in given:
            for inner in each.of_type(FunctionCall):
                if inner.name in READS or inner.name in self._own:
                    raise self._unsupported(inner, "a read's level and offset without calls", f"'{self._text(inner)}'")

    def _precision(self, sampler: SyntaxNode) -> str:
        """Returns the precision of a sampler: its own, or the text's default; desktop GLSL has only one."""
        version = version_of(self._source.decode())
        if version is None or not version.is_es:
            return "highp"
        name, definition = self._text(sampler), function_around(sampler)
        own = [each for each in (parameters_of(definition) if definition is not None else ()) if each.name == name]
        found = "lowp"
        for node in self._top():
            if not isinstance(node, Declaration):
                continue
            words = words_of(node)
            own += [each for each in variables_of(node) if each.name == name and "uniform" in each.qualifiers]
            if words[:1] == ("precision",) and "sampler2D" in words:
                found = next((word for word in words if word in _PRECISIONS), found)
        return next((word for each in own for word in _PRECISIONS if word in each.qualifiers), found)
