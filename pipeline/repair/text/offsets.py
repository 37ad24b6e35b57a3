"""Reads at an offset with one that is computed as the shader runs, where GLSL requires a constant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import ParameterMacro
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

# The prefix of such a read; for each one its replacement, and its number of arguments.
LOOSE = "texelscope_"
_READS = {
    "textureOffset": (3, "(t, p, o) texture(t, (p) + vec2(o) / vec2(textureSize(t, 0)))"),
    "textureLodOffset": (4, "(t, p, l, o) textureLod(t, (p) + vec2(o) / vec2(textureSize(t, int(l))), l)"),
    "texelFetchOffset": (4, "(t, p, l, o) texelFetch(t, (p) + (o), l)"),
}


@dataclass(frozen=True)
class Offsets:
    """The reads at offsets of one shader: the bytes where they begin, and the ranges of their offsets."""

    reads: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    lines: tuple[str, ...]

    def are_in(self, places: Iterable[int]) -> bool:
        """Whether one of some places is in an offset."""
        return any(start <= place < stop for place in places for start, stop in self.places)


def offsets_of(root: SyntaxNode, bodies: Iterable[tuple[SyntaxNode, int]]) -> Offsets:
    """Finds them; `bodies` are macros' bodies, each with its offset in bytes."""
    found = [(node, 0) for node in _reads_in(root)]
    found += [(node, shift) for body, shift in bodies for node in _reads_in(body)]
    made = [(arguments(node)[-1], shift) for node, shift in found]
    places = [(each.start_byte + shift, each.end_byte + shift) for each, shift in made]
    named = {node.name for node in root.of_type(ParameterMacro) if _is_reading(node)}
    for node in root.walk():
        if isinstance(node, FunctionCall) and function_called(node) in named:
            places.append((node.start_byte, node.end_byte))
    names = dict.fromkeys(function_called(node) for node, _ in found)
    return Offsets(
        tuple(node.start_byte + shift for node, shift in found),
        tuple(places),
        tuple(f"#define {LOOSE}{name}{_READS[name][1]}" for name in names),
    )


def _reads_in(root: SyntaxNode) -> Iterator[SyntaxNode]:
    for node in root.walk():
        name = function_called(node) if isinstance(node, FunctionCall) else ""
        if name in _READS and len(arguments(node)) == _READS[name][0]:
            yield node


def _is_reading(macro: ParameterMacro) -> bool:
    """Whether a macro reads at an offset."""
    return macro.body is not None and any(f"{name}(" in macro.body.text for name in _READS)
