"""Names reads of other elements than the model's, by how their places differ over outputs and taps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.places import MovedReads, line_over, moved_reads
from texelscope.pipeline.diagnose.divergences.seen import Ints, Seen
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Missed, Moved
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Reads = Sequence[tuple[int, Moved | Missed]]


def paired(reads: Reads) -> tuple[list[tuple[int, Moved]], list[tuple[int, Missed]]]:
    """Separates reads that moved from terms that are missing, or are there without need.

    Of one element, a missing term and one without need that have the same weight are a read that moved.
    """
    moved = [(element, each) for element, each in reads if isinstance(each, Moved)]
    missed = [(element, each) for element, each in reads if isinstance(each, Missed)]
    lost = {(element, each.weight): each for element, each in missed if not each.is_extra and each.weight is not None}
    rest: list[tuple[int, Missed]] = []
    for element, each in missed:
        if not each.is_extra:
            continue
        is_plain = each.weight is not None and each.times <= 1.0 and not (each.function or each.is_factor)
        other = lost.pop((element, each.weight), None) if is_plain and each.weight is not None else None
        if other is None:
            rest.append((element, each))
        else:
            moved.append((element, Moved(other.place, each.place, False, each.row, each.weight)))
    left = {id(each) for each in lost.values()}
    rest += [
        (element, each) for element, each in missed if not each.is_extra and (each.weight is None or id(each) in left)
    ]
    return moved, rest


def seen_in_moves(found: PassDivergences, inner: Sequence[tuple[int, Moved]]) -> Seen:
    """Names how elements that are read lie beside those that the model reads."""
    weights = [each for each in inner if each[1].is_weight]
    data = [each for each in inner if not each[1].is_weight]
    strange = [each for _, each in data or weights if each.expected[0] != each.got[0]]
    if len(strange) == len(data or weights):
        got, right = strange[0].got, strange[0].expected
        return Seen(
            causes.WRONG_INPUT,
            f"reads '{got[0]}' where the model reads '{right[0]}'",
            {"got": got[0], "expected": right[0]},
        )
    seen = None
    if not strange and not (data and weights):  # places in two tensors have no common rule
        seen = _seen_in_reads(found, data) if data else _seen_in_weights(found, weights)
    first = (data or weights)[0][1]
    return seen or Seen(causes.INDEX_MAP, f"reads other elements of '{first.got[0]}'", {"tensor": first.expected[0]})


# -- data -------------------------------------------------------------------------------------------------------------


def _seen_in_reads(found: PassDivergences, inner: Sequence[tuple[int, Moved]]) -> Seen | None:
    shape = as_nchw(found.shapes.get(inner[0][1].expected[0], ()))
    reads = moved_reads(found, inner, shape)
    if reads is None:
        return None
    steps = reads.steps
    if steps[:, 0].any() or steps[:, 1].any():
        return None
    tensor = inner[0][1].expected[0]
    if (mirrored := _mirrored(reads)) is not None:
        return mirrored
    if _is_swapped(reads.expected, reads.got):
        return Seen(causes.TRANSPOSE_XY, f"reads '{tensor}' with rows and columns swapped", {"tensor": tensor})
    if not _varies(reads.outputs[:, 2:]):
        return None  # a single place shows no rule
    rows = _axis(reads, 2)
    columns = _axis(reads, 3)
    if rows is None or columns is None:
        return _across(reads, tensor)
    seen = _of_lines(reads, tensor, rows, columns)
    is_part = not reads.has_all_taps or (reads.taps is None and any(facts_of(node).window for node in found.nodes))
    return None if seen is not None and seen.cause is causes.SHIFT and (is_part or not _is_everywhere(found)) else seen


class _AxisLine(NamedTuple):
    """Says how places along an axis depend on the output's place and on the tap: of what is read, less the model's."""

    by_output: int
    by_tap: int
    constant: int
    right_by_output: int
    right_by_tap: int

    @property
    def is_reversed(self) -> bool:
        """Whether taps are read in reverse order."""
        return self.by_tap != 0 and self.right_by_tap + self.by_tap == -self.right_by_tap

    @property
    def goes_on(self) -> bool:
        """Whether what is read still goes forward with the output and with the tap."""
        return self.right_by_output + self.by_output > 0 and (
            not self.right_by_tap or self.right_by_tap + self.by_tap > 0
        )


def _axis(reads: MovedReads, axis: int) -> _AxisLine | None:
    taps = reads.taps[:, axis] if reads.taps is not None else np.zeros(len(reads.got), dtype=np.int64)
    outputs = reads.outputs[:, axis]
    moved = line_over(reads.steps[:, axis], outputs, taps)
    right = line_over(reads.expected[:, axis], outputs, taps)
    return None if moved is None or right is None else _AxisLine(*moved, *right[:2])


def _of_lines(reads: MovedReads, tensor: str, rows: _AxisLine, columns: _AxisLine) -> Seen | None:
    each = (rows, columns)
    if any(axis.by_output for axis in each):
        is_stride = not any(axis.by_tap for axis in each) and all(axis.goes_on for axis in each if axis.by_output)
        steps = {
            "expected": [columns.right_by_output, rows.right_by_output],
            "got": [axis.right_by_output + axis.by_output for axis in (columns, rows)],
        }
        says = f"steps otherwise over '{tensor}' for every next output"
        return Seen(causes.STRIDE, says, steps) if is_stride else None
    changed = [axis for axis in each if axis.by_tap]
    if changed and all(axis.is_reversed for axis in changed):
        axes = "".join(name for name, axis in (("x", columns), ("y", rows)) if axis.by_tap)
        return Seen(causes.KERNEL_FLIP, f"reads '{tensor}' with its taps in reverse order", {"axes": axes})
    if changed:
        is_dilation = all(axis.goes_on or not axis.right_by_output for axis in changed)
        is_dilation = is_dilation and all(axis.right_by_tap + axis.by_tap > 0 for axis in changed)
        apart = {
            "expected": [columns.right_by_tap, rows.right_by_tap],
            "got": [axis.right_by_tap + axis.by_tap for axis in (columns, rows)],
        }
        says = f"reads '{tensor}' with its taps at other distances"
        return Seen(causes.DILATION, says, apart) if is_dilation else None
    if not reads.is_of_pictures:
        return None
    says = f"reads '{tensor}' {columns.constant:+d} columns and {rows.constant:+d} rows off"
    return Seen(causes.SHIFT, says, {"dx": columns.constant, "dy": rows.constant})


def _across(reads: MovedReads, tensor: str) -> Seen | None:
    """Recognises taps whose rows and columns are exchanged."""
    if reads.taps is None:
        return None
    down, right = reads.taps[:, 2], reads.taps[:, 3]
    rows, columns = (line_over(reads.steps[:, axis], down, right) for axis in (2, 3))
    if rows is None or columns is None or not (rows[0] < 0 < rows[1] and columns[1] < 0 < columns[0]):
        return None
    return Seen(causes.KERNEL_TRANSPOSE, f"reads '{tensor}' with rows and columns of its taps exchanged")


def _mirrored(reads: MovedReads) -> Seen | None:
    """Recognises rows or columns of a picture that are counted from the other side."""
    last = np.array(reads.shape) - 1
    sides = [(3, causes.FLIP_X, "columns"), (2, causes.FLIP_Y, "rows")]
    for axis, cause, name in sides:
        other = 5 - axis
        is_mirrored = np.array_equal(reads.got[:, axis], last[axis] - reads.expected[:, axis])
        if is_mirrored and not reads.steps[:, other].any() and len(np.unique(reads.expected[:, axis])) > 2:
            return Seen(cause, f"reads {name} from the other side")
    return None


def _is_swapped(expected: Ints, got: Ints) -> bool:
    """Whether rows and columns are exchanged, at several places off the diagonal."""
    is_swapped = np.array_equal(expected[:, 2], got[:, 3]) and np.array_equal(expected[:, 3], got[:, 2])
    return is_swapped and len({tuple(each) for each in expected[:, 2:].tolist()}) > 2


def _is_everywhere(found: PassDivergences) -> bool:
    """Whether half of the elements are wrong or more: a part that is moved is no shift."""
    return bool(2 * np.count_nonzero(found.wrong) >= found.wrong.size)


def _varies(places: Ints) -> bool:
    return len({tuple(each) for each in places.tolist()}) > 1


# -- weights ----------------------------------------------------------------------------------------------------------


def _seen_in_weights(found: PassDivergences, inner: Sequence[tuple[int, Moved]]) -> Seen | None:
    tensor = inner[0][1].expected[0]
    own = found.shapes.get(tensor, ())
    reads = moved_reads(found, inner, as_nchw(own))
    if reads is None:
        return None
    steps, last = reads.steps, np.array(reads.shape) - 1
    if len(own) > 2 and not steps[:, :2].any():
        if _is_swapped(reads.expected, reads.got):
            return Seen(causes.KERNEL_TRANSPOSE, f"reads '{tensor}' with rows and columns exchanged")
        moved = [axis for axis in (2, 3) if steps[:, axis].any()]
        if all(np.array_equal(reads.got[:, axis], last[axis] - reads.expected[:, axis]) for axis in moved) and any(
            np.ptp(reads.expected[:, axis]) for axis in moved
        ):
            axes = "".join({3: "x", 2: "y"}[axis] for axis in reversed(moved))
            return Seen(causes.KERNEL_FLIP, f"reads '{tensor}' with its kernels turned", {"axes": axes})
    one, other = (0, 1) if len(own) > 2 else (2, 3)
    rest = [axis for axis in range(4) if axis not in (one, other)]
    is_swapped = np.array_equal(reads.expected[:, one], reads.got[:, other]) and np.array_equal(
        reads.expected[:, other], reads.got[:, one]
    )
    if (is_swapped and not steps[:, rest].any()) or _is_as_swapped_memory(reads, one, other):
        return Seen(causes.FILTER_IO_SWAP, f"reads '{tensor}' with inputs and outputs exchanged")
    varying = [axis for axis in range(4) if steps[:, axis].any()]
    if len(varying) == 1 and _varies(reads.outputs) and len(np.unique(steps[:, varying[0]])) == 1:
        by = int(steps[0, varying[0]])
        says = f"reads '{tensor}' {by:+d} along its axis {varying[0]}"
        return Seen(causes.FILTER_OFFSET, says, {"axis": "nchw"[varying[0]], "offset": by})
    return None


def _is_as_swapped_memory(reads: MovedReads, one: int, other: int) -> bool:
    """Whether reads are those of a tensor that has two axes exchanged in memory."""
    held = np.arange(int(np.prod(reads.shape))).reshape(reads.shape)
    turned = np.swapaxes(held, one, other)
    as_swapped = np.swapaxes(held.reshape(turned.shape), one, other)
    return bool(reads.shape[one] > 1 and reads.shape[other] > 1) and all(
        as_swapped[tuple(right)] == held[tuple(got)]
        for right, got in zip(reads.expected.tolist(), reads.got.tolist(), strict=True)
    )
