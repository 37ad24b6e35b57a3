"""Gives the uniforms that an engine supplies their values: those that follow from a pass's textures, and fixed ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from texelscope.pipeline.glsl.authored.shadertoy import SuppliedUniform
from texelscope.pipeline.plan import StoredTensor, UniformValue

# What ShaderToy shows at 60 frames a second, with sound of 44,100 samples.
_FIXED: Mapping[str, UniformValue] = {"iTimeDelta": 1.0 / 60.0, "iFrameRate": 60.0, "iSampleRate": 44100.0}
# What ShaderToy changes from frame to frame, as expressions.
_BY_FRAME: Mapping[str, str] = {"iTime": "time", "iGlobalTime": "time", "iFrame": "frame", "iMouse": "mouse"}
# A triangle that covers the target is in clip space as it is.
_IDENTITY: Mapping[str, UniformValue] = {
    f"mat{size}": tuple(float(row == column) for column in range(size) for row in range(size)) for size in (3, 4)
}


def supplied_values(
    supplied: Collection[SuppliedUniform], output: StoredTensor | None, bound: Mapping[str, StoredTensor | None]
) -> dict[str, UniformValue]:
    """Returns the values that are known: of the `output`'s and the `bound` textures' sizes."""
    found: dict[str, UniformValue] = {}
    for each in supplied:
        if each.name == "iResolution" and output is not None:
            found[each.name] = _resolution(output)
        elif each.name == "iChannelResolution":
            channels = (bound.get(f"iChannel{number}") for number in range(each.count))
            found[each.name] = tuple(number for stored in channels for number in _resolution(stored))
        elif each.name in _FIXED:
            found[each.name] = _FIXED[each.name]
        elif each.type in _IDENTITY:
            found[each.name] = _IDENTITY[each.type]
    return found


def supplied_expressions(supplied: Collection[SuppliedUniform]) -> dict[str, str]:
    """Returns the expressions of those that change from frame to frame, by name."""
    return {each.name: _BY_FRAME[each.name] for each in supplied if each.name in _BY_FRAME}


def _resolution(stored: StoredTensor | None) -> tuple[float, float, float]:
    """Returns the width and height in texels, and the ratio of a pixel's sides."""
    if stored is None:
        return 0.0, 0.0, 0.0
    height, width = stored.texture_shape
    return float(width), float(height), 1.0
