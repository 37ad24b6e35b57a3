"""Forms of sums over a tensor whose elements are repeated, in a fraction of the products.

With x̂[u] = x[u div r] along an axis, y[p] = Σ_k x̂[p − before + k·gap] · w[k] and D[u] = Σ_{s<r} dy[u + s],

    dx[j] = Σ_s dx̂[r·j + s] = Σ_k D[r·j + before − k·gap] · w[k]
    dw[k] = Σ_p dy[p] · x̂[p − before + k·gap] = Σ_j x[j] · D[r·j + before − k·gap]

so that both are sums over the elements of x, in steps of r over D, the sums over boxes of dy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.text import drawn_program, shape_block
from texelscope.pipeline.plan import StoredTensor

Pair = tuple[int, int]
# The scratch texture of D.
BOXES = "sums over boxes"


@dataclass(frozen=True)
class Boxes:
    """D of the tensor stored as `key`, of `shape` [N, C, H, W], over `repeats` along y and x; D starts at 1 − r."""

    key: str
    shape: Shape
    repeats: Pair

    @property
    def own_shape(self) -> Shape:
        """That of D."""
        n, channels, height, width = self.shape
        return (n, channels, height + self.repeats[0] - 1, width + self.repeats[1] - 1)


def after_boxes(
    boxes: Boxes, make: Callable[[Mapping[str, StoredTensor]], Lowering], textures: Mapping[str, StoredTensor]
) -> Lowering:
    """The form that `make` makes, which reads D as the tensor `BOXES` of the textures that it is given."""
    stored = dataclasses.replace(textures[boxes.key], key=BOXES, shape=boxes.own_shape)
    return _joined(boxes, make({**textures, BOXES: stored}), stored, textures)


def _joined(boxes: Boxes, form: Lowering, stored: StoredTensor, textures: Mapping[str, StoredTensor]) -> Lowering:
    height, width = stored.texture_shape
    tuned = form.tuned
    return dataclasses.replace(
        form,
        reads=tuple(dict.fromkeys(boxes.key if key == BOXES else key for key in form.reads)),
        steps=(_step(boxes, textures[boxes.key], stored), *form.steps),
        scratch=(Scratch(BOXES, height, width), *form.scratch),
        tuned=None if tuned is None else lambda: _joined(boxes, tuned(), stored, textures),
    )


def _step(boxes: Boxes, x: StoredTensor, stored: StoredTensor) -> LoweringStep:
    n, channels, *spatial = boxes.shape
    tiles = n * ceil_div(channels, 4)
    columns = Grid.of(tiles).columns
    (x_height, x_width), (height, width) = x.texture_shape, stored.texture_shape
    constants = {"REPEATS_Y": boxes.repeats[0], "REPEATS_X": boxes.repeats[1]}
    shape = [(spatial[0], spatial[1], columns, tiles), (*boxes.own_shape[2:], columns, tiles)]
    return LoweringStep(
        program=drawn_program("box_sum.glsl", constants, ("t_X",)),
        size=(width, height, 1),
        textures=(boxes.key,),
        images=(),
        shape=shape_block(shape, (1 / x_width, 1 / x_height)),
        targets=(BOXES,),
    )
