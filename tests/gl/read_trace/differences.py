"""How the reads that are recorded of an element differ from those that its operator lists."""

from __future__ import annotations

import math
import random

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.plan import Pass, Plan

# They read where their inputs say, so that the reads are not known before the run.
READS_BY_DATA = frozenset(
    {
        "BlockArg", "ByRank", "DeformConv", "Gather", "GatherElements", "GatherND", "GridSample", "MaxRoiPool",
        "MaxUnpool", "ReverseSequence", "RoiAlign", "ScatterElements", "ScatterND", "TensorScatter", "TopK",
        "TreeEnsemble",
    }
)  # fmt: skip


def drawn(plan: Plan, each: Pass, most: int) -> list[int]:
    """Elements of a pass, always the same."""
    count = math.prod(plan.textures[each.output].shape)
    return random.Random(each.name).sample(range(count), min(count, most))


def difference(session: DebugSession, each: Pass, element: int) -> str:
    """How the recorded reads differ from the expected ones; empty if they do not, or if nobody can know."""
    taps = session.taps(each.name, element)
    if taps.expected is None:
        return "" if each.operator in READS_BY_DATA else "the operator does not say what it reads"
    if taps.unexpected() and not session.has_run(each.name):
        session.run(to=each.name)  # whether a read of a whole texel has an effect is tried on what the pass made
        taps = session.taps(each.name, element)
    if taps.unexpected() or taps.missing():
        return f"unexpected {taps.unexpected()}, missing {taps.missing()}"
    return ""
