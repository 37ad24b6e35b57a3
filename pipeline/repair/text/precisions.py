"""Raises missing or low precisions of a GLSL ES shader, which no mutant schema can express."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.source_text import is_es
from texelscope.pipeline.plan import ProgramSource

_LOW = re.compile(r"\b(?:lowp|mediump)\b")
_SAMPLER = re.compile(r"(\buniform\s+)((?:\w*sampler|\w*image)\w+\s)")
_PRECISION = re.compile(r"\s*precision\s+\w+\s+float\s*;")
# The most lines that are raised one by one.
_MOST = 8


def raised(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    """Yields edits with more precision: samplers of high precision, each low one raised, and all of them."""
    if not is_es(program.fragment):
        return
    edits = []
    for line, text in zip(line_map(program), program.fragment.split("\n"), strict=False):
        if line[0] == GENERATED:
            continue
        after = _LOW.sub("highp", text)
        if after == text:
            after = _SAMPLER.sub(r"\1highp \2", text)
        if after != text:
            edits.append(LineEdit(*line, text, after))
        if _PRECISION.fullmatch(text) and "precision highp sampler2D" not in program.fragment:
            yield (LineEdit(*line, text, f"{text} precision highp sampler2D;"),)
    yield from ((edit,) for edit in edits[:_MOST])
    if len(edits) > 1:
        yield tuple(edits)
