"""What a wrong pass reads otherwise than the same pass with a repair: elements left out, others, too many, as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from layouts.shapes import as_nchw
from pipeline.compare.repairs import LineEdit, Repair
from pipeline.errors import TexelscopeError
from pipeline.operators.families.registry import facts_of
from pipeline.plan import Pass, Plan
from pipeline.repair.benches.bench import Bench
from pipeline.repair.model_numbers import nodes_of
from pipeline.repair.of_file import planned_with
from pipeline.repair.said.moved_reads import Around, Moved, Places, moved
from pipeline.repair.text.patch import applied
from pipeline.taps.expected import taps
from pipeline.taps.recorder import TapRecorder

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# What the wrong pass does with its reads, told by those of the mended one. Beyond: it reads something where that reads
# nothing, or something else, at borders alone; past the tile, that is of another channel or of none. A bias is read
# once for an element and added to it.
Reading = Literal[
    "alike", "left out", "other channels left out", "too many", "twice", "beyond", "past the tile", "elsewhere",
    "another tensor", "another bias", "moved", "other steps", "other distances",
]  # fmt: skip
# By edit what is read otherwise than with it.
Readings = tuple[tuple[LineEdit, Reading | None], ...]
_LESS: frozenset[Reading] = frozenset({"left out", "other channels left out"})
_MORE: frozenset[Reading] = frozenset({"too many", "twice"})
_MOVED: frozenset[Reading] = frozenset({"moved", "other steps", "other distances"})
# Bits of a texel's column.
_BITS = 16
# How near to the picture's border windows of usual sizes still leave it.
_BORDER = 4
# By texture key how often each element is read; texels of padding as negative numbers.
_Reads = dict[str, Counter[int]]


def readings(
    bench: Bench, session: Session, repair: Repair, wrong: Sequence[int], right: Sequence[int] = ()
) -> Readings:
    """For each edit of a repair how the reads for some elements of the first output differ, were that the only fault.

    None where that is not known, or is in two ways. `wrong` and `right` are linear indices of elements, of which the
    pass makes wrong and right values. The bench goes on with its own program; `session` is the one that it is of. GL
    thread.
    """
    files = {file.path for file in bench.program.files}
    if not wrong:
        return ()
    if {edit.file for edit in repair.edits} <= files:
        return tuple(_of_text(bench, repair, wrong, right))
    if len(repair.edits) == 1:
        return ((repair.edits[0], _of_file(bench, session, repair, wrong, right)),)
    return ()


def _of_text(
    bench: Bench, repair: Repair, wrong: Sequence[int], right: Sequence[int]
) -> Iterator[tuple[LineEdit, Reading | None]]:
    try:
        after = _with(bench, repair.edits, [*wrong, *right])
    except TexelscopeError:
        return
    for edit in repair.edits:
        rest = tuple(other for other in repair.edits if other != edit)
        try:
            yield edit, _told(bench.plan, bench.each, (wrong, right), _with(bench, rest, wrong), after)
        except TexelscopeError:
            yield edit, None


def _of_file(
    bench: Bench, session: Session, repair: Repair, wrong: Sequence[int], right: Sequence[int]
) -> Reading | None:
    plan = planned_with(session.plan, repair.edits)
    again = plan.find(bench.each.name) if plan is not None else None
    if plan is None or again is None or plan.textures.keys() != session.plan.textures.keys():
        return None
    try:
        mended = Bench(session, again, plan)
    except TexelscopeError:
        return None
    try:
        before, after = _with(bench, (), wrong), _with(mended, (), [*wrong, *right])
        return _told(bench.plan, bench.each, (wrong, right), before, after)
    except (TexelscopeError, KeyError):  # what the mended pass reads may not be among what is bound
        return None
    finally:
        mended.release()


def _with(bench: Bench, edits: Sequence[LineEdit], elements: Sequence[int]) -> list[_Reads]:
    """What is read for each element by the bench's program with some edits."""
    recorder = TapRecorder(bench.scratch)
    try:
        if edits:
            bench.scratch.replace_program(bench.each.name, applied(bench.program, edits))
        return [_reads(bench, recorder, element) for element in elements]
    finally:
        recorder.release()
        if edits:
            bench.scratch.replace_program(bench.each.name, bench.program)


