"""filter_io_swap: the wrong values are those of the layer with the two channel axes of its weights swapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import outputs_as_inputs, rows_as_columns
from pipeline.diagnose.clues.weights import moved_weights, weight_read, weighted_windows
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
_BLOCK = 4
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch", "edge", "zero")


class FilterIoSwap(Rule):
    """The weight from input i to output o is read where that from o to i is stored."""

    cause = "filter_io_swap"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Swapped axes, memory of the swapped shape, blocks of four, and swapped indices in a texture."""
        for window, tensor, value in weighted_windows(case):
            node = next(each for each in case.redo.nodes if each.name == window.node)
            convolves = facts_of(node).window in ("convolution", "transposed")
            axes = (0, 1) if convolves else (-1, -2)
            if value.shape[axes[0]] == value.shape[axes[1]]:
                yield self._hypothesis(constant_as(tensor, lambda w, at=axes: np.swapaxes(w, *at)), tensor, 1.0)  # type: ignore[misc]
            else:
                shape = list(value.shape)
                shape[axes[0]], shape[axes[1]] = shape[axes[1]], shape[axes[0]]
                for taken in (np.swapaxes(value.reshape(shape), *axes), np.swapaxes(value, *axes).reshape(value.shape)):
                    yield self._hypothesis(constant_as(tensor, lambda _, taken=taken: taken), tensor, 1.1)  # type: ignore[misc]
            if weight_read(case, window.node) is not None:
                swap = outputs_as_inputs if value.ndim == 4 else rows_as_columns
                for beyond in _BEYOND:
                    yield self._hypothesis(moved_weights(case, tensor, swap, beyond), tensor, 1.2)
            if convolves or value.ndim == 2:
                for weight, (text, taken) in enumerate(in_parts(value, int(node.attributes.get("group", 1)))):
                    change = constant_as(tensor, lambda _, taken=taken: taken)  # type: ignore[misc]
                    yield self._hypothesis(change, tensor, 1.3 + weight / 100.0, text)

    def _hypothesis(self, change: Change, tensor: str, weight: float, text: str = "") -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"the weights '{tensor}' read with input and output swapped{f' {text}' if text else ''}",
            "Swap the two indices of the weights; transposed convolutions store inputs first.",
            {},
            (change,),
            line=lines.read(tensor),
            weight=weight,
            in_pairs=weight == 1.0,
        )


def in_parts(value: Array, group: int) -> Iterator[tuple[str, Array]]:
    """Weights [A, B, …], where only a part of them, or something else as well, is swapped: what, and the weights taken.

    A matrix of four by four on the wrong side of its vector swaps within blocks of four; what lies beyond the last
    channel is zero, or the last filter again.
    """
    outer, inner, *kernel = value.shape
    within = outer // group
    if group > 1 and outer % group == 0 and within == inner:
        yield "within a group", value.reshape(group, within, inner, *kernel).swapaxes(1, 2).reshape(value.shape)
    if outer == inner and len(kernel) > 1:
        turned = value.swapaxes(0, 1)
        yield "and turned by half a turn", np.flip(turned, tuple(range(2, value.ndim)))
        if kernel[0] == kernel[1]:
            yield "and x and y too", turned.swapaxes(2, 3)
    missing = ((0, -outer % _BLOCK), (0, -inner % _BLOCK), *((0, 0) for _ in kernel))
    blocks = (-(-outer // _BLOCK), _BLOCK, -(-inner // _BLOCK), _BLOCK, *kernel)
    whole = (blocks[0] * _BLOCK, blocks[2] * _BLOCK, *kernel)
    zeros = np.pad(value, missing)
    last = np.pad(np.pad(value, (missing[0], *((0, 0) for _ in value.shape[1:])), mode="edge"), ((0, 0), *missing[1:]))
    for padded in (zeros, last) if min(outer, inner) > 1 else ():
        yield "in blocks of four", padded.reshape(blocks).swapaxes(1, 3).reshape(whole)[:outer, :inner]
    if blocks[0] == blocks[2] > 1:
        yield "by blocks of four", zeros.reshape(blocks).swapaxes(0, 2).reshape(whole)[:outer, :inner]
    if inner > _BLOCK:
        tiles = zeros[:outer].reshape(blocks[2], outer, _BLOCK, *kernel).swapaxes(0, 1)
        yield "by texels of four inputs", tiles.reshape(outer, whole[1], *kernel)[:, :inner]
