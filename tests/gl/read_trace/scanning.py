"""Records the reads of a pass with and without storage buffers, and holds one against the other."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import moderngl
import numpy as np
import pytest

from tests.faults.subjects import Subject
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.read_trace import recorder
from texelscope.pipeline.read_trace.expected import ReadTrace, taps

ELEMENTS = 3


def both(
    session: DebugSession, name: str, element: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[ReadTrace, ReadTrace]:
    """The taps with and without storage buffers."""
    (found,) = both_of_each(session, name, [element], monkeypatch)
    return found


def both_of_each(
    session: DebugSession, name: str, elements: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[ReadTrace, ReadTrace]]:
    """The taps of each element with and without storage buffers; what records them is compiled once."""
    with_buffers = [session.taps(name, element) for element in elements]
    with monkeypatch.context() as patch:
        patch.setattr(recorder, "has_buffers", lambda context: False)
        scanning = recorder.ReadRecorder(session)
        try:
            without = [taps(session, scanning, name, element) for element in elements]
        finally:
            scanning.release()
    return [*zip(with_buffers, without, strict=True)]


def assert_same(with_buffers: ReadTrace, without: ReadTrace) -> None:
    """Both have the same reads, of the same values, at the same places."""
    assert len(with_buffers.reads) == len(without.reads) > 0
    for first, second in zip(with_buffers.reads, without.reads, strict=True):
        assert (first.key, first.tx, first.ty, first.elements) == (second.key, second.tx, second.ty, second.elements)
        assert (first.site, first.on_edge, first.outside) == (second.site, second.on_edge, second.outside)
        np.testing.assert_array_equal(first.value, second.value)


def check(session: DebugSession, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the session, and checks elements of a pass drawn at random."""
    session.run()
    each = session.plan.find(name)
    assert each is not None
    count = math.prod(session.plan.textures[each.output].shape)
    chosen = random.Random(name).sample(range(count), min(count, ELEMENTS))
    for with_buffers, without in both_of_each(session, each.name, chosen, monkeypatch):
        assert_same(with_buffers, without)


def opened(subject: Subject, gl: moderngl.Context) -> DebugSession:
    """A session of the subject with its inputs."""
    session = DebugSession(subject.plan, gl)
    for key, value in subject.inputs.items():
        session.set_input(key, value)
    return session
