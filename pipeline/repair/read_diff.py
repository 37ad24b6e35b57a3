"""What a wrong pass reads otherwise than the same pass with a repair: elements left out, others, too many, as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.expected import taps
from texelscope.pipeline.read_trace.recorder import ReadRecorder
from texelscope.pipeline.repair.classify.moved_reads import Around, Moved, Places, moved
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.programs.shortest import some_of
from texelscope.pipeline.repair.text.patch import applied

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# What the wrong pass does with its reads, told by those of the mended one. Beyond: it reads something where that reads
# nothing, or something else, at borders alone; past the tile, that is of another channel or of none. A bias is read
# once for an element and added to it.
Reading = Literal[
    "alike", "left out", "other channels left out", "no bias", "unread", "too many", "twice", "a bias twice", "beyond",
    "past the tile", "elsewhere", "another tensor", "another bias", "moved", "other steps", "other distances",
]  # fmt: skip
# By edit what is read otherwise than with it.
Readings = tuple[tuple[LineEdit, Reading | None], ...]
_LESS: frozenset[Reading] = frozenset({"left out", "other channels left out"})
_MORE: frozenset[Reading] = frozenset({"too many", "twice"})
_MOVED: frozenset[Reading] = frozenset({"moved", "other steps", "other distances"})
# Bits of a texel's column.
_BITS = 16
# Numbers of texels beyond their texture lie below this, of which nothing comes.
_NOTHING = 1 << 40
# How near to the picture's border windows of usual sizes still leave it.
_BORDER = 4
# Of some row or column as many of the elements are wrong where a border makes them so.
_ALONG = 0.5
# As much is wrong at two places where one has this share of the other's.
_EVEN = 0.5
# Of so many wrong elements, and as many right ones, the reads are recorded.
_READ = 16
# By texture key how often each element is read; texels of padding as negative numbers.
_Reads = dict[str, Counter[int]]


@dataclass(frozen=True)
class SampledReads:
    """Some elements of which a pass makes wrong and right values, by linear indices.

    `at_borders` says whether all that are wrong lie at the border of a picture, `along_borders` whether most of some
    row or column there is, `in_all` whether some are in every channel.
    """

    wrong: Sequence[int]
    right: Sequence[int]
    at_borders: bool
    along_borders: bool
    in_all: bool


def sampled(plan: Plan, each: Pass, wrong: NDArray[np.bool_]) -> SampledReads:
    """A few of the elements of a pass's first output, all over it; `wrong` has them all, in order."""
    _, _, height, width = as_nchw(plan.textures[each.output].shape)
    rows, columns = np.divmod(np.arange(wrong.size) % (height * width), width)
    # Along an axis on which as much is wrong everywhere, as of channels or of one row alone, there is no border.
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
    few, others = (some_of(np.flatnonzero(some), _READ) for some in (wrong, ~wrong))
    return SampledReads(few, others, at_borders, at_borders and is_along, in_all)


def readings(bench: Harness, session: Session, repair: Repair, wrong: NDArray[np.bool_]) -> Readings:
    """For each edit of a repair how the reads for some elements of the first output differ, were that the only fault.

    None where that is not known, or is in two ways. `wrong` says of each element whether the pass makes a wrong value
    there, in that output or in another that is as large: the reads for it are made together.
    The bench goes on with its own program; `session` is the one that it is of. GL thread.
    """
    files = {file.path for file in bench.program.files}
    if not wrong.any():
        return ()
    places = sampled(bench.plan, bench.each, wrong)
    if {edit.file for edit in repair.edits} <= files:
        return tuple(_of_text(bench, repair, places))
    if len(repair.edits) == 1:
        return ((repair.edits[0], _of_file(bench, session, repair, places)),)
    return ()


def _of_text(bench: Harness, repair: Repair, places: SampledReads) -> Iterator[tuple[LineEdit, Reading | None]]:
    try:
        after = _with(bench, repair.edits, [*places.wrong, *places.right])
    except TexelscopeError:
        return
    for edit in repair.edits:
        rest = tuple(other for other in repair.edits if other != edit)
        try:
            yield edit, _told(bench.plan, bench.each, places, _with(bench, rest, places.wrong), after)
        except TexelscopeError:
            yield edit, None


