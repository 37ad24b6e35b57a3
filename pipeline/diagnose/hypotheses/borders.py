"""Proposes reads past a border: padding of another kind, or whatever lies beyond a tile in the texture.

A picture that the pass enlarges first has windows that read past the picture, then enlarge, then sum.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.layer_parts import with_attributes
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, WindowChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, OpenSides, Pair, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import node_as, window_with
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
Evaluate = Callable[[Node, Sequence[Array | None]], Array]

# A resize is recomputed with this many texels around the picture.
_MARGIN = 2
_WINDOW = (("edge", "the nearest element"), ("wrap", "the opposite side"), ("reflect", "the mirrored element"))
Widths = tuple[tuple[int, int], ...]
_PADDED_SIDES: Mapping[str, tuple[int, ...]] = {"both sides": (0, 1), "the near sides": (0,), "the far sides": (1,)}
_PADDED_WITH = {"wrap": "the opposite side", "reflect": "the mirrored element", "zero": "0"}
# Sides without a border test, the likeliest first, and their descriptions.
_OPEN_SIDES = (
    (OpenSides(), "every side"),
    (OpenSides(top=False, bottom=False), "the left and right side"),
    (OpenSides(left=False, right=False), "the top and bottom"),
    (OpenSides(top=False, bottom=False, left=False), "the right side"),
    (OpenSides(top=False, bottom=False, right=False), "the left side"),
    (OpenSides(bottom=False, left=False, right=False), "the top"),
    (OpenSides(top=False, left=False, right=False), "the bottom"),
    (OpenSides(top=False, left=False), "the right side and the bottom"),
    (OpenSides(bottom=False, right=False), "the left side and the top"),
    (OpenSides(top=False, bottom=False, left=False, reach=1), "the right side, one texel"),
    (OpenSides(top=False, left=False, right=False, reach=1), "the bottom, one texel"),
    (OpenSides(top=False, left=False, reach=1), "the right side and the bottom, one texel"),
    (OpenSides(top=False, bottom=False, right=False, reach=1), "the left side, one texel"),
    (OpenSides(bottom=False, left=False, right=False, reach=1), "the top, one texel"),
    (OpenSides(bottom=False, right=False, reach=1), "the left side and the top, one texel"),
    (OpenSides(reach=1), "every side, one texel"),
)
_READ_BEYOND: tuple[Beyond, Beyond] = ("texel", "fetch")


@dataclass(frozen=True)
class EnlargedRead:
    """Describes a window's source that `resize` makes of `read`, enlarged by `factors` (down, across)."""

    case: FailingPass
    window: WindowSum
    read: ReadTensor
    resize: Node
    factors: Pair

    def beyond(self, beyond: Beyond, sides: OpenSides) -> WindowChange:
        """Returns the window on the enlarged surroundings of the picture; 0 on closed sides."""
        return WindowChange(self.window.node, lambda window: self._around(window, beyond, sides))

    def _around(self, window: WindowSum, beyond: Beyond, sides: OpenSides) -> WindowSum:
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
        source = self.case.model_slice.run_node(by_scales(self.resize), [wide, None, scales])
        return window.replaced(source=source, first=(up + top * down, left + before * across))