def _reads(bench: Bench, recorder: TapRecorder, element: int) -> _Reads:
    found: _Reads = {}
    for tap in taps(bench.scratch, recorder, bench.each.name, element).reads:
        padding = (-(1 + tap.tx + (tap.ty << _BITS)),)  # of texels that hold no element
        found.setdefault(tap.key, Counter()).update(tap.elements or padding)
    return found


def _told(
    plan: Plan, each: Pass, places: tuple[Sequence[int], Sequence[int]], before: Sequence[_Reads],
    after: Sequence[_Reads],
) -> Reading | None:  # fmt: skip
    """How the reads for the wrong `places` differ; behind theirs `after` has those for the right ones."""
    wrong, right = places
    most = max(map(_count, after), default=0)
    cases = list(zip(wrong, before, after, strict=False))
    said = [(_of_one(plan, one, other, most), (place, one, other)) for place, one, other in cases]
    told = _of_all([reading for reading, _ in said if reading != "alike"])
    deepest = max(_from_border(plan, each, place) for place in wrong)
    at_borders = deepest < _BORDER and any(_from_border(plan, each, place) > deepest for place in right)
    if told in ("beyond", "past the tile") and not at_borders:
        return "too many"
    if told == "too many" and at_borders:
        return _beyond(plan, [(one, other) for reading, (_, one, other) in said if reading == told])
    elsewhere = [case for reading, case in said if reading == "elsewhere"]
    if told is None and elsewhere:  # at borders windows that lie elsewhere are cut off elsewhere
        is_moved = (where := _where(plan, each, elsewhere, at_borders=False)) in _MOVED
        return where if is_moved else None
    if told != "elsewhere":
        return told
    return _where(plan, each, elsewhere, at_borders=at_borders)


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
    return max(said, key=said.count) if told <= _LESS or told <= _MORE else None


def _of_one(plan: Plan, before: _Reads, after: _Reads, most: int) -> Reading:
    """Of one element; `most` is how much the mended pass reads for any."""
    more = {key: rest for key, own in before.items() if (rest := own - after.get(key, Counter()))}
    less = {key: rest for key, own in after.items() if (rest := own - before.get(key, Counter()))}
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
    is_another = more.keys().isdisjoint(less) and sum(map(len, more.values())) == sum(map(len, less.values()))
    return "another tensor" if is_another else "elsewhere"


def _beyond(plan: Plan, pairs: Sequence[tuple[_Reads, _Reads]]) -> Reading:
    """Whether what is read beyond a border belongs to other channels, or to none."""
    is_past = all(
        _are_of_others(plan, key, own - after.get(key, Counter()), after.get(key, Counter()))
        for before, after in pairs
        for key, own in before.items()
    )
    return "past the tile" if is_past else "beyond"


def _where(plan: Plan, each: Pass, cases: Sequence[tuple[int, _Reads, _Reads]], *, at_borders: bool) -> Reading:
    """What is said of reads elsewhere, of one tensor: a bias's, those beyond a border, or a window's other places."""
    keys = {key for _, before, after in cases for key in (*before, *after) if before.get(key) != after.get(key)}
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
    """Channel, row and column of elements, in order; a padding tile is read as the others are, and left out."""
    shape = as_nchw(plan.textures[key].shape)
    elements = sorted(element for element in own if element >= 0)
    if not elements:
        return np.zeros((0, 3), dtype=np.int64)
    return np.stack(np.unravel_index(elements, shape)[1:], axis=1).astype(np.int64)


def _from_border(plan: Plan, each: Pass, place: int) -> int:
    """How many elements lie between an element of the output and the border of its picture."""
    _, _, height, width = as_nchw(plan.textures[each.output].shape)
    row, column = divmod(place % (height * width), width)
    return min(row, column, height - 1 - row, width - 1 - column)


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
