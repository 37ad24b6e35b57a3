"""Enumerates common index maps.

These are windows of sums and pools with other steps or another first position, and pictures that are moved, rotated or
mirrored, or have their channels in another order, when read or written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.layer_parts import becomes_weights, normalised, weight_tensor
from texelscope.pipeline.diagnose.fault_models.moved import (
    by,
    moved_input,
    moved_output,
    ordered,
    others_of,
    reverse,
    rows_as_columns,
    texels_of_input,
    texels_of_output,
)
from texelscope.pipeline.diagnose.fault_models.reductions import reductions
from texelscope.pipeline.diagnose.index_maps.solving import in_order
from texelscope.pipeline.diagnose.model_slice.model_slice import Coordinates, ModelEdit
from texelscope.pipeline.diagnose.model_slice.window_sum import Pair, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.model_edits import Function, window_with
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
Parameters = Mapping[str, Any]

_WINDOW: tuple[Beyond, ...] = ("zero", "texel", "fetch", "edge")
_READ: tuple[Beyond, ...] = ("zero", "edge", "texel", "fetch", "wrap")
_WRITTEN: tuple[Beyond, ...] = ("zero", "edge", "texel", "wrap")
# The largest window steps in both directions, and along one; the largest offset.
_LARGEST, _FARTHEST, _MOVED = 4, 8, 3
# An axis of two is a pair of numbers, such as a coordinate, and has no other side to count from.
PAIR = 2
_NOTHING: Parameters = MappingProxyType({})


@dataclass(frozen=True)
class _Field:
    """A pair (y, x) of a window: the cause if it is wrong, and the names that shaders use for it."""

    cause: Cause
    name: str
    words: tuple[str, ...]
    says: str


_FIELDS = (
    _Field(causes.STRIDE, "stride", ("stride", "step"), "moves by ({}, {}) texels (x, y) instead of ({}, {})"),
    _Field(
        causes.DILATION, "dilation", ("dilation", "rate", "spacing"), "reads taps ({}, {}) apart (x, y), not ({}, {})"
    ),
    _Field(causes.SHIFT, "first", ("pad", "margin", "offset"), "starts the first window at ({}, {}), not at ({}, {})"),
)


@dataclass(frozen=True)
class _Guess:
    """Completes "reads 'x' …" and "writes …": elements at other coordinates, or else texels moved."""

    says: str
    parameters: Parameters
    at: Coordinates | None = None
    texels: Function | None = None


def guessed(case: FailingPass, cause: Cause) -> Iterator[Hypothesis]:
    """Yields hypotheses of that cause: windows first, then reads and writes."""
    for window in case.windows():
        if window.stored is None or not case.reads_rightly(window.stored.stored.tensor):
            yield from _of_window(case, window, cause)
        yield from _of_weights(case, window, cause)
    if cause is causes.GROUP_IGNORED:
        for node in case.model_slice.node("Normalise"):
            yield from _of_statistics(case, node)
    summed = {window.stored.stored.tensor for window in case.windows() if window.stored is not None}
    for read in case.activations():
        if becomes_weights(case, read.tensor):
            if cause is causes.KERNEL_FLIP:
                flips = (_guesses(flip, read.values.dims, 1) for flip in (causes.FLIP_X, causes.FLIP_Y))
                yield from _tried(case, cause, itertools.chain(*flips), read)
            if cause in (causes.FLIP_X, causes.FLIP_Y):
                continue
        # For summed channels the order of reads decides; for others the guess has to.
        is_known = case.reads_in_place(read.tensor)
        if cause is causes.CHANNEL_PERMUTATION:
            is_known = bool(case.windows()) and read.values.dims[1] > 1 and bool(in_order(case, read.tensor, 1))
        if not is_known:
            # A window's offset is tried with its input; here only moves that keep the border in place.
            guesses = _guesses(cause, read.values.dims, 1 if read.tensor in summed else _MOVED)
            yield from _tried(case, cause, guesses, read)
    yield from _tried(case, cause, _guesses(cause, case.dims, _MOVED), None)


def _tried(case: FailingPass, cause: Cause, guesses: Iterable[_Guess], read: ReadTensor | None) -> Iterator[Hypothesis]:
    """Tries guesses for a tensor that is read, or else for the output."""
    prior = 1.2 if read is not None else 0.5 if case.writes_otherwise else 1.5
    what, line = ("writes", lines.target) if read is None else (f"reads '{read.tensor}'", lines.read(read.tensor))
    for number, each in enumerate(guesses):
        for more, change in enumerate(_changes(case, each, read)):
            yield Hypothesis(
                cause, f"{what} {each.says}", (change,), each.parameters, line=line,
                prior=prior + number / 1000.0 + more / 100.0, in_pairs=read is not None and not number + more,
            )  # fmt: skip


def _changes(case: FailingPass, guess: _Guess, read: ReadTensor | None) -> Iterator[ModelEdit]:
    at, texels = guess.at, guess.texels
    if at is not None and read is not None:
        yield from (moved_input(read, at, beyond) for beyond in _beyonds(case, read, guess))
    elif at is not None:
        yield from (moved_output(case, at, beyond) for beyond in _WRITTEN)
    elif texels is not None:
        yield texels_of_output(case, texels) if read is None else texels_of_input(read, texels)


def _beyonds(case: FailingPass, read: ReadTensor, guess: _Guess) -> Sequence[Beyond]:
    """Returns the values that reads outside may have.

    A step that leaves one row inside that row, and reads beyond a summed axis, are other causes.
    """
    steps = [(axis, guess.parameters[name]) for axis, name in ((3, "dx"), (2, "dy")) if guess.parameters.get(name)]
    if any(abs(step) + 1 == read.values.dims[axis] for axis, step in steps):
        return _READ[:1]
    found = [each for each in reductions(case) if each.node.inputs[0] == read.tensor and len(each.rows.view) == 4]
    summed = [{*each.rows.axes} for each in found]
    of_all = len(summed) == len(case.model_slice.readers(read.tensor)) and bool(summed and steps)
    return _READ[of_all and all(axis in axes for axes in summed for axis, _ in steps) :]


# -- windows ----------------------------------------------------------------------------------------------------


def _of_window(case: FailingPass, window: WindowSum, cause: Cause) -> Iterator[Hypothesis]:
    field = next((each for each in _FIELDS if each.cause is cause), None)
    if field is not None and window.size != (1, 1):
        yield from _of_field(case, window, field)
    if cause is causes.STRIDE and window.inner != (0, 0):
        yield from _between(window)


def _of_field(case: FailingPass, window: WindowSum, field: _Field) -> Iterator[Hypothesis]:
    cause, transposed = field.cause, facts_of(case.model_slice.named(window.node)).window == "transposed"
    # The zeros between the elements of a transposed convolution are its stride.
    name = "inner" if field.name == "stride" and window.inner != (0, 0) else field.name
    extra = int(name == "inner")
    right: Pair = getattr(window, name)
    right = (right[0] + extra, right[1] + extra)
    for number, got in enumerate(_pairs(window, field, right)):
        says = field.says.format(got[1], got[0], right[1], right[0])
        parameters: Parameters = {"expected": [right[1], right[0]], "got": [got[1], got[0]]}
        if cause is causes.SHIFT:
            parameters = {"dx": got[1] - right[1], "dy": got[0] - right[0]}
        axis = int(got[0] == right[0])
        written = -got[axis] if cause is causes.SHIFT else got[axis]
        line = lines.first(lines.setting(field.words, written, "yx"[axis]), lines.read())
        ways: list[dict[str, Any]] = [{name: (got[0] - extra, got[1] - extra)}]
        if cause is causes.DILATION and transposed:
            ways.append({name: got, "first": _from_last(window, got)})
        beyonds = _WINDOW if window.stored is not None else _WINDOW[:1]
        for fields, beyond in itertools.product(ways, beyonds):
            change = window_with(window.node, beyond=beyond, **fields)
            prior = 1.0 + 0.5 * (beyond != "zero") + number / 1000.0
            pairs = beyond == "zero" and number < _LARGEST and len(fields) == 1
            yield Hypothesis(cause, says, (change,), parameters, line=line, prior=prior, in_pairs=pairs)


def _of_weights(case: FailingPass, window: WindowSum, cause: Cause) -> Iterator[Hypothesis]:
    ways = _WAYS.get(cause)
    if window.weights is None or ways is None:
        return
    kind = facts_of(case.model_slice.named(window.node)).window
    line = lines.asked() if cause is causes.GROUP_IGNORED else lines.read(weight_tensor(case, window.node))
    for number, (says, fields, parameters) in enumerate(ways(window, window.weights, kind)):
        change, prior = window_with(window.node, **fields), 1.0 + number / 100.0
        yield Hypothesis(cause, says, (change,), parameters, line=line, prior=prior, in_pairs=not number)


def _from_last(window: WindowSum, got: Pair) -> Pair:
    """Returns the position of tap 0 if the last tap (for a transposed convolution, the first) stays in place."""
    (rows, columns), apart = window.kernel, window.dilation
    return window.first[0] + (rows - 1) * (apart[0] - got[0]), window.first[1] + (columns - 1) * (apart[1] - got[1])


def _between(window: WindowSum) -> Iterator[Hypothesis]:
    """Proposes an element that is added at every position between two steps too, rounded to 0 or down.

    The remainder of the division is not tested.
    """
    down, across = window.inner[0] + 1, window.inner[1] + 1
    held = np.repeat(np.repeat(window.source, down, axis=2), across, axis=3)
    cut = np.pad(held, ((0, 0), (0, 0), (down - 1, 0), (across - 1, 0)), mode="edge")
    first = (window.first[0] + down - 1, window.first[1] + across - 1)
    for number, (source, at) in enumerate(((cut, first), (held, window.first))):
        yield Hypothesis(
            causes.STRIDE, f"adds an element at the positions between steps of ({across}, {down}) (x, y) too",
            (window_with(window.node, source=source, first=at, inner=(0, 0), stored=None),),
            {"expected": [across, down], "got": [1, 1], "between": True}, line=lines.read(), prior=1.2 + number / 10.0,
        )  # fmt: skip


def _pairs(window: WindowSum, field: _Field, right: Pair) -> Iterator[Pair]:
    """Yields other pairs, the likeliest first."""
    if field.name == "first":
        yield from ((right[0] + dy, right[1] + dx) for dx, dy in _steps(_MOVED))
        return
    every, far = range(1, _LARGEST + 1), range(_LARGEST + 1, _FARTHEST + 1)
    both = [*((k, k) for k in every), *((y, x) for y in every for x in every)]
    both += [pair for k in far for pair in ((k, k), (k, right[1]), (right[0], k))] if field.name == "stride" else []
    extents = window.source.shape[2:]
    for got in dict.fromkeys(both):
        # Windows that leave the picture for half of the outputs read nothing, which is another cause.
        leaves = any(step * (size // 2) >= extent for step, size, extent in zip(got, window.size, extents, strict=True))
        if got != right and not (leaves and field.name == "stride" and window.inner == (0, 0)):
            yield got


# What is said of weights read in another order or of other groups' channels, the window's fields, and the parameters.
_Ways = Iterator[tuple[str, Mapping[str, Any], Parameters]]


def _flipped(_window: WindowSum, weights: Array, _kind: str | None) -> _Ways:
    if weights.shape[2:] != (1, 1):
        for axes, name in (((2, 3), "xy"), ((3,), "x"), ((2,), "y")):
            says = f"the kernel read backwards along {' and '.join(name)}"
            yield says, {"weights": np.flip(weights, axes)}, {"axes": name}


def _turned(_window: WindowSum, weights: Array, _kind: str | None) -> _Ways:
    if weights.shape[2:] != (1, 1):
        of_memory = weights.reshape(*weights.shape[:2], *weights.shape[:1:-1])
        yield "the kernel read with x and y swapped", {"weights": np.swapaxes(of_memory, 2, 3)}, _NOTHING


def _swapped(_window: WindowSum, weights: Array, _kind: str | None) -> _Ways:
    outer, inner, *kernel = weights.shape
    if min(outer, inner) > 1:
        swapped = np.swapaxes(weights.reshape(inner, outer, *kernel), 0, 1)
        yield "input and output swapped", {"weights": swapped}, _NOTHING


def _rolled(_window: WindowSum, weights: Array, _kind: str | None) -> _Ways:
    for offset in (1, -1, 4, -4):
        says, parameters = f"the filters read {offset:+d} along output", {"axis": "output", "offset": offset}
        yield says, {"weights": np.roll(weights, -offset, 0)}, parameters


def _other_groups(window: WindowSum, weights: Array, kind: str | None) -> _Ways:
    (outputs, inputs), groups = window.channels.shape, window.groups
    if groups == 1:
        return
    per_group = outputs // groups
    o, i = np.arange(outputs)[:, None], np.arange(inputs)
    group = o // per_group
    for says, taken_group in (
        ("the first group's channels for every group", 0 * o),
        ("groups by o mod groups", o % groups),
        ("the next group's channels", (group + 1) % groups),
        ("the groups in reverse", groups - 1 - group),
    ):
        channels = taken_group * inputs + i
        yield f"reads {says}", {"channels": channels}, {"groups": groups}
        if kind == "transposed":  # there a weight belongs to an input channel
            of_inputs = weights[channels // inputs * per_group + o % per_group, channels % inputs]
            fields = {"channels": channels, "weights": of_inputs}
            yield f"reads {says}, and their weights", fields, {"groups": groups}


_WAYS: Mapping[Cause, Callable[[WindowSum, Array, str | None], _Ways]] = MappingProxyType(
    {
        causes.KERNEL_FLIP: _flipped,
        causes.KERNEL_TRANSPOSE: _turned,
        causes.FILTER_IO_SWAP: _swapped,
        causes.FILTER_OFFSET: _rolled,
        causes.GROUP_IGNORED: _other_groups,
    }
)


def _of_statistics(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes the mean and variance of another group."""
    found = normalised(case, node)
    if found is None or found.variance.size < 2:
        return
    line = lines.asked(node.inputs[2] if case.read_of(node.inputs[2]) else None)
    for number, (says, taken) in enumerate(others_of(found.variance.shape)):
        mean = None if found.mean is None else found.mean.reshape(-1)[taken].reshape(found.mean.shape)
        change = found.change(mean=mean, variance=found.variance.reshape(-1)[taken].reshape(found.variance.shape))
        yield Hypothesis(
            causes.GROUP_IGNORED, f"normalises every group with the statistics of {says}", (change,),
            {"groups": found.variance.size}, line=line, prior=1.0 + number / 100.0,
        )  # fmt: skip


