"""BlockCumulative: y = the running sum or product (`fold`: add or mul) of x along `axis`, begun anew in each block.

With `reverse` from the other end. A block has `block` elements, the last one perhaps fewer.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "BlockCumulative"

FOLDS: Mapping[str, np.ufunc] = {"add": np.add, "mul": np.multiply}


def evaluate(invocation: Invocation) -> Outputs:
    """X → the same shape."""
    x, fold = in_order(invocation.required(0), invocation), FOLDS[invocation.attribute("fold")]
    parts = range(0, x.shape[-1], invocation.attribute("block"))
    wide = np.float64 if x.dtype.kind == "f" else x.dtype
    found = [fold.accumulate(x[..., i : i + invocation.attribute("block")], axis=-1, dtype=wide) for i in parts]
    return (in_order(np.concatenate(found, axis=-1).astype(x.dtype), invocation, back=True),)


def in_order(x: Array, invocation: Invocation, *, back: bool = False) -> Array:
    """x with the axis last, in the order in which it is folded; or, `back`, from there as it was."""
    axis, forwards = invocation.attribute("axis"), -1 if invocation.attribute("reverse") else 1
    return np.moveaxis(x[..., ::forwards], -1, axis) if back else np.moveaxis(x, axis, -1)[..., ::forwards]
