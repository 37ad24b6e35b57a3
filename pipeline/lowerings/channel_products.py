"""Builds the form of a product of matrices for each channel, as attention has for its heads: four channels a texel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import Finish, has_groups, places
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.sums import draw_size, specialised
from texelscope.pipeline.lowerings.text import shape_block, step_program
from texelscope.pipeline.lowerings.window_sum import Pair
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Plan, StoredTensor

# Rows and columns that a fragment computes, at first and tuned.
_SOON, _TUNED = (2, 2), (8, 4)


@dataclass(frozen=True)
class ChannelProduct:
    """Describes y[n, c, i, j] = Σ_k x[n, c, i, k] · other[n, c, k, j]; `size` is that of y, rows and columns."""

    batch: int
    outputs: int
    size: Pair
    inner: int
    other: str
    bias: str = ""

    @property
    def given(self) -> tuple[str, ...]:
        """Returns keys of the tensors that are summed with, beside constants."""
        return (self.other,)

    @property
    def groups(self) -> int:
        """Counts groups of four channels."""
        return ceil_div(self.outputs, 4)


def channel_product(call: Call, plan: Plan, limits: Limits) -> ChannelProduct | None:
    """Returns the node as such a product; None for another node, and for matrices that channels share.

    None also for tensors whose texels hold other elements than four channels, and for longer sums than the driver has
    turns of a loop.
    """
    node = call.node
    if node.op_type != "MatMul" or node.domain:
        return None
    x_shape, other_shape = call.shape(0), call.shape(1)
    stored = [plan.textures.get(key) for key in (*node.inputs[:2], node.outputs[0])]
    if len(x_shape) != 4 or len(other_shape) != 4 or x_shape[:2] != other_shape[:2]:
        return None
    if not all(each is not None and has_groups(each) for each in stored) or x_shape[3] > limits.max_loop_turns:
        return None
    n, channels, rows, inner = x_shape
    return ChannelProduct(n, channels, (rows, other_shape[3]), inner, node.inputs[1])


def channel_product_form(
    product: ChannelProduct, x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns the draw of the product with the tensor stored as `x`, finished and stored as `finish` says."""

    def form(block: Pair) -> Lowering:
        step = _step(product, x, finish, textures, block)
        reads = tuple(dict.fromkeys((x, product.other, *finish.others())))
        return Lowering(tuple(covers), reads, finish.writes(), (step,))

    return replace(form(_SOON), tuned=lambda: specialised(form(_TUNED)))


def _step(
    product: ChannelProduct, x: str, finish: Finish, textures: Mapping[str, StoredTensor], block: Pair
) -> LoweringStep:
    rows, columns = product.size
    grid = Grid.of(product.batch * product.groups).columns
    runs = ceil_div(columns, block[1]), ceil_div(rows, block[0])
    fragments = runs[0] * runs[1] * product.batch * product.groups
    size = draw_size(fragments)
    constants = {"ROWS": block[0], "COLUMNS": block[1], "SUMS": block[0] * block[1]}
    shape = [
        (rows, product.inner, grid, product.groups),
        (rows, columns, grid, product.groups),
        (product.inner, columns, grid, product.groups),
        (size[0], fragments, *runs),
        *places(finish, textures),
    ]
    texel = [1 / of for key in (x, product.other) for of in reversed(textures[key].texture_shape)]
    return LoweringStep(
        program=step_program("channel_product.glsl", constants, finish, textures, product.outputs, more=("t_B",)),
        size=(*size, 1),
        textures=(x, product.other, *finish.others()),
        images=finish.images(),
        packed=finish.packed(product.outputs),
        shape=shape_block(shape, tuple(texel)),
    )