# -- places -----------------------------------------------------------------------------------------------------


def _guesses(cause: Cause, dims: Sequence[int], farthest: int) -> Iterator[_Guess]:
    """Yields the guesses of a cause that change a tensor of this 4-d view."""
    return _PLACES[cause](dims, farthest) if cause in _PLACES else iter(())


def _shifts(dims: Sequence[int], farthest: int) -> Iterator[_Guess]:
    for dx, dy in _steps(farthest):
        if abs(dx) < dims[3] and abs(dy) < dims[2]:  # else nothing of it is read, which is another cause
            yield _Guess(f"at {_text(dx, dy)}", {"dx": dx, "dy": dy}, by(dx=dx, dy=dy))


def _transpositions(dims: Sequence[int], _farthest: int) -> Iterator[_Guess]:
    if dims[3] == PAIR:
        yield _Guess("with x for y and y for x", _NOTHING, reverse(3, dims[3]))
    if min(dims[2:]) > 1:
        yield _Guess("with x and y swapped", _NOTHING, rows_as_columns)


def _reversed(axis: int, name: str) -> Callable[[Sequence[int], int], Iterator[_Guess]]:
    """Returns the guesses that an axis, called `name`, is counted from its end."""

    def guesses(dims: Sequence[int], _farthest: int) -> Iterator[_Guess]:
        if dims[axis] > PAIR:
            of, whole = {"of": "every tile"}, {"of": "the whole texture"}
            yield _Guess(f"with the {name} of every tile in reverse", of, reverse(axis, dims[axis]))
            flip: Function = lambda texels: np.flip(texels, axis - 2)  # noqa: E731
            yield _Guess(f"with the {name} of the whole texture in reverse", whole, texels=flip)

    return guesses


