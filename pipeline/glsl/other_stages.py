"""Writes other stages for a fragment shader: its vertex shader, or itself as one that stores an image.

Text of `pipeline.glsl.assemble` computes one texel from `gl_FragCoord`, which only its own `main` reads. As a compute
shader each invocation does that for the texel of its number; drawn over an image, each fragment for its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from texelscope.pipeline.glsl.assemble import VERSION, read_shader, without_title
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import same_version, version_of, without_comments

_VARYING = re.compile(
    r"^[ \t]*(?P<layout>layout\s*\([^)]*\)\s*)?(?:in|varying)\s+"
    r"(?P<precision>(?:highp|mediump|lowp)\s+)?vec2\s+(?P<name>\w+)\s*;",
    re.MULTILINE,
)
STORING_VERSION = "#version 430 core"
_OUTPUT = re.compile(r"^out (float|vec4) Y;$", re.MULTILINE)
_SAMPLER = re.compile(r"^uniform sampler2D (\w+);$", re.MULTILINE)
_PLACE = "gl_FragCoord.xy"
# The vertices that are drawn: x, y in clip space; u, v from (0, 0) at the first texel's corner to (1, 1) at the last
# one's.
TRIANGLE = ((-1.0, -1.0, 0.0, 0.0), (3.0, -1.0, 2.0, 0.0), (-1.0, 3.0, 0.0, 2.0))
_COORDINATE = re.compile(r"uv|tex|coord|st\b", re.IGNORECASE)
_MAIN = "void main() {"


def is_coordinate(attribute: str) -> bool:
    """Whether a vertex shader's attribute of that name gets u and v, and not x and y."""
    return _COORDINATE.search(attribute) is not None


@lru_cache(maxsize=64)  # called for each use of a program, whose text is long
def default_vertex_shader(fragment: str) -> str:
    """Returns a triangle that covers the target, in the version of `fragment`.

    Every `in vec2` (or `varying vec2`) of the fragment shader gets the place in the target, (0, 0) at the first
    texel's corner to (1, 1) at the last one's: as from a web page's own vertex shader.
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


def as_compute(fragment: str, samplers: Sequence[str], size: tuple[int, int]) -> str | None:
    """Returns the compute shader of a fragment shader that `assemble` wrote; None for another text.

    `samplers` are bound from unit 0 on, the written image to unit 0. `size` is that of a work group in texels:
    x, y.
    """
    local_size = f"layout(local_size_x = {size[0]}, local_size_y = {size[1]}) in;\n"
    return _storing(fragment, samplers, "gl_GlobalInvocationID.xy", local_size)


def as_drawn_image(fragment: str, samplers: Sequence[str]) -> str | None:
    """Returns the shader as `as_compute`, but as a fragment shader, drawn over as many texels as the image has."""
    return _storing(fragment, samplers, _PLACE)


def _storing(fragment: str, samplers: Sequence[str], place: str, local_size: str = "") -> str | None:
    text = without_title(fragment)
    output = _OUTPUT.search(text)
    if text == fragment or output is None or text.count(_MAIN) != 1:
        return None
    head, main = text[: output.start()], text[output.start() :]
    if any("gl_FragCoord" in part.replace(_PLACE, "") for part in (head, main)):
        return None
    head, main = (part.replace(_PLACE, place) for part in (head, main))
    head = with_units(head.removeprefix(VERSION), samplers)
    main = main.replace(output[0], f"{output[1]} Y;", 1)
    return (
        f"{STORING_VERSION}\n{local_size}"
        "layout(binding = 0) writeonly uniform image2D i_Y;\n"
        f"{line_directive(0, 3)}{head}"
        f"{main.replace(_MAIN, 'void texel() {', 1)}\n"
        "void main() {\n"
        f"    ivec2 at = ivec2({place});\n"
        "    if (any(greaterThanEqual(at, imageSize(i_Y)))) return;\n"
        "    texel();\n"
        "    imageStore(i_Y, at, vec4(Y));\n"
        "}\n"
    )


def with_units(text: str, samplers: Sequence[str]) -> str:
    """Returns generated text with its samplers bound to units, in the order of `samplers`."""
    units = {name: unit for unit, name in enumerate(samplers)}
    return _SAMPLER.sub(lambda found: f"layout(binding = {units[found[1]]}) {found[0]}", text)
