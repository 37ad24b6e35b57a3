"""While frame follows frame: what was known of the last one stays, and is all of one frame."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope.pipeline.target import Target
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog

MODEL = ROOT / "examples" / "convolution_twice" / "model.onnx"


@pytest.fixture
def document(gl: moderngl.Context) -> Iterator[Document]:
    """Returns a small model, run and compared on ones."""
    document = Document(gl, MessageLog(), lambda: None)
    document.open(Target(str(MODEL), inputs={"image": "ones"}))
    settle(document)
    yield document
    document.close()


def settle(document: Document) -> None:
    end = time.monotonic() + 30.0
    while not (document.settled and document.is_compared) and time.monotonic() < end:
        document.run.advance(1000.0)
        document.update()
        time.sleep(0.002)
    assert document.is_compared


def test_what_was_known_of_the_last_frame_stays_until_the_next_is_compared(document: Document) -> None:
    last = document.values("y")
    assert document.set_input("image", "random:1", quietly=True)
    assert document.has_current_verdicts
    report = document.report_of("relu")
    assert report is not None
    assert report.verdict == "match"
    assert document.values("y") is last, "of the frame that the oracle's value is of"
    while document.run.is_under_way:
        document.run.advance(1000.0)
    assert document.values("y") is last
    document.run.rest()
    settle(document)
    now = document.values("y")
    assert now is not None
    assert last is not None
    assert not np.array_equal(now, last)


def test_an_input_that_is_set_once_leaves_nothing_of_the_one_before(document: Document) -> None:
    assert document.set_input("image", "random:1")
    assert not document.has_current_verdicts
    assert document.report_of("relu") is None
    assert document.values("y") is None


def test_a_document_opens_on_a_picture_that_lies_beside_it(gl: moderngl.Context) -> None:
    document = Document(gl, MessageLog(), lambda: None)
    try:
        document.open(Target(str(MODEL)))
        settle(document)
        assert document.target is not None
        assert Path(document.target.inputs["image"]).name == "house.png"
    finally:
        document.close()
