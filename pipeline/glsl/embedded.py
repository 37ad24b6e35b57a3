"""Translates desktop GLSL to GLSL ES, for WebGL pages and for drivers that have OpenGL ES alone.

ES 3.00 was cut from GLSL 3.30: what it adds is precisions, which desktop GLSL has in full. ES has no default for
samplers, and drivers may round what they read.
"""

from __future__ import annotations

import re

from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.source_text import with_directive, without_comments

# The desktop versions whose language is that of ES 3.00 but for precisions.
AS_ES = (130, 140, 150, 330)
_NUMBERS = ("precision highp float;", "precision highp int;")
# With a default of ES 3.00 for none of them.
_SAMPLERS = tuple(
    f"precision highp {kind}sampler{shape};" for shape in ("2D", "3D", "Cube", "2DArray") for kind in ("", "i", "u")
)
# Built in from ES 3.20 on.
_BUFFERS = tuple(f"precision highp {kind}samplerBuffer;" for kind in ("", "i", "u"))
# Extensions of ES 3.10 with what desktop GLSL has: numbers that convert themselves, and blocks between stages.
_LIKE_DESKTOP = ("GL_EXT_shader_implicit_conversions", "GL_OES_shader_io_blocks", "GL_OES_texture_buffer")
_MAIN = re.compile(r"^void\s+main\b", re.MULTILINE)
_OUTPUT = re.compile(r"^out vec4 (\w+);$", re.MULTILINE)


def as_page_text(text: str) -> str:
    """Returns a desktop text in GLSL ES 3.00, for a page, which reads plain samplers alone."""
    return behind_head(
        with_directive(without_indexed_output(text), "#version 300 es"), *_NUMBERS, "precision highp sampler2D;"
    )


def as_es(text: str, version: int, extensions: frozenset[str]) -> str:
    """Returns a desktop text in that version of GLSL ES, with the extensions among these that make it more alike."""
    alike = [name for name in _LIKE_DESKTOP if name in extensions] if version >= 310 else []
    directives = [f"#extension {name} : enable" for name in alike]
    buffers = _BUFFERS if version >= 320 or "GL_OES_texture_buffer" in alike else ()
    return behind_head(
        with_directive(without_indexed_output(text), f"#version {version} es"),
        *directives, *_NUMBERS, *_SAMPLERS, *buffers,
    )  # fmt: skip


def without_indexed_output(text: str) -> str:
    """Replaces an output whose lanes are written in a loop by a variable, and writes the output at once.

    ES 3.00 takes only constant indices of an output. A shader with a `return` in main is not changed.
    """
    found, main = _OUTPUT.findall(text), _MAIN.search(text)
    body = text[main.start() :] if main is not None else ""
    if len(found) != 1 or not re.search(rf"\b{found[0]}\[[A-Za-z_]", body) or "return" in without_comments(body):
        return text
    whole = f"{found[0]}_whole"
    text = _OUTPUT.sub(f"out vec4 {whole}; vec4 {found[0]};", text)
    return f"{text.rstrip().removesuffix('}')}    {whole} = {found[0]};\n}}\n"
