"""Compares the reads of a wrong pass with those of the repaired one: elements missing, others, too many, repeated.

Reads at other places are classified: moved by one step, by steps that grow with the output's position, or spread. The
input are several output elements, each with the elements of one tensor that a pass reads for it and those that it
should read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.expected import reads_made
from texelscope.pipeline.read_trace.recorder import ReadRecorder
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.text.patch import applied

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Moved equally for every output, moved further for every next one, or at other distances from one another.
Moved = Literal["moved", "other steps", "other distances"]
# Rows of channel, row and column, in the order of reads: reading a window backwards moves nothing.
Places = NDArray[np.int64]
# The difference between the wrong pass's reads and the repaired one's. "beyond": it reads something where the other
# reads nothing, or something else, only at borders; "past the tile": that belongs to another channel or to none. A bias
# is read once for an element and added to it.
Reading = Literal[
    "alike", "left out", "other channels left out", "no bias", "unread", "too many", "twice", "a bias twice", "beyond",
    "past the tile", "elsewhere", "another tensor", "another bias", "moved", "other steps", "other distances",
]  # fmt: skip
# For each edit the difference of reads that it makes.
Readings = tuple[tuple[LineEdit, Reading | None], ...]
_LESS: frozenset[Reading] = frozenset({"left out", "other channels left out"})
# The wrong pass reads more than the repaired one.
MORE: frozenset[Reading] = frozenset({"too many", "twice"})
_MOVED: frozenset[Reading] = frozenset({"moved", "other steps", "other distances"})
# Bits of a texel's column.
_BITS = 16
# Texels beyond their texture have numbers below this; reads there return nothing.
_NOTHING = 1 << 40
# Windows of usual sizes leave the picture this near to its border.
_BORDER = 4
# If a border causes the errors, at least this share of some row or column is wrong.
_ALONG = 0.5
# Two places are equally wrong if one has this share of the other's errors.
_EVEN = 0.5
# The reads of at most this many wrong elements, and as many right ones, are recorded.
_READ = 16
# By texture key how often each element is read; padding texels as negative numbers.
_Reads = dict[str, Counter[int]]


@dataclass(frozen=True)
class ElementReads:
    """The reads for one output element: its row and column, the places read, and those that should be."""

    at: tuple[int, int]
    before: Places
    after: Places


def moved(every: Sequence[ElementReads]) -> Moved | None:
    """Classifies how the places of all of them differ; None for other differences.

    If a border cuts off some places, they cannot be matched: such outputs decide nothing. Equal moves of a part do not
    count if others read more.
    """
    alike = [each for each in every if _are_of_the_same(each)]
    most = max((len(each.after) for each in alike), default=0)
    whole = [each for each in alike if len(each.after) == most]
    if not whole:
        return None
    steps = [each.before[:, 1:] - each.after[:, 1:] for each in whole]
    if all((step == step[0]).all() for step in steps):
        if any(len(each.after) > most for each in every):  # a part of it may move by itself
            return None
        return _of_steps([each.at for each in whole], [step[0] for step in steps])
    ratios = {_ratios(each) for each in whole}
    return "other distances" if len(ratios) == 1 and None not in ratios else None


def _are_of_the_same(each: ElementReads) -> bool:
    """Whether as many places of the same channels are read as should be."""
    return len(each.before) == len(each.after) > 0 and np.array_equal(each.before[:, 0], each.after[:, 0])


def _of_steps(places: Sequence[tuple[int, int]], steps: Sequence[NDArray[Any]]) -> Moved | None:
    if len({*places}) < 2:  # a single step may be any
        return None
    if all(np.array_equal(step, steps[0]) for step in steps):
        return "moved"
    for axis in (0, 1):
        by_place: dict[int, int] = {}
        for place, step in zip(places, steps, strict=True):
            if by_place.setdefault(place[axis], int(step[axis])) != step[axis]:
                return None
        known = sorted(by_place.items())
        if len(known) > 1 and not _is_a_line(known):
            return None
    return "other steps"


def _is_a_line(points: Sequence[tuple[int, int]]) -> bool:
    (x0, y0), (x1, y1) = points[0], points[-1]
    return all((y - y0) * (x1 - x0) == (y1 - y0) * (x - x0) for x, y in points)


def _ratios(each: ElementReads) -> tuple[float, float] | None:
    """Returns how much wider the places lie than they should, along rows and columns; None if that varies."""
    found = []
    for axis in (1, 2):
        before, after = (places[:, axis] - places[:, axis].mean() for places in (each.before, each.after))
        if not after.any():
            if before.any():
                return None
            found.append(1.0)
            continue
        ratio = float(before @ after / (after @ after))
        if ratio < 0.0 or not np.allclose(before, ratio * after):
            return None
        found.append(round(ratio, 6))
    return (found[0], found[1]) if found != [1.0, 1.0] else None


@dataclass(frozen=True)
class SampledReads:
    """Holds some elements with wrong and right values, by linear indices.

    `at_borders`: all wrong ones lie at a picture's border; `along_borders`: most of some row or column there is wrong;
    `in_all`: some are in every channel.
    """

    wrong: Sequence[int]
    right: Sequence[int]
    at_borders: bool
    along_borders: bool
    in_all: bool


def sampled(plan: Plan, shader_pass: Pass, wrong: NDArray[np.bool_]) -> SampledReads:
    """Samples a pass's first output evenly; `wrong` masks all its elements, in order."""
    _, _, height, width = as_nchw(plan.textures[shader_pass.output].shape)
    rows, columns = np.divmod(np.arange(wrong.size) % (height * width), width)
    # An axis along which everything is equally wrong, such as channels or a single row, has no border.
    apart = [
        np.minimum(at, size - 1 - at)
        for at, size in ((rows, height), (columns, width))
        if (counts := np.bincount(at[wrong], minlength=size)).min() < _EVEN * counts.max()
    ]
    depth = np.min(apart, axis=0) if apart else np.zeros(wrong.size, dtype=np.int64)
    deepest, most = (int(some.max(initial=0)) for some in (depth[wrong], depth))
    pictures = wrong.reshape(-1, height, width)
    in_all = bool(pictures.any(axis=(1, 2)).all())
    pictures = pictures[pictures.any(axis=(1, 2)) | ~wrong.any()]
    is_along = any(pictures.mean(axis=axes).max(initial=0.0) >= _ALONG for axes in ((0, 1), (0, 2)))
    at_borders = deepest < most and (deepest < _BORDER or 2 * deepest < most)
    few, others = (_some_of(np.flatnonzero(some)) for some in (wrong, ~wrong))
    return SampledReads(few, others, at_borders, at_borders and is_along, in_all)


