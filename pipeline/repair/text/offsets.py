"""Offsets of reads as the shader works them out: GLSL wants constants there, and an edit is chosen as it runs."""

from __future__ import annotations

import re
from collections.abc import Iterable

import tree_sitter

from pipeline.glsl.syntax import arguments, function_called, walk

# How a read goes that has its offset in texels added beforehand; wrapped and filtered it is the same afterwards.
_WITHOUT = {
    "textureOffset": (3, "(s, p, o) texture(s, (p) + vec2(o) / vec2(textureSize(s, 0)))"),
    "textureLodOffset": (4, "(s, p, l, o) textureLod(s, (p) + vec2(o) / vec2(textureSize(s, int(l))), l)"),
    "texelFetchOffset": (4, "(s, p, l, o) texelFetch(s, (p) + (o), l)"),
}
# Textures whose places are no two numbers.
_OTHERS = re.compile(r"sampler(1D|3D|Cube|\w*Array|\w*Shadow|\w*Rect)")


def free_offsets(roots: Iterable[tree_sitter.Node], source: str) -> tuple[str, ...]:
    """Lines for the head of a program by which no offset has to be constant; of reads in `roots`, which hold them all.

    Nothing of a read that some call has with more arguments, or that stands elsewhere in `source`.
    """
    if _OTHERS.search(source):
        return ()
    calls = [node for root in roots for node in walk(root) if node.type == "call_expression"]
    found = []
    for name, (count, said) in _WITHOUT.items():
        own = [len(arguments(call)) for call in calls if function_called(call) == name]
        if own and len(own) == len(re.findall(rf"\b{name}\b", source)) and {*own} == {count}:
            found.append(f"#define {name}{said}")
    return tuple(found)
