"""Reads on their way into the log: each stays the built-in call that it is, in its own precision."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from texelscope.pipeline.glsl.syntax import READS, function_around, function_called, walk
from texelscope.pipeline.glsl.versions import version_of
from texelscope.pipeline.trace.rewriting.declared import parameters, variables, words_of
from texelscope.pipeline.trace.rewriting.values import ValueRecorder

_PRECISIONS = ("lowp", "mediump", "highp")
# Of each read which argument is an offset, -1 where none is, and whether its coordinates are texels.
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

    def _read(self, node: tree_sitter.Node, function: tree_sitter.Node, arguments: tree_sitter.Node) -> None:
        if node.has_error:
            raise self._unsupported(node, "a read that parses", self._text(node))
        self._followed.add(function.start_byte)
        given = [child for child in arguments.named_children if child.type != "comment"]
        sampler, at = given[0], given[1]
        self._without_reads(given[2:])
        offset, is_texel = _FORMS[self._text(function)]
        beside = [] if is_texel else [f"textureSize({self._text(sampler)}, 0)"]
        beside += [self._text(given[offset])] if offset >= 0 else []
        self._wrap(at, "trace_place(", f"{''.join(f', {each}' for each in beside)})")
        opening = f"{self._sampler_number(sampler)}, {self._site(node)}, {self._lanes(node)}, "
        self._wrap(node, f"trace_{self._precision(sampler)}({opening}")

    def _is_told_by_caller(self, node: tree_sitter.Node) -> bool:
        return self._is_generated(node)  # an author's function is stepped through

    def _without_reads(self, given: Sequence[tree_sitter.Node]) -> None:
        """What follows the coordinates may not read in its turn: the position that is kept would be another's."""
        for each in given:
            for inner in walk(each):
                name = function_called(inner) if inner.type == "call_expression" else ""
                if name in READS or name in self._own:
                    raise self._unsupported(inner, "a read's level and offset without calls", f"'{self._text(inner)}'")

    def _precision(self, sampler: tree_sitter.Node) -> str:
        """That of a sampler: its own, or the text's default; desktop GLSL takes none for another."""
        version = version_of(self._source.decode())
        if version is None or not version.is_es:
            return "highp"
        name, definition = self._text(sampler), function_around(sampler)
        own = [each for each in (parameters(definition) if definition is not None else ()) if each.name == name]
        found = "lowp"
        for node in self._top():
            words = words_of(node) if node.type == "declaration" else ()
            own += [each for each in variables(words) if each.name == name and "uniform" in each.qualifiers]
            if words[:1] == ("precision",) and "sampler2D" in words:
                found = next((word for word in words if word in _PRECISIONS), found)
        return next((word for each in own for word in _PRECISIONS if word in each.qualifiers), found)