def _of_file(bench: Harness, session: Session, repair: Repair, places: SampledReads) -> Reading | None:
    plan = planned_with(session.plan, repair.edits)
    again = plan.find(bench.each.name) if plan is not None else None
    if plan is None or again is None or plan.textures.keys() != session.plan.textures.keys():
        return None
    try:
        mended = Harness(session, again, plan)
    except TexelscopeError:
        return None
    try:
        before, after = _with(bench, (), places.wrong), _with(mended, (), [*places.wrong, *places.right])
        return _told(bench.plan, bench.each, places, before, after)
    except (TexelscopeError, KeyError):  # what the mended pass reads may not be among what is bound
        return None
    finally:
        mended.release()


def _with(bench: Harness, edits: Sequence[LineEdit], elements: Sequence[int]) -> list[_Reads]:
    """What is read for each element by the bench's program with some edits."""
    recorder = ReadRecorder(bench.scratch)
    try:
        if edits:
            bench.scratch.replace_program(bench.each.name, applied(bench.program, edits))
        return [_reads(bench, recorder, element) for element in elements]
    finally:
        recorder.release()
        if edits:
            bench.scratch.replace_program(bench.each.name, bench.program)


def _reads(bench: Harness, recorder: ReadRecorder, element: int) -> _Reads:
    found: _Reads = {}
    for tap in taps(bench.scratch, recorder, bench.each.name, element).reads:
        number = 1 + tap.tx + (tap.ty << _BITS)
        is_nothing = tap.outside and not any(tap.value[:-1])  # as a fetch finds beyond a texture
        elements = (-number - _NOTHING,) if is_nothing else tap.elements or (-number,)  # or of a texel that holds none
        found.setdefault(tap.key, Counter()).update(elements)
    return found


def _told(
    plan: Plan, each: Pass, places: SampledReads, before: Sequence[_Reads], after: Sequence[_Reads]
) -> Reading | None:
    """How the reads for the wrong `places` differ; behind theirs `after` has those for the right ones."""
    most = max(map(_count, after), default=0)
    cases = list(zip(places.wrong, before, after, strict=False))
    said = [(_of_one(plan, one, other, most), (place, one, other)) for place, one, other in cases]
    told = _of_all([reading for reading, _ in said if reading != "alike"])
    if told in ("beyond", "past the tile") and not places.at_borders:
        return "too many"
    keys = _differing(before, after)
    if told in _MORE | _LESS and all(_is_a_bias(plan, each, plan.textures[key].tensor) for key in keys):
        return "no bias" if told in _LESS else "a bias twice" if told == "twice" else told
    if told in _LESS and places.at_borders and _are_again(plan, before, after):
        return "beyond"  # where something else counts than what is read again
    if told in _LESS and not any(key in one for one in before for key in keys):
        return "unread"
    if told in _MORE and places.at_borders:
        return _beyond(plan, [(one, other) for reading, (_, one, other) in said if reading in _MORE])
    elsewhere = [case for reading, case in said if reading == "elsewhere"]
    if told is None and elsewhere:  # at borders windows that lie elsewhere are cut off elsewhere
        is_moved = (where := _where(plan, each, elsewhere, at_borders=False)) in _MOVED
        return where if is_moved or 2 * len(elsewhere) > len(said) else None
    if told != "elsewhere":
        return told
    where = _where(plan, each, elsewhere, at_borders=places.along_borders)
    is_everything = places.in_all and all(reading != "alike" for reading, _ in said)
    return where if is_everything or where != "moved" else "elsewhere"


def _differing(before: Sequence[_Reads], after: Sequence[_Reads]) -> set[str]:
    """Textures of which something else is read."""
    pairs = list(zip(before, after, strict=False))
    return {key for one, other in pairs for key in (*one, *other) if one.get(key) != other.get(key)}


def _of_all(said: Sequence[Reading]) -> Reading | None:
    """What is told of several elements: that of all, or of most where each of them has a bound that is off."""
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
    return max(said, key=said.count) if told <= _LESS or told <= _MORE else None


