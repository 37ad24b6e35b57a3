"""Col2Im: windows cut out again."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.along_axes import placed
from texelscope.pipeline.gradients.derivatives.backward import Backward


def col2im(node: Backward) -> None:
    """dx has in each column the window of dy that it was added to."""
    if not node.wants(0):
        return
    block = [int(size) for size in node.value(2, "a block shape")]
    rank = len(block)
    strides = node.attribute("strides", None) or (1,) * rank
    dilations = node.attribute("dilations", None) or (1,) * rank
    pads = node.attribute("pads", None) or (0,) * (2 * rank)
    image = node.y_info().shape
    n, c, *sizes = image
    padded = [size + pads[axis] + pads[rank + axis] for axis, size in enumerate(sizes)]
    # Places in the padded picture, [element of the window, window].
    places = np.zeros((1, 1), dtype=np.int64)
    for axis, size in enumerate(padded):
        reach = (block[axis] - 1) * dilations[axis] + 1
        windows = np.arange(0, size - reach + 1, strides[axis])
        along = np.arange(block[axis])[:, None] * dilations[axis] + windows
        both = places[:, None, :, None] * size + along[None, :, None, :]
        places = both.reshape(len(places) * block[axis], -1)
    around = placed(node, node.dy(), image, (0, 0, *pads[:rank]), (n, c, *padded), "padded")
    flat = node.to_shape(around, (n, c, int(np.prod(padded))), label="in_a_row")
    cut = node.add("Gather", flat, node.constant(places, "int64", "places"), label="windows", axis=2)
    node.result(0, node.to_shape(cut, node.shape(0), label="dx"))


DERIVATIVES = {"Col2Im": col2im}
FLAT = ()