def enlarged_read(case: FailingPass, window: WindowSum) -> EnlargedRead | None:
    """Returns how the window's source is enlarged by an integer from an input of the pass; None if it is not."""
    node = case.model_slice.named(window.node)
    resize = case.model_slice.makers.get(node.inputs[0])
    read = case.read_of(resize.inputs[0]) if resize is not None and resize.op_type == "Resize" else None
    if resize is None or read is None or len(read.values.stored.shape) != 4:
        return None
    _, _, H, W = read.values.dims
    height, width = window.source.shape[2:]
    if height % H or width % W:
        return None
    return EnlargedRead(case, window, read, resize, (height // H, width // W))


def resized_beyond(case: FailingPass, modes: Sequence[Beyond]) -> Iterator[tuple[Node, Evaluate, Beyond]]:
    """Yields every Resize of an input of the pass, evaluated with each of `modes` around the picture."""
    for node in case.model_slice.node("Resize"):
        read = case.read_of(node.inputs[0])
        if read is not None and len(read.values.stored.shape) == 4:
            for beyond in modes:
                yield node, _resized(case, read, beyond), beyond


def _resized(case: FailingPass, read: ReadTensor, beyond: Beyond) -> Evaluate:
    """Evaluates the resize of the picture with a margin of its surroundings, which is cut off afterwards."""

    def change(node: Node, _inputs: Sequence[Array | None]) -> Array:
        _, _, H, W = read.values.dims
        out = case.model_slice.values[node.outputs[0]].shape
        if len(out) != 4 or out[2] % H or out[3] % W:
            raise DoesNotApplyError(node.name)
        down, across = out[2] // H, out[3] // W
        wide = read.values.surrounded((_MARGIN,) * 4, beyond)
        scales = np.array([1, 1, down, across], dtype=np.float32)
        resized = case.model_slice.run_node(by_scales(node), [wide, None, scales])
        return resized[:, :, _MARGIN * down : _MARGIN * down + out[2], _MARGIN * across : _MARGIN * across + out[3]]

    return change


def by_scales(node: Node) -> Node:
    """Returns a Resize node that has scales as its third input, and no region of interest."""
    return dataclasses.replace(node, inputs=(node.inputs[0], "", "scales"))


def _texels(reach: int, factor: int) -> int:
    """Returns how many texels become `reach` when enlarged, plus one that an interpolation needs."""
    return max(-(-reach // factor), 0) + 1


def _padding_mode(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes other paddings of windows, and other modes of Pad."""
    for window in case.windows():
        # Recorded reads cannot decide this: repeated and mirrored elements belong to the window anyway.
        yield from _padded_window(window)
    for node, evaluate, got in resized_beyond(case, ("wrap", "reflect", "zero")):
        says = f"interpolates with {_PADDED_WITH[got]} beyond the border, where the model clamps to the edge"
        yield _padded_as(got, "edge", says, NodeChange(node.name, evaluate))
    for node in case.model_slice.node("Pad"):
        yield from _pad(case, node)


def _padded_window(window: WindowSum) -> Iterator[Hypothesis]:
    right = "zero" if window.kind == "sum" else "nothing"
    for got, text in _WINDOW:
        says = f"reads {text} beyond the border, where the model reads {right}"
        yield _padded_as(got, right, says, window_with(window.node, beyond=got), in_pairs=True)
    if window.kind == "largest":
        says = "reads 0 beyond the border, where the model reads nothing"
        yield _padded_as("zero", right, says, window_with(window.node, outside=0.0))


def _pad(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    right = _name(str(node.attributes.get("mode", "constant")))
    for mode in ("constant", "edge", "reflect", "wrap"):
        if _name(mode) != right:
            says = f"pads by {_name(mode)} where the model pads by {right}"
            yield _padded_as(_name(mode), right, says, node_as(case, node, with_attributes(node, mode=mode)))
    widths = _widths(case, node)
    if widths is None:
        return
    for sides, axes in itertools.product(_PADDED_SIDES, ((-2, -1), (-2,), (-1,))):
        whole = sides == "both sides" and len(axes) == 2
        along = "" if len(axes) == 2 else f" along {'y' if axes == (-2,) else 'x'}"
        for mode in ("constant", "edge", "reflect", "wrap", "symmetric"):
            if _name(mode) == right or (whole and mode != "symmetric"):
                continue
            says = f"pads by {_name(mode)} on {sides}{along}, where the model pads by {right}"
            modes = {(axis, side): mode for axis in axes for side in _PADDED_SIDES[sides]}
            yield _padded_as(_name(mode), right, says, NodeChange(node.name, _padded(widths, right, modes)), prior=1.1)


def _padded_as(got: str, right: str, says: str, change: ModelEdit, **rest: Any) -> Hypothesis:
    remedy = f"Test the position against the picture's size; beyond it read {right}."
    parameters = {"expected": right, "got": got}
    return Hypothesis(causes.PADDING_MODE, says, (change,), parameters, remedy=remedy, line=lines.read(), **rest)


def _widths(case: FailingPass, node: Node) -> Widths | None:
    """Returns a Pad's widths before and behind each axis; None if it crops, or pads by more than there is."""
    inputs = case.model_slice.inputs_of(node)
    pads = np.asarray(node.attributes.get("pads", ()) if len(inputs) < 2 or inputs[1] is None else inputs[1])
    source = inputs[0]
    if source is None or source.ndim < 2 or pads.size != 2 * source.ndim or (pads < 0).any():
        return None
    widths = tuple((int(near), int(far)) for near, far in zip(*np.split(pads.reshape(-1), 2), strict=True))
    return widths if all(max(pair) < size for pair, size in zip(widths, source.shape, strict=True)) else None


def _padded(widths: Widths, right: str, modes: Mapping[tuple[int, int], str]):  # type: ignore[no-untyped-def]
    """Returns a Pad whose sides in `modes` (axis, 0 for near or 1 for far) are padded by another mode."""

    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        value = np.asarray(inputs[0])
        for axis, side in itertools.product(range(-2, 0), (0, 1)):
            width = [(0, 0)] * value.ndim
            width[axis] = (widths[axis][0], 0) if side == 0 else (0, widths[axis][1])
            mode = modes.get((axis, side), "constant" if right == "zero" else right)
            value = np.pad(value, width, mode=mode)  # type: ignore[call-overload]
        return np.asarray(value)

    return change


def _name(mode: str) -> str:
    return "zero" if mode == "constant" else mode


def _tile_bleed(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes windows on a picture, and on one that is enlarged first; enlargements alone."""
    for window in case.windows():
        enlarged = enlarged_read(case, window)
        read = window.stored or (enlarged.read.values if enlarged is not None else None)
        if read is None or case.reads_rightly(read.stored.tensor):
            continue
        for beyond, (number, (sides, text)) in itertools.product(_READ_BEYOND, enumerate(_OPEN_SIDES)):
            change = window_with(window.node, beyond=beyond, sides=sides)
            if enlarged is not None:
                change = enlarged.beyond(beyond, sides)
            says = f"reads beyond {text} of every tile{'' if beyond == 'texel' else ' (0 past the texture)'}"
            yield _bled(says, change, text, prior=1.2 + number / 100.0, in_pairs=not number and beyond == "texel")
    for node, evaluate, _ in resized_beyond(case, _READ_BEYOND):
        says, remedy = "interpolates with texels beyond the tile's border", "Clamp every position to the tile before "
        yield _bled(says, NodeChange(node.name, evaluate), "every side", remedy=f"{remedy}reading it.", prior=1.3)


def _bled(says: str, change: ModelEdit, sides: str, **rest: Any) -> Hypothesis:
    return Hypothesis(causes.TILE_BLEED, says, (change,), {"sides": sides}, line=lines.read(), **rest)


GENERATORS = (
    Generator(causes.PADDING_MODE, Stage.WINDOW, _padding_mode),
    Generator(causes.TILE_BLEED, Stage.WINDOW, _tile_bleed),
)
