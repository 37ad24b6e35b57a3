"""A generated fragment shader as one that stores an image: dispatched as a compute shader, or drawn still.

What `pipeline.glsl.assemble` makes computes one texel from `gl_FragCoord` and says which in one place, its own `main`;
each invocation does that for the texel of its number, each fragment for its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from texelscope.pipeline.glsl.assemble import VERSION, without_title
from texelscope.pipeline.glsl.lines import line_directive

STORING_VERSION = "#version 430 core"
_OUTPUT = re.compile(r"^out (float|vec4) Y;$", re.MULTILINE)
_SAMPLER = re.compile(r"^uniform sampler2D (\w+);$", re.MULTILINE)
_PLACE = "gl_FragCoord.xy"
_MAIN = "void main() {"


def as_compute(fragment: str, samplers: Sequence[str], size: tuple[int, int]) -> str | None:
    """The compute shader of a fragment shader that `assemble` made; None for another text.

    `samplers` are bound from unit 0 on, the image that is written to unit 0. `size` is that of a work group in texels:
    x, y.
    """
    local_size = f"layout(local_size_x = {size[0]}, local_size_y = {size[1]}) in;\n"
    return _storing(fragment, samplers, "gl_GlobalInvocationID.xy", local_size)


def as_drawn_image(fragment: str, samplers: Sequence[str]) -> str | None:
    """As `as_compute`, but a fragment shader, drawn over as many texels as the image has."""
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
    """Generated text with its samplers bound to units, in the order of `samplers`."""
    units = {name: unit for unit, name in enumerate(samplers)}
    return _SAMPLER.sub(lambda found: f"layout(binding = {units[found[1]]}) {found[0]}", text)
