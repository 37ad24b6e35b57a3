"""Builds forms for drivers whose fragments write no images, before OpenGL 4.2: all that they write are colours.

A fragment that computes several pixels of several groups of channels keeps each sum in a colour of its own, a layer of
an array texture. A draw for each stored tensor then makes its texels of these: it adds up slices and finishes the sum.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import Finish, places
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.sums import (
    SumArrangement,
    arrangement,
    draw_size,
    fragment_count,
    runs_of,
    specialised,
    sum_constants,
    sum_sizes,
)
from texelscope.pipeline.lowerings.text import kept_program, output_program, shape_block
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import StoredTensor

KEPT = "sums"


def colours_form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering | None:
    """Returns the steps of the sum over the tensor stored as `x`, finished and stored as `finish` says.

    None for weights that are no constants: they are packed in a buffer, which no fragment writes there. What runs at
    first and what is tuned differ as those of `pipeline.lowerings.sums`.
    """
    if sum_.varies:
        return None
    best = _within(arrangement(sum_, limits), limits.max_colours)
    soon = dataclasses.replace(best, pixels=min(best.pixels, 4), groups=1)
    form = partial(_form, sum_, x, finish, covers, textures)
    return dataclasses.replace(form(soon), tuned=lambda: specialised(form(best)))


def _within(best: SumArrangement, max_colours: int) -> SumArrangement:
    """Returns an arrangement with no more sums than colours: fewer groups first, since pixels share what is read."""
    pixels, groups = best.pixels, best.groups
    while pixels * groups > max_colours:
        pixels, groups = (pixels, groups // 2) if groups > 1 else (pixels // 2, groups)
    return dataclasses.replace(best, pixels=pixels, groups=groups)


def _form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    how: SumArrangement,
) -> Lowering:
    width, rows = draw_size(fragment_count(sum_, how.pixels, how.groups) * how.slices)
    kept = Scratch(KEPT, rows, width, layers=how.pixels * how.groups)
    x_height, x_width = textures[x].texture_shape
    first = LoweringStep(
        program=kept_program("window_sum.glsl", sum_constants(sum_, how), ("t_W",), how.lines),
        size=(width, rows, 1),
        textures=(x,),
        images=(),
        packed=(sum_.packed(how.groups),),
        shape=shape_block([*sum_sizes(sum_, how, 0), *places(Finish(), textures)], (1 / x_width, 1 / x_height)),
        targets=(KEPT,),
    )
    constants = {"PIXELS": how.pixels, "GROUPS": how.groups, "PARITIES": sum_.parities, "BATCH": sum_.batch}
    sizes = [
        (0, 0, 0, 0),
        (*sum_.y_shape, Grid.of(sum_.batch * sum_.y_groups).columns, sum_.y_groups),
        (width, how.slices, 0, 0),
        (*runs_of(sum_, how.pixels), *sum_.spread),
        (0, 0, 0, 0),
    ]
    draws = _draws("from_colours.glsl", constants, KEPT, "sampler2DArray", sum_.outputs, sizes, finish, textures)
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (first, *draws), (kept,))


def texels_form(x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]) -> Lowering:
    """Reads the tensor stored as `x` texel by texel; finishes it by `finish`, in a draw for each of its stores."""
    n, channels, *spatial = as_nchw(textures[x].shape)
    groups = ceil_div(channels, 4)
    nothing = (0, 0, 0, 0)
    sizes = [nothing, (*spatial, Grid.of(n * groups).columns, groups), nothing, nothing, nothing]
    draws = _draws("from_texels.glsl", {"BATCH": n}, x, "sampler2D", channels, sizes, finish, textures)
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), draws)


def _draws(  # noqa: PLR0913 - the two callers differ in each
    file: str,
    constants: Mapping[str, int],
    x: str,
    kind: str,
    channels: int,
    sizes: Sequence[tuple[int, ...]],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
) -> tuple[LoweringStep, ...]:
    """Returns a draw for each store of a finish, into the whole texture; it discards what belongs to other parts."""
    draws = []
    for store in finish.stores:
        alone = dataclasses.replace(finish, stores=(store,))
        height, width = textures[store.key].texture_shape
        draws.append(
            LoweringStep(
                program=output_program(file, constants, alone, channels, kind),
                size=(width, height, 1),
                textures=(x, *alone.others()),
                images=(),
                packed=alone.packed(channels),
                shape=shape_block([*sizes, *places(alone, textures)], (0.0, 0.0)),
                targets=(store.key,),
            )
        )
    return tuple(draws)
