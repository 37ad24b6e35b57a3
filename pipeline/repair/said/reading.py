"""What a wrong pass reads otherwise than the same pass with a repair: elements left out, others, too many, as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from layouts.shapes import as_nchw
from pipeline.compare.repairs import Repair
from pipeline.errors import TexelscopeError
from pipeline.plan import Plan
from pipeline.repair.benches.bench import Bench
from pipeline.repair.text.patch import applied
from pipeline.taps.expected import taps
from pipeline.taps.recorder import TapRecorder

# What the wrong pass does with its reads, told by those of the mended one. Beyond: it reads something where that reads
# nothing, at borders alone.
Reading = Literal["alike", "left out", "other channels left out", "too many", "twice", "beyond", "elsewhere",
                  "another tensor"]  # fmt: skip
_LESS: frozenset[Reading] = frozenset({"left out", "other channels left out"})
_MORE: frozenset[Reading] = frozenset({"too many", "twice"})
# Bits of a texel's column.
_BITS = 16
# By texture key how often each element is read; texels of padding as negative numbers.
_Reads = dict[str, Counter[int]]


def reading(bench: Bench, repair: Repair, wrong: Sequence[int], right: Sequence[int] = ()) -> Reading | None:
    """How the reads for some elements of the first output differ; None where that is not known, or is in two ways.

    `wrong` and `right` are linear indices of elements, of which the pass makes wrong and right values. The bench goes
    on with its own program. GL thread.
    """
    if not wrong or not {edit.file for edit in repair.edits} <= {file.path for file in bench.program.files}:
        return None
    try:
        before = _reads(bench, wrong)
        bench.scratch.replace_program(bench.each.name, applied(bench.program, repair.edits))
        after, others = _reads(bench, wrong), _reads(bench, right)
    except TexelscopeError:
        return None
    finally:
        bench.scratch.replace_program(bench.each.name, bench.program)
    most = max(map(_count, (*after, *others)), default=0)
    said = [_told(bench.plan, *both, most) for both in zip(before, after, strict=True)]
    return _of_all([each for each in said if each != "alike"])


def _of_all(said: Sequence[Reading]) -> Reading | None:
    """What is told of several elements: that of all, or of most where each of them has a bound that is off."""
    if not said:
        return "alike"
    told = {*said}
    if len(told) == 1:
        return said[0]
    if "beyond" in told and told <= {"beyond", "too many", "twice"}:
        return "beyond"
    return max(said, key=said.count) if told <= _LESS or told <= _MORE else None


def _reads(bench: Bench, elements: Sequence[int]) -> list[_Reads]:
    recorder = TapRecorder(bench.scratch)
    try:
        found = []
        for element in elements:
            reads: _Reads = {}
            for tap in taps(bench.scratch, recorder, bench.each.name, element).reads:
                padding = (-(1 + tap.tx + (tap.ty << _BITS)),)  # of texels that hold no element
                reads.setdefault(tap.key, Counter()).update(tap.elements or padding)
            found.append(reads)
        return found
    finally:
        recorder.release()


def _told(plan: Plan, before: _Reads, after: _Reads, most: int) -> Reading:
    """Of one element; `most` is how much the mended pass reads for any."""
    more = {key: rest for key, own in before.items() if (rest := own - after.get(key, Counter()))}
    less = {key: rest for key, own in after.items() if (rest := own - before.get(key, Counter()))}
    if not more and not less:
        return "alike"
    if not more:
        is_of_others = all(_channels(plan, key, own).isdisjoint(_channels(plan, key, before.get(key, Counter())))
                           for key, own in less.items())  # fmt: skip
        return "other channels left out" if is_of_others else "left out"
    if not less:
        again = [element in after.get(key, ()) for key, own in more.items() for element in own]
        if 2 * sum(again) > len(again):
            return "twice"
        return "beyond" if _count(after) < most == _count(before) else "too many"
    is_another = more.keys().isdisjoint(less) and sum(map(len, more.values())) == sum(map(len, less.values()))
    return "another tensor" if is_another else "elsewhere"


def _count(reads: _Reads) -> int:
    return sum(own.total() for own in reads.values())


def _channels(plan: Plan, key: str, own: Counter[int]) -> set[int]:
    _, channels, height, width = as_nchw(plan.textures[key].shape)
    return {element // (height * width) % channels for element in own}
