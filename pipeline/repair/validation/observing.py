"""Observes on a harness where a program leaves what it indexes, and which blocks of statements it runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import UniformValue
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.programs.schema_text import TURNS, with_limited_loops
from texelscope.pipeline.repair.validation.observed_text import (
    BLOCK,
    FLAGS_AT_ONCE,
    PART,
    ObservedPlace,
    ObservedText,
    observed_text,
)


def observe(harness: Harness, text: str, turns: int) -> frozenset[ObservedPlace] | None:
    """Runs a program of the harness's pass on its present inputs and returns the places whose flags it sets.

    Its loops turn at most so often. None if the text cannot be rewritten, or the driver refuses the result.
    """
    uniforms: Mapping[str, UniformValue] = {TURNS: turns}
    is_compute = harness.shader_pass.dispatch is not None
    try:
        observed = observed_text(text, is_compute=is_compute)
        variant = harness.variant(with_limited_loops(observed.text))
    except TexelscopeError:
        return None
    try:
        if is_compute:
            found = variant.flags(uniforms, BLOCK, len(observed.places)) != 0
        else:
            found = _drawn(harness, variant, observed, uniforms)
        return frozenset(place for place, is_set in zip(observed.places, found, strict=True) if is_set)
    except TexelscopeError:
        return None
    finally:
        variant.release()


def _drawn(
    harness: Harness, variant: Variant, observed: ObservedText, uniforms: Mapping[str, UniformValue]
) -> list[bool]:
    """Draws everything, some flags at a time, and returns which were set in any texel."""
    areas = {}
    for key in harness.shader_pass.outputs:
        height, width = harness.plan.textures[key].texture_shape
        areas[key] = (0, 0, width, height)
    found: list[bool] = []
    for part in range(observed.parts):
        drawn = variant.run({**uniforms, PART: part}, areas)
        shown = np.concatenate([texels[..., 0].reshape(-1) for texels in drawn.values()])
        bits = np.bitwise_or.reduce(np.where(shown > 0.0, shown, 0.0).astype(np.int64), initial=0)
        found += [bool(bits >> number & 1) for number in range(FLAGS_AT_ONCE)]
    return found[: len(observed.places)]
