"""Runs shaders of mpv's first interface: a function of a texture, a place and a size, without directives.

mpv before 0.17 had it. Its name was `sample`, which is a word of GLSL 4.00, and then `sample_pixel`. It may use `cmul`
and `image_size` beside what mpv has today.
"""

from __future__ import annotations

import re

from texelscope.pipeline.dialects.mpv.blocks import DirectiveName, HookBlock
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.glsl.source_text import without_comments

_NAME = "sample_pixel"
_FUNCTION = re.compile(
    r"\bvec4\s{1,99}(?P<name>sample|sample_pixel)\s{0,99}\(\s{0,99}sampler2D\s{1,99}\w{1,99}\s{0,99},"
    r"\s{0,99}vec2\s{1,99}\w{1,99}\s{0,99},\s{0,99}vec2\s{1,99}\w{1,99}\s{0,99}\)"
)
_MAIN = re.compile(r"\bmain\s{0,99}\(")
# The block's function, which calls the author's, NAME.
_CALL = "vec4 hook() { return NAME(HOOKED_raw, HOOKED_pos, HOOKED_size); }\n"
_MACROS = ("cmul 1.0", "image_size HOOKED_size")


def has_first_interface(text: str) -> bool:
    """Reports whether a text without directives is a shader of the first interface."""
    return _function(text) is not None


def block_of(text: str, file: str) -> HookBlock | None:
    """Returns the block that such a shader is, at MAIN; None for any other text."""
    function = _function(text)
    if function is None:
        return None
    place = FileLine(file, text.count("\n", 0, function.start()) + 1)
    renamed = () if function["name"] == _NAME else (f"{function['name']} {_NAME}",)
    return HookBlock(
        place=place,
        hooks=(DirectiveName("MAIN", place),),
        body=f"{text.rstrip()}\n{_CALL.replace('NAME', function['name'])}",
        body_line=1,
        binds=(DirectiveName("HOOKED", place),),
        macros=(*renamed, *_MACROS),
    )


def _function(text: str) -> re.Match[str] | None:
    bare = without_comments(text)
    return None if _MAIN.search(bare) is not None else _FUNCTION.search(bare)
