"""Reads at an offset, which GLSL wants constant, with one that is worked out as the shader runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of, walk

# Stands before the name of such a read; what it is then, by its name, and with how many arguments.
LOOSE = "texelscope_"
_READS = {
    "textureOffset": (3, "(t, p, o) texture(t, (p) + vec2(o) / vec2(textureSize(t, 0)))"),
    "textureLodOffset": (4, "(t, p, l, o) textureLod(t, (p) + vec2(o) / vec2(textureSize(t, int(l))), l)"),
    "texelFetchOffset": (4, "(t, p, l, o) texelFetch(t, (p) + (o), l)"),
}


@dataclass(frozen=True)
class Offsets:
    """Of one shader: the bytes where such reads begin, and from where to where their offsets are made."""

    reads: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    lines: tuple[str, ...]

    def are_in(self, places: Iterable[int]) -> bool:
        """Whether one of some places is in an offset."""
        return any(start <= place < stop for place in places for start, stop in self.places)


def offsets_of(root: tree_sitter.Node, bodies: Iterable[tuple[tree_sitter.Node, int]]) -> Offsets:
    """`bodies` are what macros stand for, each with by how many bytes it lies farther on."""
    found = [(node, 0) for node in _reads_in(root)]
    found += [(node, shift) for body, shift in bodies for node in _reads_in(body)]
    made = [(arguments(node)[-1], shift) for node, shift in found]
    places = [(each.start_byte + shift, each.end_byte + shift) for each, shift in made]
    named = {text_of(node.child_by_field_name("name") or node) for node in walk(root) if _is_reading(node)}
    for node in walk(root):
        if node.type == "call_expression" and function_called(node) in named:
            places.append((node.start_byte, node.end_byte))
    names = dict.fromkeys(function_called(node) for node, _ in found)
    return Offsets(
        tuple(node.start_byte + shift for node, shift in found),
        tuple(places),
        tuple(f"#define {LOOSE}{name}{_READS[name][1]}" for name in names),
    )


def _reads_in(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for node in walk(root):
        name = function_called(node) if node.type == "call_expression" else ""
        if name in _READS and len(arguments(node)) == _READS[name][0]:
            yield node


def _is_reading(node: tree_sitter.Node) -> bool:
    """Whether it is a macro of parameters that reads at an offset."""
    body = node.child_by_field_name("value") if node.type == "preproc_function_def" else None
    return body is not None and any(f"{name}(" in text_of(body) for name in _READS)
