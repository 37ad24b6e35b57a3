"""The form of what happens to a tensor texel by texel, in a compute shader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.lowerings.finish import Finish, places
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.text import DispatchText, dispatch_program
from texelscope.pipeline.plan import StoredTensor

_SIZE = (16, 16)
_FILES = DispatchText("texels.comp.glsl", _SIZE, ("texels.shape.glsl",))


def compute_texel_form(x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]) -> Lowering:
    """The tensor stored as `x`, read texel by texel, finished and stored as `finish` says, as one dispatch."""
    n, channels, *spatial = textures[x].shape
    groups = ceil_div(channels, 4)
    height, width = textures[x].texture_shape
    shape = [
        (*spatial, Grid.of(n * groups).columns, groups),
        (n * groups, 0, 0, 0),
        *places(finish, textures),
    ]
    step = LoweringStep(
        program=dispatch_program(_FILES, {}, finish, textures, channels),
        size=(ceil_div(width, _SIZE[0]), ceil_div(height, _SIZE[1]), 1),
        textures=(x, *finish.others()),
        images=finish.images(),
        packed=finish.packed(channels),
        shape=np.array(shape, dtype=np.int32).tobytes(),
        kind="compute",
    )
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (step,))