def _some_of(places: NDArray[np.int64]) -> list[int]:
    """Returns a few of some places, evenly spread."""
    return [int(places[at]) for at in np.linspace(0, len(places) - 1, min(_READ, len(places))).astype(int)]


def readings(harness: Harness, session: Session, repair: Repair, wrong: NDArray[np.bool_]) -> Readings:
    """Returns for each edit of a repair how the reads for some output elements differ, as if it were the only fault.

    None if unknown or ambiguous. `wrong` masks the wrong elements of the first output, or of another one of its size:
    both are computed from the same reads. The harness keeps its own program; `session` is its session. GL thread.
    """
    files = {file.path for file in harness.program.files}
    if not wrong.any():
        return ()
    places = sampled(harness.plan, harness.shader_pass, wrong)
    if {edit.file for edit in repair.edits} <= files:
        return tuple(_of_text(harness, repair, places))
    if len(repair.edits) == 1:
        return ((repair.edits[0], _of_file(harness, session, repair, places)),)
    return ()


def _of_text(harness: Harness, repair: Repair, places: SampledReads) -> Iterator[tuple[LineEdit, Reading | None]]:
    try:
        after = _with(harness, repair.edits, [*places.wrong, *places.right])
    except TexelscopeError:
        return
    for edit in repair.edits:
        rest = tuple(other for other in repair.edits if other != edit)
        try:
            yield edit, _told(harness.plan, harness.shader_pass, places, _with(harness, rest, places.wrong), after)
        except TexelscopeError:
            yield edit, None


def _of_file(harness: Harness, session: Session, repair: Repair, places: SampledReads) -> Reading | None:
    plan = planned_with(session.plan, repair.edits)
    again = plan.find(harness.shader_pass.name) if plan is not None else None
    if plan is None or again is None or plan.textures.keys() != session.plan.textures.keys():
        return None
    try:
        mended = Harness(session, again, plan)
    except TexelscopeError:
        return None
    try:
        before, after = _with(harness, (), places.wrong), _with(mended, (), [*places.wrong, *places.right])
        return _told(harness.plan, harness.shader_pass, places, before, after)
    except (TexelscopeError, KeyError):  # the repaired pass may read what is not bound
        return None
    finally:
        mended.release()


