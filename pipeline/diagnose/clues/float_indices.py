"""Decides whether a shader computes any index in floats: a shader of integers has no rounding errors there."""

from __future__ import annotations

import re

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.source_text import without_comments

# These calls make integers of floats, or take a coordinate as floats.
_CALLS = re.compile(r"\b(?:floor|ceil|round|roundEven|mod|modf|fract|trunc)\s*\(")
_SAMPLES = re.compile(r"\btexture(?:2D|Lod|Grad|Offset|Proj)?\s*\(")
_TO_WHOLE = re.compile(r"\b(?:u?int|[iu]vec[234])\s*\(")
_DECLARED = re.compile(r"\b(?:float|vec[234])\s+(\w+)")
_FLOAT = re.compile(r"\d\.|\.\d|\bfloat\b|\bvec[234]\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
# gl_FragCoord holds integers and a half: converting it alone is exact.
_PIXEL = re.compile(r"\bgl_FragCoord(?:\.[xyzwrgba]+)?")


def are_possible(case: FailingPass) -> bool:
    """Whether the text computes indices in floats; also true if a precision is below high.

    Generated accessors may sample at texel centres, which computes no index.
    """
    program = case.evidence.program
    text = without_comments(program.fragment)
    lines = zip(text.split("\n"), line_map(program), strict=False)
    written = "\n".join(line for line, place in lines if place[0] != GENERATED)
    if _CALLS.search(text) or _SAMPLES.search(written) or re.search(r"\b(?:mediump|lowp)\b", written):
        return True
    floats = set(_DECLARED.findall(text))
    return any(_is_of_floats(_argument(text, found.end()), floats) for found in _TO_WHOLE.finditer(text))


def _is_of_floats(argument: str, floats: set[str]) -> bool:
    pixel_aside = _PIXEL.sub("", argument)
    if pixel_aside != argument and pixel_aside.strip(" ,()+-0123456789"):
        return True
    return bool(_FLOAT.search(pixel_aside)) or not floats.isdisjoint(_WORD.findall(pixel_aside))


def _argument(text: str, start: int) -> str:
    """Returns the text from `start`, behind an open parenthesis, to where it closes."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    return text[start:]
