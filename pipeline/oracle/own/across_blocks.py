"""AcrossBlocks: y = x ∘ the last elements of all blocks before it, x folded (`fold`: add or mul) inside each block.

Axis, blocks and `reverse` are those of BlockCumulative. With `exclusive` the element before x, of the same block,
stands in its place, or `start` for the first of a block.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.own.block_cumulative import FOLDS, in_order

OPERATOR = "AcrossBlocks"


def evaluate(invocation: Invocation) -> Outputs:
    """X → the same shape."""
    x, fold = in_order(invocation.required(0), invocation), FOLDS[invocation.attribute("fold")]
    block, start = invocation.attribute("block"), invocation.attribute("start")
    wide = np.float64 if x.dtype.kind == "f" else x.dtype
    count = x.shape[-1]
    ends = x[..., block - 1 :: block].astype(wide)
    first = np.full((*x.shape[:-1], 1), start, dtype=wide)
    before = fold.accumulate(np.concatenate((first, ends), axis=-1), axis=-1)
    own = x.astype(wide)
    if invocation.attribute("exclusive"):
        own = np.concatenate((first, own[..., :-1]), axis=-1)
        own[..., ::block] = start
    result = fold(before[..., np.arange(count) // block], own)
    return (in_order(result.astype(x.dtype), invocation, back=True),)
