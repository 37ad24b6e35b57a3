"""Tests a fragment's parameters as rows."""

from __future__ import annotations

from dataclasses import replace

from texelscope.pipeline.step_trace.trace import SamplerState, Trace
from texelscope.pipeline.stepping.environment import environment

TRACE = Trace("down1", (3, 4), 0, 0, (), {}, frag_coord=(3.5, 4.5, 0.5, 1.0))


def test_what_was_given_stands_under_its_heading_and_a_sampler_names_its_tensor() -> None:
    sampler = SamplerState("u_x", "k0", (128, 64), "nearest", "clamp_to_edge")
    trace = replace(TRACE, samplers=(sampler,), uniforms={"u_size": (0.1, 2.0)})
    parts = dict(environment(trace, {"u_size": "vec2"}, {"k0": "image"}))
    assert list(parts) == ["uniforms", "samplers", "the fragment"], "no constants, no heading"
    assert [(row.type, row.text, row.exact) for row in parts["uniforms"]] == [("vec2", "0.1, 2.0", "vec2(0.1, 2.0)")]
    assert (parts["samplers"][0].text, parts["samplers"][0].key) == ("image  128 × 64, nearest, clamp to edge", "k0")
    assert parts["the fragment"][0].exact == "vec4(3.5, 4.5, 0.5, 1.0)"
