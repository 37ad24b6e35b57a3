"""Pictures that the pass enlarges: what is interpolated with at their borders."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.does_not_apply import DoesNotApplyError
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node

Array = NDArray[Any]
Evaluate = Callable[[Node, Sequence[Array | None]], Array]

# A resize is redone with so many texels around the picture.
_MARGIN = 2


def resized_beyond(case: Case, modes: Sequence[Beyond]) -> Iterator[tuple[Node, Evaluate, Beyond]]:
    """Every Resize of a picture that the pass reads, with how it comes out where `modes` say what lies around it."""
    for node in case.redo.node("Resize"):
        read = case.read_of(node.inputs[0])
        if read is not None and len(read.values.stored.shape) == 4:
            for beyond in modes:
                yield node, _resized(case, read, beyond), beyond


def _resized(case: Case, read: ReadTensor, beyond: Beyond) -> Evaluate:
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
