"""Col2Im: columns of windows added back to the picture or volume that they were cut from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, turns_of
from texelscope.pipeline.operators.rounding import sum_of_products

AXES = 3


@dataclass(frozen=True)
class _Folding:
    """The windows along z, y and x, with neutral leading axes."""

    block: Shape
    strides: Shape
    dilations: Shape
    pads: Shape
    windows: Shape

    @property
    def taps(self) -> int:
        return math.prod(self.block)


class Col2Im(Operator):
    """Overlapping blocks, a column each, added up to a picture."""

    op_types = ("Col2Im",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element gathers the windows that cover it."""
        folding = _folding(call)
        constants: dict[str, Constant] = {
            "RANK": len(call.output_shape()) - 2,
            "CHANNELS": call.output_shape()[1],
            "BLOCK": folding.block,
            "STRIDES": folding.strides,
            "DILATIONS": folding.dilations,
            "PADS": folding.pads,
            "WINDOWS": folding.windows,
        }
        turns = turns_of(*folding.block)
        return Kernel(("col2im.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ over the windows that can cover one element."""
        return sum_of_products(evaluation, _folding(call).taps, factors=(0,))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """One element of each window that covers this place."""
        folding, shape = _folding(call), call.output_shape()
        n, c, *spatial = (int(i) for i in np.unravel_index(element, shape))
        place = (0,) * (AXES - len(spatial)) + tuple(spatial)
        found = []
        for tap, offsets in enumerate(itertools.product(*(range(size) for size in folding.block))):
            window = []
            for axis, offset in enumerate(offsets):
                number, rest = divmod(
                    place[axis] + folding.pads[axis] - offset * folding.dilations[axis], folding.strides[axis]
                )
                if rest == 0 and 0 <= number < folding.windows[axis]:
                    window.append(number)
            if len(window) == AXES:
                column = np.ravel_multi_index(window, folding.windows)
                found.append(np.ravel_multi_index((n, c * folding.taps + tap, int(column)), call.shape(0)))
        return {0: np.array(found, dtype=np.int64)}


def _folding(call: Call) -> _Folding:
    block = tuple(int(size) for size in call.required_constant(2, "a block shape"))
    rank = len(block)
    if rank > AXES:
        raise UnsupportedError(call.who, "at most three spatial axes", str(rank), "Reshape around the node.")
    strides = tuple(call.attribute("strides") or (1,) * rank)
    dilations = tuple(call.attribute("dilations") or (1,) * rank)
    pads = tuple(call.attribute("pads") or (0,) * (2 * rank))
    image = call.output_shape()[2:]
    windows = tuple(
        (image[i] + pads[i] + pads[rank + i] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(rank)
    )
    one, zero = (1,) * (AXES - rank), (0,) * (AXES - rank)
    return _Folding((*one, *block), (*one, *strides), (*one, *dilations), (*zero, *pads[:rank]), (*one, *windows))


OPERATORS = (Col2Im(),)
