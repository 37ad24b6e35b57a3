"""Finds the default picture for a model: the first that lies beside it.

A folder `inputs` beside the model comes before its own folder; a picture of the input's size before others, then by
name, with numbers by value. Another size is scaled to cover the input (`pipeline.inputs.sources`).
"""

from __future__ import annotations

import re
from pathlib import Path

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.sources import FIT, PICTURE_SUFFIXES, load_source, picture_size, takes_pictures
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.untrusted_files import is_file, is_inside

# The most files, so that a folder of downloads is not searched; and the most broken files before giving up.
MOST_LOOKED_AT, MOST_TRIED = 64, 4
# Smaller inputs are no pictures: a scalar has the shape of one too.
_LEAST_SIDE = 8


def pictures_beside(path: str | Path) -> tuple[Path, ...]:
    """Returns the pictures in `inputs` beside a file, or, if there are none, in its own folder."""
    own = Path(path).resolve().parent
    for folder in (own / "inputs", own):
        try:
            found = [each for each in folder.iterdir() if _is_picture(each, own)]
        except OSError:
            continue
        if found:
            return tuple(sorted(found, key=natural))
    return ()


def picture_beside(path: str | Path, plan: Plan) -> dict[str, str]:
    """Returns name → source of the first input that takes a picture and has no values in its file; else empty."""
    for name in plan.inputs:
        stored = plan.textures[name]
        _, _, height, width = as_nchw(stored.shape)
        if name in plan.initial_inputs or not takes_pictures(stored.shape) or min(height, width) < _LEAST_SIDE:
            continue
        sizes = {each: picture_size(str(each)) for each in pictures_beside(path)[:MOST_LOOKED_AT]}
        order = sorted((each for each, size in sizes.items() if size), key=lambda each: sizes[each] != (height, width))
        for each in order[:MOST_TRIED]:
            source = str(each) if sizes[each] == (height, width) else f"{FIT}{each}"
            try:
                load_source(source, stored.shape, name=name, dtype=stored.dtype)
            except TexelscopeError:  # a broken one must not keep the model from being opened
                continue
            return {name: source}
        return {}
    return {}


def _is_picture(path: Path, own: Path) -> bool:
    """Whether a picture lies there, and not elsewhere through a link."""
    return path.suffix.lower() in PICTURE_SUFFIXES and is_file(path) and is_inside(path, own)


def natural(path: Path) -> list[tuple[int, str]]:
    """Returns a key that sorts files as people do: numbers in their names by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name) if part]
