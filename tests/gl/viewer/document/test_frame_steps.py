"""Tests frames of the open target: the next one, frame 0 again, one for each played picture."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from tests.automata import write
from tests.gl.frames.test_comparing import SUM_ORACLE
from tests.gl.frames.test_running import ADD, SUM
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog

TOML = SUM.replace("[pipeline]", '[pipeline]\noracle = "oracle.py"').replace("u_rate = 1", 'u_rate = "frame"')
FILES = {"add.frag": ADD, "oracle.py": SUM_ORACLE}


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


@pytest.fixture
def document(gl: moderngl.Context, log: MessageLog, tmp_path: Path) -> Iterator[Document]:
    """A sum that grows by the number of the frame, run and compared in frame 0."""
    opened = Document(gl, log, lambda: None)
    opened.open(Target(str(write(tmp_path, TOML, FILES, {})), OpenOptions(trust=True)))
    settle(opened)
    yield opened
    opened.close()


def settle(document: Document) -> None:
    end = time.monotonic() + 30.0
    while not (document.settled and document.is_compared) and time.monotonic() < end:
        document.update()
        document.run.advance(1000.0)
        time.sleep(0.002)
    assert document.is_compared


def number_and_sum(document: Document) -> tuple[int, float]:
    assert document.session is not None
    return document.session.frame, float(document.session.tensor("sum").max())


def verdict(document: Document) -> str:
    assert document.comparison is not None
    return document.comparison.verdict


def test_each_frame_is_compared_with_its_own_uniforms(document: Document) -> None:
    for frame, total in enumerate((1.0, 3.0, 6.0), 1):
        document.next_frame()
        assert not document.is_compared
        settle(document)
        assert number_and_sum(document) == (frame, total)
        assert verdict(document) == "match"


def test_frame_0_runs_again_after_a_restart(document: Document) -> None:
    document.next_frame()
    settle(document)
    document.restart()
    settle(document)
    assert number_and_sum(document) == (0, 0.0)
    assert verdict(document) == "match"


def test_a_played_picture_is_that_of_the_next_frame(document: Document) -> None:
    assert document.set_input("more", "zeros", quietly=True)
    document.run.rest()
    settle(document)
    assert number_and_sum(document) == (1, 0.0)
    assert document.set_input("more", "ones")
    settle(document)
    assert number_and_sum(document) == (1, 1.0)


def test_a_continuous_run_stops_where_the_state_is_not_computed(document: Document, log: MessageLog) -> None:
    assert document.session is not None
    document.session.restart()
    document.run.continuous = True
    document.run.advance(1000.0)
    assert not document.run.continuous
    assert log.entries[-1].text.startswith("frame 1: expected 'sum' of frame 0, got one that was not computed.")


def test_a_uniform_that_is_saved_in_the_file_reaches_the_oracle(document: Document, tmp_path: Path) -> None:
    document.next_frame()
    settle(document)
    write(tmp_path, TOML.replace('u_rate = "frame"', 'u_rate = "frame * 3"'), FILES, {})
    document.reload()
    settle(document)
    assert number_and_sum(document) == (1, 3.0)
    assert verdict(document) == "match"
