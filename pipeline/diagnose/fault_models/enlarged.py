"""Windows on a picture that the pass enlarges on the way: read on past the picture, then enlarged, then summed up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.diagnose.model_slice.model_slice import WindowChange
from texelscope.pipeline.diagnose.model_slice.window_sum import Pair, Sides, WindowSum
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
Evaluate = Callable[[Node, Sequence[Array | None]], Array]

# A resize is redone with so many texels around the picture.
_MARGIN = 2


@dataclass(frozen=True)
class Enlarged:
    """A window's source, made of `read` by `resize`, `factors` (down, across) as large."""

    case: FailingPass
    window: WindowSum
    read: ReadTensor
    resize: Node
    factors: Pair

    def beyond(self, beyond: Beyond, sides: Sides) -> WindowChange:
        """The window on what lies around the picture, enlarged too; 0 on closed sides."""
        return WindowChange(self.window.node, lambda window: self._around(window, beyond, sides))

    def _around(self, window: WindowSum, beyond: Beyond, sides: Sides) -> WindowSum:
        _, _, H, W = self.read.values.dims
        (down, across), (up, left) = self.factors, window.first
        last_y, last_x = (
            (size - 1) * stride + (taps - 1) * apart + first
            for size, stride, taps, apart, first in zip(
                window.size, window.stride, window.kernel, window.dilation, window.first, strict=True
            )
        )
        top, bottom = _texels(-up, down), _texels(last_y - H * down + 1, down)
        before, behind = _texels(-left, across), _texels(last_x - W * across + 1, across)
        wide = np.array(self.read.values.surrounded((top, bottom, before, behind), beyond))
        closed = sides.closed(np.arange(-top, H + bottom)[:, None], np.arange(-before, W + behind), (H, W))
        wide[:, :, closed] = window.outside
        scales = np.array([1, 1, down, across], dtype=np.float32)
        source = self.case.redo.run_node(by_scales(self.resize), [wide, None, scales])
        return window.replaced(source=source, first=(up + top * down, left + before * across))


def enlarged_read(case: FailingPass, window: WindowSum) -> Enlarged | None:
    """How the window's source is enlarged by a whole number from a picture that the pass reads; None if it is not."""
    node = next(each for each in case.redo.nodes if each.name == window.node)
    resize = case.redo.makers.get(node.inputs[0])
    read = case.read_of(resize.inputs[0]) if resize is not None and resize.op_type == "Resize" else None
    if resize is None or read is None or len(read.values.stored.shape) != 4:
        return None
    _, _, H, W = read.values.dims
    height, width = window.source.shape[2:]
    if height % H or width % W:
        return None
    return Enlarged(case, window, read, resize, (height // H, width // W))


def resized_beyond(case: FailingPass, modes: Sequence[Beyond]) -> Iterator[tuple[Node, Evaluate, Beyond]]:
    """Every Resize of a picture that the pass reads, with how it comes out where `modes` say what lies around it."""
    for node in case.redo.node("Resize"):
        read = case.read_of(node.inputs[0])
        if read is not None and len(read.values.stored.shape) == 4:
            for beyond in modes:
                yield node, _resized(case, read, beyond), beyond


def _resized(case: FailingPass, read: ReadTensor, beyond: Beyond) -> Evaluate:
    """The resize of the picture with a margin of what lies around it; the margin's part is cut off afterwards."""

    def change(node: Node, _inputs: Sequence[Array | None]) -> Array:
        _, _, H, W = read.values.dims
        out = case.redo.values[node.outputs[0]].shape
        if len(out) != 4 or out[2] % H or out[3] % W:
            raise DoesNotApplyError(node.name)
        down, across = out[2] // H, out[3] // W
        wide = read.values.surrounded((_MARGIN,) * 4, beyond)
        scales = np.array([1, 1, down, across], dtype=np.float32)
        resized = case.redo.run_node(by_scales(node), [wide, None, scales])
        return resized[:, :, _MARGIN * down : _MARGIN * down + out[2], _MARGIN * across : _MARGIN * across + out[3]]

    return change


def by_scales(node: Node) -> Node:
    """A Resize node that takes scales as its third input, and no region of interest."""
    return dataclasses.replace(node, inputs=(node.inputs[0], "", "scales"))


def _texels(reach: int, factor: int) -> int:
    """Texels before enlarging that take in `reach` after it, and one more, on which an interpolation leans."""
    return max(-(-reach // factor), 0) + 1
