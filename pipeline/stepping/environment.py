"""Lists what a fragment was given: uniforms, samplers, constants, its coordinates; as rows of name, type and value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.step_trace.trace import Number, SamplerState, Trace
from texelscope.pipeline.stepping.numbers import exact_text, lanes_text


@dataclass(frozen=True)
class GivenValue:
    """One thing that the fragment was given: its value in short, exactly, and for a sampler the texture's key."""

    name: str
    type: str
    text: str
    exact: str
    key: str = ""


# A heading and the rows below it.
Part = tuple[str, tuple[GivenValue, ...]]


def environment(trace: Trace, types: Mapping[str, str], tensors: Mapping[str, str]) -> tuple[Part, ...]:
    """Returns the rows by heading; parts without a row are left out.

    `types` are those that the text declares, by name; `tensors` name what each texture's key holds.
    """
    coordinates = _value("gl_FragCoord", "vec4", trace.frag_coord)
    parts = (
        ("uniforms", tuple(_value(name, types.get(name, ""), each) for name, each in trace.uniforms.items())),
        ("samplers", tuple(_sampler(each, tensors.get(each.key, each.key)) for each in trace.samplers)),
        ("constants", tuple(_value(name, types.get(name, ""), each) for name, each in trace.constants.items())),
        ("the fragment", (coordinates,) if trace.invocation is None else ()),
    )
    return tuple(part for part in parts if part[1])


def _value(name: str, type_name: str, value: Sequence[Number]) -> GivenValue:
    return GivenValue(name, type_name, lanes_text(type_name, value), exact_text(type_name, value))


def _sampler(each: SamplerState, tensor: str) -> GivenValue:
    width, height = each.size
    text = f"{tensor}  {width} × {height}, {each.filter}, {each.wrap.replace('_', ' ')}"
    return GivenValue(
        each.uniform, "sampler", text, f"reads {tensor}, {width} × {height} texels, {text.split('  ')[1]}", each.key
    )
