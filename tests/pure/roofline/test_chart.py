"""Tests the roofline as data, and as a picture inside a page."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.export.roofline_svg import svg
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.roofline.chart import MOST_NAMES, Axis, Chart, Roof, chart_of, roof_text, tick_text
from texelscope.pipeline.roofline.peaks import FillRates, Peaks, Rates
from texelscope.pipeline.roofline.work import work_of

FILL = FillRates(2.0, 0.5, 4.0, 1.0)
PEAKS = Peaks(Rates(100.0, 8.0, 1.0, FILL), Rates(1000.0, 80.0, 10.0, FILL))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    names = ["c", *(f"<r{i}>" for i in range(8))]
    made = model(
        [
            node("Conv", "x w", "c", "conv"),
            *(node("Relu", f"{a}", f"{b}", b) for a, b in pairwise(names)),
        ],
        outputs=[value(names[-1], None)],
        weights={"w": array(4, 3, 3, 3)},
    )
    path: Path = tmp_path_factory.mktemp("chart") / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return pipeline.plan_of(path, layout="channel_tiles")


@pytest.fixture
def chart(plan: Plan) -> Chart:
    found = chart_of(plan, {each.name: 1.0 + i for i, each in enumerate(plan.passes)}, PEAKS)
    assert found is not None
    return found


def test_a_pass_stands_at_its_work_and_its_speed(plan: Plan, chart: Chart) -> None:
    conv = next(point for point in chart.points if point.name == "conv")
    work = work_of(plan, plan.pass_called("conv"))
    assert work.operations is not None
    assert conv.intensity == pytest.approx(work.operations / work.bytes)
    assert conv.gflops == pytest.approx(work.operations / 1.0 / 1e6)  # a millisecond
    assert conv.is_counted
    assert conv.limited_by == "reads"
    assert "of its limit by reads" in conv.text


def test_a_pass_that_only_moves_bytes_stands_at_one_operation_an_element(plan: Plan, chart: Chart) -> None:
    act = chart.points[0]
    assert not act.is_counted
    assert act.intensity == pytest.approx(work_of(plan, plan.pass_called(act.name)).elements / (2 * 4 * 4 * 6 * 6))


def test_the_slowest_are_named_and_those_without_a_time_are_left_out(plan: Plan, chart: Chart) -> None:
    assert [point.gpu_ms for point in chart.named] == [9.0, 8.0, 7.0, 6.0, 5.0]
    assert chart_of(plan, {}, PEAKS) is None
    only = chart_of(plan, {"conv": 1.0, plan.passes[1].name: None}, PEAKS)
    assert only is not None
    assert [point.name for point in only.points] == ["conv"]


def test_the_axes_hold_every_point_and_every_peak(chart: Chart) -> None:
    for point in chart.points:
        assert chart.x.low <= point.intensity <= chart.x.high
        assert chart.y.low <= point.gflops <= point.limit_gflops <= chart.y.high
    assert chart.y.high >= 1000.0


def test_ticks_are_powers_of_ten_that_people_read() -> None:
    assert Axis(0.01, 100.0).ticks() == pytest.approx((0.01, 0.1, 1.0, 10.0, 100.0))
    assert len(Axis(1e-6, 1e6).ticks()) <= 9
    assert [tick_text(tick) for tick in (0.001, 0.1, 1.0, 1000.0)] == ["0.001", "0.1", "1", "1,000"]
    assert (Axis(1.0, 100.0).share(10.0), Axis(1.0, 100.0).share(1e9)) == (0.5, 1.0)


def test_lines_say_what_they_are(chart: Chart) -> None:
    assert [roof_text(roof) for roof in chart.roofs] == [
        "fragments 100 GFLOP/s",
        "compute 1,000 GFLOP/s",
        "reads, memory 8 GB/s",
        "reads, caches 16 GB/s",
        "writes 8 GB/s",
    ]
    assert chart.roofs[2].at(2.0) == 16.0
    assert roof_text(Roof("reads", gbytes=8130.4)) == "reads 8,130 GB/s"


def test_the_picture_is_sound_inside_its_frame_and_escapes_names(chart: Chart) -> None:
    picture = svg(chart)
    root = ET.fromstring(picture)
    circles = root.findall("circle")
    assert len(circles) == len(chart.points)
    assert all("<" not in (circle.findtext("title") or "<").replace("<r", "") for circle in circles)
    assert "&lt;r7&gt;" in picture
    assert "<script" not in picture
    names = [each for each in root.findall("text") if each.get("class") == "pass-name"]
    assert len(names) == MOST_NAMES
    numbers = [float(number) for number in re.findall(r'\s[xy]\d?="(-?[\d.]+)"', picture)]
    assert all(0.0 <= number <= 920.0 for number in numbers)
    places = [(float(each.get("x", "")), float(each.get("y", ""))) for each in names]
    assert len(set(places)) == MOST_NAMES  # none on another
