"""Networks whose weights are literals in a shader of mpv's."""

from __future__ import annotations

from tests.faults.models import noise
from tests.faults.subjects import Subject, shader_text
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.mpv.build import build
from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by_itself
from texelscope.pipeline.dialects.mpv.parse import parse

SIZE = (6, 7)


def halves(name: str = "weighted") -> Subject:
    """A convolution of luma, and one of both halves of what it makes, four channels each."""
    shader = parse(shader_text("seen/halves.glsl"), "halves.glsl")
    shapes = {"LUMA": (1, 1, *SIZE), "OUTPUT": (1, 3, *SIZE)}
    plan = judged_by_itself(build(shader, shapes, "float32", Limits()))
    return Subject(f"halves.glsl: {name}", plan, {"LUMA": noise(1, 1, *SIZE)}, name)
