"""Images resized."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """By the kernel; of the nearest element TensorFlow.js takes the floor, or rounds where corners are aligned."""
    if program.name.startswith("ResizeBilinear") and program.kernel == "ResizeBilinear":
        return (_linear,)
    is_nearest = program.name.startswith("ResizeNearestNeighbor") and program.kernel == "ResizeNearestNeighbor"
    return (_nearest,) if is_nearest else ()


def _linear(step: NodeBuilder) -> None:
    _resized(step, "linear", "round_prefer_floor")


def _nearest(step: NodeBuilder) -> None:
    _resized(step, "nearest", "round_prefer_ceil" if step.attribute("alignCorners") else "floor")


def _resized(step: NodeBuilder, mode: str, nearest: str) -> None:
    by_half, by_corners = step.attribute("halfPixelCenters"), step.attribute("alignCorners")
    batch, height, width, channels = step.output_shape
    y = step.add(
        "Resize", step.image(step.program.reads[0].uniform), "", "", step.whole(batch, channels, height, width),
        coordinate_transformation_mode="align_corners" if by_corners else "half_pixel" if by_half else "asymmetric",
        mode=mode, nearest_mode=nearest, antialias=0, cubic_coeff_a=-0.75, exclude_outside=0,
        extrapolation_value=0.0, keep_aspect_ratio_policy="stretch",
    )  # fmt: skip
    step.ends_image(y)
