"""The vertex shader for a fragment shader that came without one."""

from __future__ import annotations

import re
from functools import lru_cache

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.comments import without_comments
from texelscope.pipeline.glsl.versions import same_version, version_of

_VARYING = re.compile(
    r"^[ \t]*(?P<layout>layout\s*\([^)]*\)\s*)?(?:in|varying)\s+"
    r"(?P<precision>(?:highp|mediump|lowp)\s+)?vec2\s+(?P<name>\w+)\s*;",
    re.MULTILINE,
)


@lru_cache(maxsize=64)  # asked for each use of a program, of which texts are long
def default_vertex_shader(fragment: str) -> str:
    """A triangle that covers the target, in the version of `fragment`.

    Every `in vec2` (or `varying vec2`) of the fragment shader gets the place in the target, (0, 0) at the first
    texel's corner to (1, 1) at the last one's: what a web page's own vertex shader hands over.
    """
    version = version_of(fragment)
    is_old = version is not None and version.number < 130
    text = same_version(read_shader("fullscreen_es100.vert.glsl" if is_old else "fullscreen.vert.glsl"), fragment)
    varyings = list(_VARYING.finditer(without_comments(fragment)))
    if not varyings:
        return text
    declared = "".join(
        f"{found['layout'] or ''}{'varying' if is_old else 'out'} {found['precision'] or ''}vec2 {found['name']};\n"
        for found in varyings
    )
    start = text.index("void ")
    written = "".join(f"    {found['name']} = corner;\n" for found in varyings)
    return f"{text[:start]}{declared}\n{text[start:].rstrip().removesuffix('}')}{written}}}\n"
