"""The device and the passes' work are found out piece by piece, and a chart is there once all of it is known."""

from __future__ import annotations

import moderngl

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.roofline.peaks import PeakMeasurement
from texelscope.viewer.timing.model import Roofline

SHAPE = (1, 1, 2, 2)


def opened(gl: moderngl.Context) -> DebugSession:
    session = pipeline.open(
        model([node("Relu", "x", "y", "act")], [value("x", SHAPE)], [value("y", SHAPE)]), context=gl
    )
    session.run()
    return session


def test_nothing_is_measured_before_somebody_asks_and_another_plan_measures_nothing_again(gl: moderngl.Context) -> None:
    roofline = Roofline()
    with opened(gl) as session, opened(gl) as other:
        assert not roofline.advance(session)
        assert roofline.chart(session, {"act": 1.0}) is None
        roofline.measure(PeakMeasurement(gl, least_seconds=0.0, with_compute=False))
        steps = 0
        while roofline.is_under_way:
            assert roofline.chart(session, {"act": 1.0}) is None
            assert roofline.advance(session)
            steps += 1
        assert steps > 5  # a piece between two frames
        assert roofline.advance(session)  # the work of its passes
        assert not roofline.advance(session)
        chart = roofline.chart(session, {"act": 1.0})
        assert chart is not None
        assert roofline.chart(session, {"act": 1.0}) is chart
        assert roofline.chart(other, {"act": 1.0}) is None
        assert roofline.advance(other)
        assert not roofline.is_under_way
        assert roofline.chart(other, {"act": 2.0}) is not None