def _of_one(plan: Plan, before: _Reads, after: _Reads, most: int) -> Reading:
    """Of one element; `most` is how much the mended pass reads for any."""
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
    """Whether of what a pass computes with nothing is left out but what is read for the same element as well."""
    less = [
        element in own.get(key, ())
        for own, other in zip(before, after, strict=False)
        for key in other
        if plan.textures[key].role != "constant"
        for element in _something(other[key] - own.get(key, Counter()))
    ]
    return bool(less) and all(less)


def _something(own: Counter[int]) -> Counter[int]:
    """Without what is beyond a texture: who does not read there lacks nothing."""
    return Counter({element: count for element, count in own.items() if element > -_NOTHING})


def _beyond(plan: Plan, pairs: Sequence[tuple[_Reads, _Reads]]) -> Reading:
    """Whether what is read beyond a border belongs to other channels, or to none, in the texture."""
    extra = [
        (key, own - other.get(key, Counter()), other.get(key, Counter()))
        for one, other in pairs
        for key, own in one.items()
    ]
    is_there = any(_something(some) for _, some, _ in extra)
    is_past = is_there and all(_are_of_others(plan, *each) for each in extra)
    return "past the tile" if is_past else "beyond"


def _where(plan: Plan, each: Pass, cases: Sequence[tuple[int, _Reads, _Reads]], *, at_borders: bool) -> Reading:
    """What is said of reads elsewhere, of one tensor: a bias's, those beyond a border, or a window's other places."""
    read = [[{key: _something(own) for key, own in some.items()} for some in case[1:]] for case in cases]
    keys = _differing([before for before, _ in read], [after for _, after in read])
    held = {key for key in keys if plan.textures[key].role == "constant"}
    keys = keys - held if len(keys) > 1 else keys  # the weights of what is cut off at a border go with it
    if len(keys) != 1:
        return "elsewhere"
    key = next(iter(keys))
    if _is_a_bias(plan, each, plan.textures[key].tensor):
        return "another bias"
    if plan.textures[key].role == "constant":
        return "elsewhere"
    pairs = [(place, before.get(key, Counter()), after.get(key, Counter())) for place, before, after in cases]
    if at_borders:
        return _beyond(plan, [({key: before}, {key: after}) for _, before, after in pairs])
    found: Moved | None = moved([_around(plan, each, key, *pair) for pair in pairs])
    return found or "elsewhere"


def _around(plan: Plan, each: Pass, key: str, place: int, before: Counter[int], after: Counter[int]) -> Around:
    _, _, height, width = as_nchw(plan.textures[each.output].shape)
    row, column = divmod(place % (height * width), width)
    return Around((row, column), _places(plan, key, before), _places(plan, key, after))


def _places(plan: Plan, key: str, own: Counter[int]) -> Places:
    """Channel, row and column of elements, as they are read; a padding tile is read as the others are, and left out."""
    shape = as_nchw(plan.textures[key].shape)
    elements = [element for element in own if element >= 0]
    if not elements:
        return np.zeros((0, 3), dtype=np.int64)
    return np.stack(np.unravel_index(elements, shape)[1:], axis=1).astype(np.int64)


def _is_a_bias(plan: Plan, each: Pass, tensor: str) -> bool:
    """Whether some node of the pass adds it, a constant."""
    if plan.constant(tensor) is None:
        return False
    for node in nodes_of(plan, each):
        facts = facts_of(node)
        if tensor in node.inputs and (facts.adds or node.inputs.index(tensor) == facts.addend):
            return True
    return False


def _count(reads: _Reads) -> int:
    return sum(own.total() for own in reads.values())


def _are_of_others(plan: Plan, key: str, some: Counter[int], others: Counter[int]) -> bool:
    """Whether some elements are of no channel that the others are of, of which there are some; padding is of none."""
    return bool(others) and _channels(plan, key, some).isdisjoint(_channels(plan, key, others))


def _channels(plan: Plan, key: str, own: Counter[int]) -> set[int]:
    _, channels, height, width = as_nchw(plan.textures[key].shape)
    return {element // (height * width) % channels for element in own if element >= 0}
