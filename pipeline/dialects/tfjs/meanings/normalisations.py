"""Batch normalisation with statistics that a model learnt."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Of the classes that normalise images by channel."""
    return (_normalised,) if program.name in ("BatchNormProgram", "BatchNormPackedProgram") else ()


def _normalised(step: NodeBuilder) -> None:
    shape = step.shape("x")
    channels = shape[-1]
    if len(shape) != IMAGE_RANK or any(math.prod(step.shape(each)) != channels for each in ("mean", "variance")):
        raise NoMeaningError("x")

    def vector(uniform: str, otherwise: float) -> str:
        if step.program.read(uniform) is None:
            return step.constant(np.full(channels, otherwise, dtype=np.float32))
        return step.reshaped(step.plain(uniform), (channels,))

    parameters = vector("scale", 1.0), vector("offset", 0.0), vector("mean", 0.0), vector("variance", 1.0)
    epsilon = float(step.attribute("varianceEpsilon") or 1e-3)
    step.ends_image(
        step.add("BatchNormalization", step.image("x"), *parameters, epsilon=epsilon, momentum=0.9, training_mode=0)
    )
