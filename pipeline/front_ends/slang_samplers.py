"""Keeps the samplers with which HLSL reads a texture, which OpenGL has one of for each texture.

A texture that is read with one sampler keeps its name. For each further sampler there is another uniform,
`TEXTURE_SAMPLER`, which shows the same texture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from texelscope.pipeline.front_ends.rows import Row
from texelscope.pipeline.front_ends.slang_names import without_number
from texelscope.pipeline.glsl.reserved_words import safe_name

_MADE = re.compile(r"\b(?P<kind>[iu]?sampler(?:2D|3D|2DArray))\((?P<texture>\w+),[ \t]*(?P<sampler>\w+)\)")
_DECLARED = re.compile(r".*\buniform[ \t]+[iu]?texture\w+[ \t]+(?P<name>\w+);")


@dataclass(frozen=True)
class SampledWith:
    """Names the texture that a uniform shows, and the sampler with which it is read, as the author calls them."""

    texture: str
    sampler: str


@dataclass(frozen=True)
class SampledRows:
    """Rows of Slang's text in which each texture has one sampler, and what the uniforms of GLSL show, by name."""

    rows: Sequence[Row]
    sampled: Mapping[str, SampledWith]


def with_own_samplers(rows: Sequence[Row]) -> SampledRows:
    """Returns rows in which a texture has another name for each sampler behind its first."""
    pairs = dict.fromkeys((match["texture"], match["sampler"]) for row in rows for match in _MADE.finditer(row.text))
    first: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    sampled: dict[str, SampledWith] = {}
    for texture, sampler in pairs:
        plain, its = without_number(texture), without_number(sampler)
        is_first = first.setdefault(texture, sampler) == sampler
        name = plain if is_first else f"{plain}_{its}"
        names[texture, sampler] = texture if is_first else f"{name}_0"
        sampled[safe_name(name)] = SampledWith(plain, its)
    made: list[Row] = []
    for row in rows:
        text = _MADE.sub(
            lambda match: f"{match['kind']}({names[match['texture'], match['sampler']]},{match['sampler']})",
            row.text,
        )
        made.append(replace(row, text=text))
        declared = _DECLARED.match(row.text)
        if declared is not None:
            others = (new for (texture, _), new in names.items() if texture == declared["name"] != new)
            made += [Row(re.sub(rf"\b{declared['name']}\b", new, row.text), row.place) for new in others]
    return SampledRows(made, sampled)
