"""Compares the recorded reads of an element with those that its operator lists."""

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


def drawn(plan: Plan, shader_pass: Pass, most: int) -> list[int]:
    """Returns elements of a pass, always the same."""
    count = math.prod(plan.textures[shader_pass.output].shape)
    return random.Random(shader_pass.name).sample(range(count), min(count, most))


def difference(session: DebugSession, shader_pass: Pass, element: int) -> str:
    """Returns how recorded and expected reads differ; empty if they do not, or if nobody can know."""
    taps = session.taps(shader_pass.name, element)
    if taps.expected is None:
        return "" if shader_pass.operator in READS_BY_DATA else "the operator does not say what it reads"
    if taps.unexpected() and not session.has_run(shader_pass.name):
        session.run(to=shader_pass.name)  # whether a read of a whole texel has an effect is tried on what the pass made
        taps = session.taps(shader_pass.name, element)
    if taps.unexpected() or taps.missing():
        return f"unexpected {taps.unexpected()}, missing {taps.missing()}"
    return ""
