"""bias_offset: the wrong values are those of the layer with its biases dealt out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.addend import NONE, UNKNOWN, Addend, addend
from pipeline.diagnose.clues.parts import Bias, biases
from pipeline.diagnose.clues.region import regions
from pipeline.diagnose.mistakes.slips import misread
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.redo.windows import in_view
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
        """The biases that were found to be added: one for each channel; or for each row, each lane, a region."""
        found = addend(case, bias)
        if found is None or len(found.biases) < 2:
            return
        by_channel = found.by_channel()
        if by_channel is None and found.is_dealt_out:
            yield from self._along(found)
            yield from self._by_lane(case, found)
            yield from self._in_region(case, found)
            yield from self._misread(found)
        if by_channel is None:
            return
        other = by_channel != np.arange(len(by_channel))
        if (other & (by_channel != NONE)).any():
            says = f"for channels 0, 1, … the biases {_listed(by_channel)}"
            change, parameters = found.change(by_channel[found.own]), {"index": by_channel[:16].tolist()}
            yield self._hypothesis(says, parameters, change, bias, 80, fitted=int(other.sum()))

    def _along(self, found: Addend) -> Iterator[Hypothesis]:
        shape = found.added.shape
        for axis, name in enumerate(_names(len(shape))):
            taken = found.along(axis) if shape[axis] > 1 else None
            if taken is not None and (taken >= 0).any():
                says = f"for {name} 0, 1, … the biases {_listed(taken)}, whatever the channel,"
                spread = np.broadcast_to(taken[np.indices(shape, sparse=True)[axis]], shape).reshape(-1)
                change, parameters = found.change(spread), {"index": name}
                yield self._hypothesis(says, parameters, change, found.bias, 85, fitted=shape[axis])

    def _in_region(self, case: Case, found: Addend) -> Iterator[Hypothesis]:
        """One bias for all elements of a region."""
        other = found.is_other
        if not other.any():
            return
        index = int(np.abs(found.biases - np.median(found.added.reshape(-1)[other])).argmin())
        for weight, region in enumerate(regions(other.reshape(case.dims), case.address)):
            change = found.change(np.where(region.mask.reshape(-1), index, found.own))
            says = f"in {region} the bias {index}, whatever the channel,"
            fitted = region.numbers + 1
            yield self._hypothesis(says, {"index": index}, change, found.bias, 87 + weight, fitted=fitted)

    def _by_lane(self, case: Case, found: Addend) -> Iterator[Hypothesis]:
        """One offset for each lane of the output's texels, as of a vector whose components are mixed up."""
        lane = case.lanes_of_elements().reshape(-1)
        offsets = found.by_offset(lane)
        if offsets is None:
            return
        shown = ", ".join(f"{each:+d}" if abs(each) < len(found.biases) else "none" for each in offsets.values())
        taken = found.taken_at(np.array([offsets[each] for each in lane.tolist()]))
        says = f"in lanes {', '.join(map(str, offsets))} of a texel the bias c {shown}"
        fitted = sum(each != 0 for each in offsets.values())
        yield self._hypothesis(says, {"index": "by lane"}, found.change(taken), found.bias, 86, fitted=fitted)

    def _misread(self, found: Addend) -> Iterator[Hypothesis]:
        """The channel's number is a quotient of the linear index, and floats miss it."""
        own, count = found.own, len(found.biases)
        inner = int(np.argmax(own != own[0])) or own.size  # elements in a row that have one bias
        k = np.arange(own.size)
        for weight, (says, taken) in enumerate(misread(k, inner, count) if (k // inner % count == own).all() else ()):
            held = np.where((taken < 0) | (taken >= count), NONE, taken)
            text = f"the bias by the channel's number, of the linear index k, {says} (g = {inner} or {count}),"
            change = found.change(held)
            yield self._hypothesis(text, {"index": "in floats"}, change, found.bias, 90 + weight / 10.0)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: Any, bias: Bias, weight: float, *, pairs: bool = False,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            "Read the bias at the index of the output channel.",
            parameters,
            (change,),
            line=lines.handed(bias.tensor),
            weight=1.0 + weight / 100.0,
            in_pairs=pairs,
            fitted=fitted,
        )


def _listed(biases_of: Indices) -> str:
    shown = ", ".join({NONE: "none", UNKNOWN: "?"}.get(int(each), str(each)) for each in biases_of[:8])
    return f"{shown}{' …' if len(biases_of) > 8 else ''}"


def _names(rank: int) -> tuple[str, ...]:
    """Of the axes of a node's result."""
    return (
        ("row", "column")
        if rank == 2
        else ("picture", "channel", "y", "x", *(f"axis {i}" for i in range(4, rank)))[:rank]
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
    window = case.redo.window(bias.node)
    value = np.asarray(case.redo.values[bias.tensor], dtype=np.float32).reshape(-1)
    if window is None or window.bias is None or len(value) < 2:
        return
    shape = window.shape
    without = in_view(window.replaced(bias=None).evaluate(), shape).reshape(shape)
    index = np.indices(shape, sparse=True)
    names = _names(len(shape))
    choices = [(names[axis], index[axis]) for axis in range(len(shape)) if axis != 1]
    choices.append(("linear index", np.arange(without.size).reshape(shape)))
    for name, read in choices:
        for held in (np.minimum(read, len(value) - 1), read % len(value)):
            yield name, _replaced(bias.node.name, without + value[held])


def _replaced(node: str, result: Array) -> NodeChange:
    return NodeChange(node, lambda _node, _inputs: result)
