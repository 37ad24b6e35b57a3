"""The vertex shader for a fragment shader that came without one."""

from __future__ import annotations

import re

from pipeline.glsl.assemble import read_shader

_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_VERSION = re.compile(r"^[ \t]*#[ \t]*version[ \t]+(\d+)[^\n]*", re.MULTILINE)
_VARYING = re.compile(
    r"^[ \t]*(?P<layout>layout\s*\([^)]*\)\s*)?(?:in|varying)\s+"
    r"(?P<precision>(?:highp|mediump|lowp)\s+)?vec2\s+(?P<name>\w+)\s*;",
    re.MULTILINE,
)


def default_vertex_shader(fragment: str) -> str:
    """A triangle that covers the target, in the version of `fragment`.

    Every `in vec2` (or `varying vec2`) of the fragment shader gets the place in the target, (0, 0) at the first
    texel's corner to (1, 1) at the last one's: what a web page's own vertex shader hands over.
    """
    bare = _COMMENT.sub(" ", fragment)
    version = _VERSION.search(bare)
    number = version[1] if version is not None else "330"
    is_old = int(number) < 130
    text = read_shader("fullscreen_es100.vert.glsl" if is_old else "fullscreen.vert.glsl")
    text = _VERSION.sub(version[0].strip() if version is not None else "#version 330 core", text, count=1)
    varyings = list(_VARYING.finditer(bare))
    if not varyings:
        return text
    declared = "".join(
        f"{found['layout'] or ''}{'varying' if is_old else 'out'} {found['precision'] or ''}vec2 {found['name']};\n"
        for found in varyings
    )
    start = text.index("void ")
    written = "".join(f"    {found['name']} = corner;\n" for found in varyings)
    return f"{text[:start]}{declared}\n{text[start:].rstrip().removesuffix('}')}{written}}}\n"
