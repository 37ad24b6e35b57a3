"""Pools over images."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.meanings.windows import pair, window_attributes
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Of the class that pools images; positions of the largest are told by their recorded values alone."""
    return (_pool,) if program.name == "Pool2DProgram" and program.kernel in ("MaxPool", "AvgPool") else ()


def _pool(step: NodeBuilder) -> None:
    """An average is one of the elements inside the image."""
    _, height, width, _ = step.shape("x")
    if step.attribute("filterSize") is None:
        raise NoMeaningError("filterSize")
    attributes = window_attributes(step, pair(step.attribute("filterSize")), (height, width))
    is_average = step.program.kernel == "AvgPool"
    attributes["count_include_pad" if is_average else "storage_order"] = 0
    op_type = "AveragePool" if is_average else "MaxPool"
    if is_average and attributes.pop("dilations") != (1, 1):  # ONNX has it from opset 19 on
        raise NoMeaningError("dilations")
    step.ends_image(step.add(op_type, step.image("x"), ceil_mode=0, **attributes))
