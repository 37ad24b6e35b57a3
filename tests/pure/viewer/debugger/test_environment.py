"""Tests a fragment's parameters as rows, and the origin of values in a statement's words."""

from __future__ import annotations

from dataclasses import replace

from texelscope.pipeline.step_trace.provenance import ProvenanceLink
from texelscope.pipeline.step_trace.trace import SamplerState, Trace
from texelscope.viewer.debugger.model.environment import environment
from texelscope.viewer.debugger.model.seen import TableState, statement

TRACE = Trace("down1", (3, 4), 0, 0, (), {}, frag_coord=(3.5, 4.5, 0.5, 1.0))


def test_what_was_given_stands_under_its_heading_and_a_sampler_names_its_tensor() -> None:
    sampler = SamplerState("u_x", "k0", (128, 64), "nearest", "clamp_to_edge")
    trace = replace(TRACE, samplers=(sampler,), uniforms={"u_size": (0.1, 2.0)})
    parts = dict(environment(trace, {"u_size": "vec2"}, {"k0": "image"}))
    assert list(parts) == ["uniforms", "samplers", "the fragment"], "no constants, no heading"
    assert [(row.type, row.text, row.exact) for row in parts["uniforms"]] == [("vec2", "0.1, 2.0", "vec2(0.1, 2.0)")]
    assert (parts["samplers"][0].text, parts["samplers"][0].key) == ("image  128 × 64, nearest, clamp to edge", "k0")
    assert parts["the fragment"][0].exact == "vec4(3.5, 4.5, 0.5, 1.0)"


def test_a_link_is_its_statement_without_the_type_that_it_declares() -> None:
    def said(text: str) -> str:
        return statement(ProvenanceLink("v", text, ("a", 1), 0, (1.0,)))

    assert said("vec2 at = position + 1.0") == "at = position + 1.0"
    assert said("const highp float w[2] = float[2](a, b)") == "w[2] = float[2](a, b)"
    assert said("sum += x * w") == "sum += x * w"
    assert said("return v") == "return v"
    assert said("") == "v"


def test_what_the_mouse_is_over_stays_lit_for_the_next_frame_alone() -> None:
    looking = TableState()
    looking.light("image", (1, 2), 10)
    assert [looking.lit_at(frame) for frame in (10, 11, 12)] == [("image", (1, 2)), ("image", (1, 2)), None]
