"""Insertions stand where they were put, in the order in which they were."""

from __future__ import annotations

from texelscope.pipeline.glsl.source_text import Edits


def test_insertions_at_one_place_keep_their_order() -> None:
    edits = Edits()
    for offset, text in ((4, "1"), (0, "("), (4, "2")):
        edits.insert(offset, text)
    assert edits.apply("ü+b".encode()) == "(ü+b12"
