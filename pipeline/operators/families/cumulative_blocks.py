"""BlockCumulative and AcrossBlocks, of the program's own domain: a running sum or product over a long axis."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import gamma


class _Running(Operator):
    """What both share: the axis, its blocks, and the bound of a fold."""

    shader: str

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks its block, or the blocks before it."""
        shaders = (f"elementwise/{call.attribute('fold')}.glsl", self.shader)
        reads = {"X": call.node.inputs[0]}
        return Kernel(shaders, reads, MappingProxyType(_constants(call)), turns=self.terms(call))

    def terms(self, call: Call) -> int:
        """How many elements one is folded from, at most."""
        raise NotImplementedError

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ(k) over what the fold of absolute values is; carried: the fold of |x| + e, less that of |x|."""
        (x,), (error,) = evaluation.inputs, evaluation.errors
        assert x is not None
        magnitude = evaluation.run([np.abs(x)]).astype(np.float64)
        bound = 2.0 * gamma(self.terms(call) + 1, evaluation.unit) * magnitude
        if error is None:
            return np.asarray(bound)
        moved = evaluation.run([(np.abs(x) + error).astype(x.dtype)]).astype(np.float64)
        return np.asarray(bound + (moved - magnitude))


class BlockCumulative(_Running):
    """Each element is the sum or product of those before it in its block, and itself."""

    op_types = ("BlockCumulative",)
    shader = "block_cumulative.glsl"

    def terms(self, call: Call) -> int:
        """A block."""
        return int(call.attribute("block"))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """From the first of the block to the element."""
        p, step, block = *_place(call, element), int(call.attribute("block"))
        return {0: element + (np.arange(p // block * block, p + 1, dtype=np.int64) - p) * step}


class AcrossBlocks(_Running):
    """Each element of folded blocks with all that the blocks before it come to."""

    op_types = ("AcrossBlocks",)
    shader = "across_blocks.glsl"

    def terms(self, call: Call) -> int:
        """The blocks."""
        return -(-call.shape(0)[call.axis()] // int(call.attribute("block")))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The last of each block before, and the element or the one before it."""
        p, step, block = *_place(call, element), int(call.attribute("block"))
        places = (np.arange(p // block, dtype=np.int64) + 1) * block - 1
        if not call.attribute("exclusive"):
            places = np.append(places, p)
        elif p % block:
            places = np.append(places, p - 1)
        return {0: element + (places - p) * step}


def _place(call: Call, element: int) -> tuple[int, int]:
    """The place on the axis, counted from where the fold begins, and how far two neighbours there are apart."""
    stride, count = strides_of(call.shape(0))[call.axis()], call.shape(0)[call.axis()]
    place = element // stride % count
    return (count - 1 - place, -stride) if call.attribute("reverse") else (place, stride)


def _constants(call: Call) -> dict[str, Constant]:
    axis = call.axis()
    return {
        "START": float(call.attribute("start")),
        "AXIS_COUNT": call.shape(0)[axis],
        "AXIS_STRIDE": strides_of(call.shape(0))[axis],
        "BLOCK": int(call.attribute("block")),
        "REVERSE": bool(call.attribute("reverse")),
        "EXCLUSIVE": bool(call.attribute("exclusive", 0)),
    }


OPERATORS = (BlockCumulative(), AcrossBlocks())