def _with(harness: Harness, edits: Sequence[LineEdit], elements: Sequence[int]) -> list[_Reads]:
    """Returns the reads for each element by the harness's program with some edits."""
    recorder = ReadRecorder(harness.scratch)
    try:
        if edits:
            harness.scratch.replace_program(harness.shader_pass.name, applied(harness.program, edits))
        return [_reads(harness, recorder, element) for element in elements]
    finally:
        recorder.release()
        if edits:
            harness.scratch.replace_program(harness.shader_pass.name, harness.program)


def _reads(harness: Harness, recorder: ReadRecorder, element: int) -> _Reads:
    found: _Reads = {}
    for tap in reads_made(harness.scratch, recorder, harness.shader_pass.name, element):
        number = 1 + tap.tx + (tap.ty << _BITS)
        is_nothing = tap.outside and not any(tap.value[:-1])  # a fetch beyond a texture returns 0
        elements = (-number - _NOTHING,) if is_nothing else tap.elements or (-number,)  # or no element is there
        found.setdefault(tap.key, Counter()).update(elements)
    return found


def _told(
    plan: Plan, shader_pass: Pass, places: SampledReads, before: Sequence[_Reads], after: Sequence[_Reads]
) -> Reading | None:
    """Classifies the difference at the wrong `places`; `after` also has the right elements, behind the wrong ones."""
    most = max(map(_count, after), default=0)
    cases = list(zip(places.wrong, before, after, strict=False))
    said = [(_of_one(plan, one, other, most), (place, one, other)) for place, one, other in cases]
    told = _of_all([reading for reading, _ in said if reading != "alike"])
    if told in ("beyond", "past the tile") and not places.at_borders:
        return "too many"
    keys = _differing(before, after)
    if told in MORE | _LESS and all(_is_a_bias(plan, shader_pass, plan.textures[key].tensor) for key in keys):
        return "no bias" if told in _LESS else "a bias twice" if told == "twice" else told
    if told in _LESS and places.at_borders and _are_again(plan, before, after):
        return "beyond"  # another value counts than the one that is read again
    if told in _LESS and not any(key in one for one in before for key in keys):
        return "unread"
    if told in MORE and places.at_borders:
        return _beyond(plan, [(one, other) for reading, (_, one, other) in said if reading in MORE])
    elsewhere = [case for reading, case in said if reading == "elsewhere"]
    if told is None and elsewhere:  # at borders, windows at other places are cut off in other ways
        is_moved = (where := _where(plan, shader_pass, elsewhere, at_borders=False)) in _MOVED
        return where if is_moved or 2 * len(elsewhere) > len(said) else None
    if told != "elsewhere":
        return told
    where = _where(plan, shader_pass, elsewhere, at_borders=places.along_borders)
    is_everything = places.in_all and all(reading != "alike" for reading, _ in said)
    return where if is_everything or where != "moved" else "elsewhere"


def _differing(before: Sequence[_Reads], after: Sequence[_Reads]) -> set[str]:
    """Returns textures whose reads differ."""
    pairs = list(zip(before, after, strict=False))
    return {key for one, other in pairs for key in (*one, *other) if one.get(key) != other.get(key)}


def _of_all(said: Sequence[Reading]) -> Reading | None:
    """Combines the classes of several elements: the common one, or that of most if each has a wrong bound."""
    if not said:
        return "alike"
    told = {*said}
    if len(told) == 1:
        return said[0]
    for beyond in ("past the tile", "beyond"):
        if beyond in told and told <= {"past the tile", "beyond", "too many", "twice"}:
            return beyond
    if told == {"elsewhere", "another tensor"}:  # as beyond a seam between two
        return "elsewhere"
    return max(said, key=said.count) if told <= _LESS or told <= MORE else None


def _of_one(plan: Plan, before: _Reads, after: _Reads, most: int) -> Reading:
    """Classifies the difference for one element; `most` is the largest number of reads of the repaired pass."""
    more = {key: rest for key, own in before.items() if (rest := own - after.get(key, Counter()))}
    less = {key: rest for key, own in after.items() if (rest := _something(own - before.get(key, Counter())))}
    if not more and not less:
        return "alike"
    if not more:
        is_of_others = all(_are_of_others(plan, key, own, before.get(key, Counter())) for key, own in less.items())
        return "other channels left out" if is_of_others else "left out"
    if not less:
        again = [element in after.get(key, ()) for key, own in more.items() for element in own]
        if 2 * sum(again) > len(again):
            return "twice"
        if not _count(after) < most == _count(before):
            return "too many"
        return _beyond(plan, [(before, after)])
    return "another tensor" if more.keys().isdisjoint(less) else "elsewhere"


