"""Windows on a picture that the pass enlarges on the way: read on past the picture, then enlarged, then summed up."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from pipeline.diagnose.case import Case
from pipeline.diagnose.evidence import ReadTensor
from pipeline.diagnose.redo import FrameChange
from pipeline.diagnose.stored_values import Beyond
from pipeline.diagnose.window_sum import Pair, Sides, WindowSum
from pipeline.graph import Node


@dataclass(frozen=True)
class Enlarged:
    """A window's source, made of `read` by `resize`, `factors` (down, across) as large."""

    case: Case
    frame: WindowSum
    read: ReadTensor
    resize: Node
    factors: Pair

    def beyond(self, beyond: Beyond, sides: Sides) -> FrameChange:
        """The window on what lies around the picture, enlarged too; 0 on closed sides."""
        return FrameChange(self.frame.node, lambda frame: self._around(frame, beyond, sides))

    def _around(self, frame: WindowSum, beyond: Beyond, sides: Sides) -> WindowSum:
        _, _, H, W = self.read.values.dims
        (down, across), (up, left) = self.factors, frame.first
        last_y, last_x = (
            (size - 1) * stride + (taps - 1) * apart + first
            for size, stride, taps, apart, first in zip(
                frame.size, frame.stride, frame.kernel, frame.dilation, frame.first, strict=True
            )
        )
        top, bottom = _texels(-up, down), _texels(last_y - H * down + 1, down)
        before, behind = _texels(-left, across), _texels(last_x - W * across + 1, across)
        wide = np.array(self.read.values.surrounded((top, bottom, before, behind), beyond))
        closed = sides.closed(np.arange(-top, H + bottom)[:, None], np.arange(-before, W + behind), (H, W))
        wide[:, :, closed] = frame.outside
        scales = np.array([1, 1, down, across], dtype=np.float32)
        source = self.case.redo.run_node(by_scales(self.resize), [wide, None, scales])
        return frame.replaced(source=source, first=(up + top * down, left + before * across))


def enlarged_read(case: Case, frame: WindowSum) -> Enlarged | None:
    """How the frame's source is enlarged by a whole number from a picture that the pass reads; None if it is not."""
    node = next(each for each in case.redo.nodes if each.name == frame.node)
    resize = case.redo.makers.get(node.inputs[0])
    read = case.read_of(resize.inputs[0]) if resize is not None and resize.op_type == "Resize" else None
    if resize is None or read is None or len(read.values.stored.shape) != 4:
        return None
    _, _, H, W = read.values.dims
    height, width = frame.source.shape[2:]
    if height % H or width % W:
        return None
    return Enlarged(case, frame, read, resize, (height // H, width // W))


def by_scales(node: Node) -> Node:
    """A Resize node that takes scales as its third input, and no region of interest."""
    return dataclasses.replace(node, inputs=(node.inputs[0], "", "scales"))


def _texels(reach: int, factor: int) -> int:
    """Texels before enlarging that take in `reach` after it, and one more, on which an interpolation leans."""
    return max(-(-reach // factor), 0) + 1
