"""Held-out bugs in numbers that a shader has its weights as."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.subjects import Subject, shader_text
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.mpv.build import build
from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by_itself
from texelscope.pipeline.dialects.mpv.parse import parse


def _twice() -> Subject:
    shader = parse(shader_text("held_out/luma_twice.glsl"), "luma_twice.glsl")
    plan = build(shader, {"LUMA": (1, 1, 5, 8), "OUTPUT": (1, 3, 10, 16)}, "float32", Limits())
    return Subject("luma_twice.glsl", judged_by_itself(plan), {"LUMA": noise(1, 1, 5, 8)}, "pixels")


FAULTS: tuple[Fault, ...] = (
    Fault(
        "a slope without its last digits",
        "wrong_literal",
        _twice,
        (Edit("1.2460", "1.2"),),
        {"tensor": "pixels.slope", "element": [3, 0, 0]},
    ),
)
