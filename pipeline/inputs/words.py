"""Where an input's values come from, and how they were prepared, in words."""

from __future__ import annotations

from pathlib import Path

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.fitting import FIT, RULE
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES


def source_words(source: str, shape: Shape) -> str:
    """The source of an input of that shape: which file, and what was done to it."""
    if not source:
        return "as in the file"
    path = Path(source.removeprefix(FIT))
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        return source
    _, channels, height, width = as_nchw(shape)
    colours = {1: "grey", 3: "RGB", 4: "RGBA"}.get(channels, "")
    scaled = RULE.format(width=width, height=height) if source.startswith(FIT) else "not scaled"
    return f"{path}: {scaled}, {colours} from 0 to 1"
