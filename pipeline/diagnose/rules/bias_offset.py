"""bias_offset: the wrong values are those of the layer with its biases dealt out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.addend import NONE, UNKNOWN, addend
from pipeline.diagnose.clues.parts import Bias, added_inputs, biases
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function, constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis

Array = NDArray[Any]
Indices = NDArray[np.int64]
# Sizes of parts, such as heads and groups, that an index is counted by.
_MOST_PARTS = 6


class BiasOffset(Seen):
    """Another channel's bias is added."""

    cause = "bias_offset"
    band = Band.PARTS
    remedy = "Read the bias at the index of the output channel."

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """The commonest slips; and what was found to be added, one for each channel."""
        for bias in biases(case):
            # Of four outputs at a time only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            count = int(np.size(case.redo.values[bias.tensor]))
            for weight, (says, parameters, function) in enumerate(_maps(count)):
                yield self._hypothesis(
                    f"for channel c the bias {says}", parameters, (constant_as(bias.tensor, function),), bias.tensor,
                    weight, pairs=weight < 4,
                )  # fmt: skip
            yield from self._found(case, bias)
        for name in added_inputs(case):
            for weight, (says, parameters, function) in enumerate(_maps(case.redo.given[name].size)):
                text = f"for element i of '{name}' element {says}"
                yield self._hypothesis(text, parameters, (constant_as(name, function),), name, weight)

    def _found(self, case: Case, bias: Bias) -> Iterator[Hypothesis]:
        """The biases that were found to be added, one for each channel."""
        found = addend(case, bias)
        if found is None or len(found.biases) < 2:
            return
        by_channel = found.by_channel()
        if by_channel is None:
            return
        other = by_channel != np.arange(len(by_channel))
        if (other & (by_channel != NONE)).any():
            says = f"for channels 0, 1, … the biases {_listed(by_channel)}"
            change, parameters = found.change(by_channel[found.own]), {"index": by_channel[:16].tolist()}
            yield self._hypothesis(says, parameters, (change,), bias.tensor, 80, fitted=int(other.sum()))

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], changes: tuple[Change, ...], tensor: str, weight: float, *,
        pairs: bool = False, fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            self.remedy,
            parameters,
            changes,
            line=lines.handed(tensor),
            weight=1.0 + weight / 100.0,
            in_pairs=pairs,
            fitted=fitted,
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
        *((f"c % {size}", index % size) for size in _parts_of(count)),
        *((f"c / {size}", index // size) for size in _parts_of(count)),
    )  # fmt: skip
    for says, read in others:
        held = np.minimum(read, count - 1)
        yield says, {"index": says}, _taken(held)
        if (held != read).any():
            yield says, {"index": says, "beyond": "zero"}, _taken(held, held != read)
            yield says, {"index": says, "beyond": "wrapped"}, _taken(read % count)


def _parts_of(count: int) -> list[int]:
    return [size for size in range(2, count) if count % size == 0 and size != 4][:_MOST_PARTS]


def _taken(read: Indices, zero: NDArray[np.bool_] | None = None) -> Function:
    def change(value: Array) -> Array:
        flat = value.reshape(-1)[read]
        return flat if zero is None else np.where(zero, 0.0, flat).astype(value.dtype)

    return change


def _listed(biases_of: Indices) -> str:
    shown = ", ".join({NONE: "none", UNKNOWN: "?"}.get(int(each), str(each)) for each in biases_of[:8])
    return f"{shown}{' …' if len(biases_of) > 8 else ''}"