def _permutations(dims: Sequence[int], _farthest: int) -> Iterator[_Guess]:
    for offset in (each for each in (1, -1, 2, -2) if abs(each) < dims[1]):
        yield _Guess(f"with channel c {offset:+d} for channel c", {"offset": offset}, by(dc=offset))
    for says, order in _orders(dims[1]):
        yield _Guess(f"with channels {says}", {"order": order[:16].tolist()}, ordered(order))


_PLACES: Mapping[Cause, Callable[[Sequence[int], int], Iterator[_Guess]]] = MappingProxyType(
    {
        causes.SHIFT: _shifts,
        causes.TRANSPOSE_XY: _transpositions,
        causes.FLIP_X: _reversed(3, "columns"),
        causes.FLIP_Y: _reversed(2, "rows"),
        causes.CHANNEL_PERMUTATION: _permutations,
    }
)


def _steps(farthest: int) -> list[Pair]:
    """Returns (dx, dy), the nearest first."""
    reach = range(-farthest, farthest + 1)
    steps = [(dx, dy) for dx in reach for dy in reach if (dx, dy) != (0, 0)]
    return sorted(steps, key=lambda step: (sum(map(abs, step)), min(map(abs, step))))


def _text(*step: int) -> str:
    moves = zip("xy", step, strict=True)
    return ", ".join(f"{name} {'+' if move > 0 else '-'} {abs(move)}" for name, move in moves if move)


def _orders(count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yields orders that shaders often have by mistake; [k] is the channel found at k."""
    index = np.arange(count)
    if count < 2:
        return
    yield "from the last to the first", index[::-1]
    for groups in (each for each in (2, 3, 4, 9, 16) if count % each == 0 and each < count):
        yield f"shuffled in {groups} groups", index.reshape(groups, -1).T.reshape(-1)
        yield f"shuffled back from {groups} groups", index.reshape(-1, groups).T.reshape(-1)
    for lanes in (each for each in (2, 4) if count % each == 0 and each < count):
        yield f"in reverse in groups of {lanes}", index.reshape(-1, lanes)[:, ::-1].reshape(-1)
    for block in (each for each in (2, 3, 4) if count % (each * each) == 0):
        says = f"with rows and columns of blocks of {block} swapped"
        yield says, index.reshape(block, block, -1).swapaxes(0, 1).reshape(-1)
        yield says.replace("of blocks", "of inner blocks"), index.reshape(-1, block, block).swapaxes(1, 2).reshape(-1)
    if count >= 3:
        yield "with the first and the third swapped", np.concatenate([[2, 1, 0], index[3:]])