def _are_again(plan: Plan, before: Sequence[_Reads], after: Sequence[_Reads]) -> bool:
    """Whether nothing is missing except elements that are read again for the same output."""
    less = [
        element in own.get(key, ())
        for own, other in zip(before, after, strict=False)
        for key in other
        if plan.textures[key].role != "constant"
        for element in _something(other[key] - own.get(key, Counter()))
    ]
    return bool(less) and all(less)


def _something(own: Counter[int]) -> Counter[int]:
    """Removes reads beyond a texture: an output without them misses nothing."""
    return Counter({element: count for element, count in own.items() if element > -_NOTHING})


def _beyond(plan: Plan, pairs: Sequence[tuple[_Reads, _Reads]]) -> Reading:
    """Whether reads beyond a border hit other channels of the texture, or no element."""
    extra = [
        (key, own - other.get(key, Counter()), other.get(key, Counter()))
        for one, other in pairs
        for key, own in one.items()
    ]
    is_there = any(_something(some) for _, some, _ in extra)
    is_past = is_there and all(_are_of_others(plan, *each) for each in extra)
    return "past the tile" if is_past else "beyond"


def _where(plan: Plan, shader_pass: Pass, cases: Sequence[tuple[int, _Reads, _Reads]], *, at_borders: bool) -> Reading:
    """Classifies reads at other places of one tensor: another bias, beyond a border, or other window positions."""
    read = [[{key: _something(own) for key, own in some.items()} for some in case[1:]] for case in cases]
    keys = _differing([before for before, _ in read], [after for _, after in read])
    held = {key for key in keys if plan.textures[key].role == "constant"}
    keys = keys - held if len(keys) > 1 else keys  # at a border the weights are cut off with the picture
    if len(keys) != 1:
        return "elsewhere"
    key = next(iter(keys))
    if _is_a_bias(plan, shader_pass, plan.textures[key].tensor):
        return "another bias"
    if plan.textures[key].role == "constant":
        return "elsewhere"
    pairs = [(place, before.get(key, Counter()), after.get(key, Counter())) for place, before, after in cases]
    if at_borders:
        return _beyond(plan, [({key: before}, {key: after}) for _, before, after in pairs])
    found: Moved | None = moved([_around(plan, shader_pass, key, *pair) for pair in pairs])
    return found or "elsewhere"


def _around(
    plan: Plan, shader_pass: Pass, key: str, place: int, before: Counter[int], after: Counter[int]
) -> ElementReads:
    _, _, height, width = as_nchw(plan.textures[shader_pass.output].shape)
    row, column = divmod(place % (height * width), width)
    return ElementReads((row, column), _places(plan, key, before), _places(plan, key, after))


def _places(plan: Plan, key: str, own: Counter[int]) -> Places:
    """Returns channel, row and column of elements as they are read; padding tiles are left out."""
    shape = as_nchw(plan.textures[key].shape)
    elements = [element for element in own if element >= 0]
    if not elements:
        return np.zeros((0, 3), dtype=np.int64)
    return np.stack(np.unravel_index(elements, shape)[1:], axis=1).astype(np.int64)


def _is_a_bias(plan: Plan, shader_pass: Pass, tensor: str) -> bool:
    """Whether some node of the pass adds this constant."""
    if plan.constant(tensor) is None:
        return False
    for node in nodes_of(plan, shader_pass):
        facts = facts_of(node)
        if tensor in node.inputs and (facts.adds or node.inputs.index(tensor) == facts.addend):
            return True
    return False


def _count(reads: _Reads) -> int:
    return sum(own.total() for own in reads.values())


def _are_of_others(plan: Plan, key: str, some: Counter[int], others: Counter[int]) -> bool:
    """Whether some elements have no channel in common with the others, if there are others; padding has no channel."""
    return bool(others) and _channels(plan, key, some).isdisjoint(_channels(plan, key, others))


def _channels(plan: Plan, key: str, own: Counter[int]) -> set[int]:
    _, channels, height, width = as_nchw(plan.textures[key].shape)
    return {element // (height * width) % channels for element in own if element >= 0}
