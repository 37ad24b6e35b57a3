"""Planted bugs in textures of an earlier run, and the one that is being drawn into."""

from __future__ import annotations

from tests.faults.changes import DrawnUntil, OnBindDo, OneRunBehind
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements, pictures, rows
from tests.faults.states import bound_output

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a mean of the picture before",
        "stale_tensor",
        pictures.avgpool_rgba,
        (OneRunBehind("t_source"),),
        earlier=2,
    ),
    Fault(
        "a matrix product drawn once and never again",
        "stale_tensor",
        rows.gemm_blocks,
        (DrawnUntil(2),),
        earlier=2,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "the second of two joined pictures one run late",
        "stale_tensor",
        elements.join_unpacked,
        (OneRunBehind("B"),),
        earlier=2,
    ),
    Fault(
        "a stretched picture that is not drawn again",
        "stale_tensor",
        pictures.stretch_getx,
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "a difference with its own result",
        "feedback_loop",
        elements.subtract_uv,
        (OnBindDo(bound_output("right")),),
        runs=2,
        where=("texture(right, place)",),
    ),
    Fault(
        "an activation in place",
        "feedback_loop",
        elements.hardswish_uv,
        (OnBindDo(bound_output("signal")),),
        runs=2,
        where=("vec4 x = texture(signal",),
    ),
)
