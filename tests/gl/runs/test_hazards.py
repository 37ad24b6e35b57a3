"""Tests that a missing barrier is reported although the values are right here, from recorded accesses."""

from __future__ import annotations

import dataclasses

import moderngl
import pytest

from tests.faults import models
from tests.faults.subjects import Subject, dispatched
from texelscope.pipeline.commands.diff import MATCH, MISMATCH, exit_code
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.runs.repeats import with_hazards

# Each invocation brings what its neighbour needs; the eight run in step on a software driver.
PAIRS = """#version 430
layout(local_size_x = 8) in;
layout(std430) readonly buffer Image { float x[]; };
layout(std430) writeonly buffer Result { float y[]; };
shared float part[8];
void main() {
    int i = int(gl_LocalInvocationID.x), base = int(gl_WorkGroupID.x) * 8;
    part[i ^ 1] = x[base + (i ^ 1)];
    barrier();
    y[base + i] = max(part[i], 0.0);
}
"""


def _subject(text: str) -> Subject:
    blocks = {"Image": "x", "Result": "y"}
    subject = dispatched(models.single("Relu", (1, 1, 2, 16)), "seen/mean_shared.comp", blocks, (4, 1, 1), {})
    (each,) = subject.plan.passes
    program = ProgramSource(text, (SourceFile(0, "pairs.comp", text),), stage="compute")
    plan = dataclasses.replace(subject.plan, passes=(dataclasses.replace(each, program=program),))
    return dataclasses.replace(subject, plan=plan)


@pytest.mark.parametrize("barrier", [True, False])
def test_what_no_barrier_orders_is_told_though_it_comes_out_right(gl: moderngl.Context, barrier: bool) -> None:
    subject = _subject(PAIRS if barrier else PAIRS.replace("    barrier();\n", "\n"))
    with DebugSession(subject.plan, gl) as session:
        for name, value in subject.inputs.items():
            session.set_input(name, value)
        session.run()
        report = Comparer(session.plan).compare(session.capture())
        assert report.verdict == "match"
        told = with_hazards(report, session)
        (each,) = told.passes
        assert [found.cause for found in each.findings] == ([] if barrier else ["missing_barrier"])
        assert exit_code(told) == (MATCH if barrier else MISMATCH)
        if not barrier:
            assert (each.findings[0].shader, each.findings[0].line) == ("pairs.comp", 8)
            assert each.message == (
                "'part' is written at pairs.comp:8 and touched by another invocation at pairs.comp:10, "
                "with no barrier() between."
            )
