"""Reads without effect are not called wrong, and those with one are."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.faults import models
from tests.faults.changes import Edit, Padding
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions
from tests.faults.subjects import Subject
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.read_trace import effective_reads, recorder

BOUNDS = "if (at.x < 0.0 || at.y < 0.0 || at.x >= u_in_tile.x || at.y >= u_in_tile.y) continue;"


@pytest.mark.parametrize("with_buffers", [True, False])
def test_weights_read_beyond_the_border_and_multiplied_by_zero_are_idle(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, with_buffers: bool
) -> None:
    if not with_buffers:
        monkeypatch.setattr(recorder, "has_buffers", lambda context: False)
    subject = convolutions.conv_rgba(models.conv((1, 6, 7, 7), 9, 3))
    with opened(subject, gl) as session:
        before = {sampler.key: session.texels(sampler.key) for sampler in session.plan.passes[0].samplers}
        taps = session.taps("y", (0, 4, 0, 0))
        for key, texels in before.items():
            np.testing.assert_array_equal(session.texels(key), texels)
    assert taps.unexpected() == {}
    assert len(taps.idle["w"]) > 0
    assert not any(taps.is_wrong(tap) for tap in taps.reads)


def test_padding_that_holds_something_is_called_wrong(gl: moderngl.Context) -> None:
    fault = Fault("", "", convolutions.conv_rgba, (Padding("x", 0.7), Padding("w", 0.5)))
    with fault.plant(gl).session as session:
        taps = session.taps("y", (0, 4, 3, 3))
    assert taps.unexpected() == {}
    assert len(taps.padding["x"]) == 9
    assert sum(taps.is_wrong(tap) for tap in taps.reads if tap.key == "x") >= 9


def test_reads_across_the_border_of_a_tile_are_called_wrong(gl: moderngl.Context) -> None:
    fault = Fault("", "", convolutions.conv_tiles, (Edit(BOUNDS, ""),))
    with fault.plant(gl).session as session:
        inside, corner = session.taps("y", (0, 1, 2, 2)), session.taps("y", (0, 1, 0, 4))
    assert inside.unexpected() == {}
    assert len(corner.unexpected()["x"]) > 0
    # Five channels in a grid of three by two: to the right of the last there is a tile that holds none.
    assert len(corner.padding["x"]) > 0
    assert {(tap.tx, tap.ty) for tap in corner.reads if tap.key == "x" and tap.padding} == corner.padding["x"]


def test_more_than_can_be_told_apart_counts_as_having_an_effect(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effective_reads, "MOST_LANES", 3)
    with opened(convolutions.conv_rgba(models.conv((1, 6, 7, 7), 9, 3)), gl) as session:
        assert len(session.taps("y", (0, 4, 0, 0)).unexpected()["w"]) > 3


def opened(subject: Subject, gl: moderngl.Context) -> DebugSession:
    session = DebugSession(subject.plan, gl)
    for key, value in subject.inputs.items():
        session.set_input(key, value)
    session.run()
    return session
