"""The picture that a model opens on where nobody names one: the first that lies beside it.

Of a folder `inputs` beside the model before its own folder; one of the input's size before others, then by name,
numbers in it by value. Another size is scaled to cover the input (`pipeline.inputs.fitting`).
"""

from __future__ import annotations

import re
from pathlib import Path

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.fitting import FIT
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES, load_source, picture_size, takes_pictures
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.untrusted_files import is_file, is_inside

# A folder of downloads is not searched through; and after so many broken files nobody wants a further one.
MOST_LOOKED_AT, MOST_TRIED = 64, 4
# Smaller is hardly a picture: a scalar has the shape of one too.
_LEAST_SIDE = 8


def pictures_beside(path: str | Path) -> tuple[Path, ...]:
    """Pictures in `inputs` beside a file, or, if there are none, in its own folder."""
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
    """Name of an input → source, for the first input that takes a picture and has no values in its file; else empty."""
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
    """Whether a picture lies there, and not elsewhere by a link of whoever made the folder."""
    return path.suffix.lower() in PICTURE_SUFFIXES and is_file(path) and is_inside(path, own)


def natural(path: Path) -> list[tuple[int, str]]:
    """As a person orders files: numbers in their names by value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name) if part]
