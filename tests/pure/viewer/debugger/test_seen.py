"""Tests what the tables keep from frame to frame, and the origin of values in a statement's words."""

from __future__ import annotations

from texelscope.pipeline.step_trace.provenance import ProvenanceLink
from texelscope.viewer.debugger.model.seen import TableState, statement


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
