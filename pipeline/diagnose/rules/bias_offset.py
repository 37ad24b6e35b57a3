"""bias_offset: the wrong values are those of the layer with its biases dealt out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.addend import NONE, addend
from pipeline.diagnose.clues.parts import Bias, biases
from pipeline.diagnose.redo.frames import in_view
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function, constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

Array = NDArray[Any]
Indices = NDArray[np.int64]


class BiasOffset(Rule):
    """Another channel's bias is added."""

    cause = "bias_offset"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Offsets, one bias for all, indices of packed channels, another coordinate than the channel."""
        for bias in biases(case):
            # Of four outputs at a time only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            count = int(np.size(case.redo.values[bias.tensor]))
            for weight, (says, parameters, function) in enumerate(_maps(count)):
                yield self._hypothesis(
                    f"for channel c the bias {says}", parameters, constant_as(bias.tensor, function), bias, weight,
                    pairs=weight < 4,
                )  # fmt: skip
            for name, change in _elsewhere(case, bias):
                says = f"the bias is read by {name} instead of by output channel"
                yield self._hypothesis(says, {"index": name}, change, bias, 60)
            yield from self._found(case, bias)

    def _found(self, case: Case, bias: Bias) -> Iterator[Hypothesis]:
        """The biases that were found to be added, whatever they were read by."""
        found = addend(case, bias)
        if found is None or len(found.biases) < 2:
            return
        own = found.index.reshape(-1)
        by_channel = found.by_channel()
        if by_channel is None:
            taken = found.taken()
            if ((taken != own) & (taken >= 0)).any():
                says = "for each element the bias of some channel, not always its own,"
                yield self._hypothesis(says, {"index": "another for each element"}, found.change(taken), bias, 90)
            return
        if not ((by_channel != np.arange(len(by_channel))) & (by_channel != NONE)).any():
            return
        shown = ", ".join("none" if each == NONE else str(each) for each in by_channel[:8])
        says = f"for channels 0, 1, … the biases {shown}{' …' if len(by_channel) > 8 else ''}"
        change = found.change(by_channel[own])
        yield self._hypothesis(says, {"index": by_channel[:16].tolist()}, change, bias, 80)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: Any, bias: Bias, weight: int, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Read the bias at the index of the output channel.",
            parameters,
            (change,),
            place=lines.handed(bias.tensor),
            weight=1.0 + weight / 100.0,
            in_pairs=pairs,
        )


def _maps(count: int) -> Iterator[tuple[str, dict[str, Any], Function]]:
    """What is read, its parameters, and the change, for `count` biases; simplest first."""
    index = np.arange(count)
    for offset in (1, -1, 2, -2, 3, -3, 4, -4):
        if abs(offset) >= max(count, 2):
            continue
        moved = index + offset
        says = f"c {'+' if offset > 0 else '-'} {abs(offset)}"
        held = np.clip(moved, 0, count - 1)
        yield says, {"offset": offset, "beyond": "clamped"}, _taken(held)
        yield says, {"offset": offset, "beyond": "wrapped"}, _taken(moved % count)
        yield says, {"offset": offset, "beyond": "zero"}, _taken(held, held != moved)
    for which in range(min(count, 8)):
        yield f"{which}, the same for all,", {"index": which}, _taken(np.full(count, which))
    others = (
        ("c / 4", index // 4), ("c % 4", index % 4), ("4 (c / 4)", index // 4 * 4), ("4 c", index * 4),
        ("(count - 1) - c", count - 1 - index), ("2 c", index * 2), ("c / 2", index // 2),
    )  # fmt: skip
    for says, read in others:
        held = np.minimum(read, count - 1)
        yield says, {"index": says}, _taken(held)
        if (held != read).any():
            yield says, {"index": says, "beyond": "zero"}, _taken(held, held != read)
            yield says, {"index": says, "beyond": "wrapped"}, _taken(read % count)


def _taken(read: Indices, zero: NDArray[np.bool_] | None = None) -> Function:
    def change(value: Array) -> Array:
        flat = value.reshape(-1)[read]
        return flat if zero is None else np.where(zero, 0.0, flat).astype(value.dtype)

    return change


def _elsewhere(case: Case, bias: Bias) -> Iterator[tuple[str, NodeChange]]:
    """The bias taken by another coordinate than that of the output channel."""
    frame = case.redo.frame(bias.node)
    value = np.asarray(case.redo.values[bias.tensor], dtype=np.float32).reshape(-1)
    if frame is None or frame.bias is None or len(value) < 2:
        return
    shape = frame.shape
    without = in_view(frame.replaced(bias=None).evaluate(), shape).reshape(shape)
    index = np.indices(shape, sparse=True)
    names = ("row", "column") if len(shape) == 2 else ("picture", "channel", "y", "x")
    choices = [(names[axis], index[axis]) for axis in range(len(shape)) if axis != 1]
    choices.append(("linear index", np.arange(without.size).reshape(shape)))
    for name, read in choices:
        for held in (np.minimum(read, len(value) - 1), read % len(value)):
            yield name, _replaced(bias.node.name, without + value[held])


def _replaced(node: str, result: Array) -> NodeChange:
    return NodeChange(node, lambda _node, _inputs: result)
