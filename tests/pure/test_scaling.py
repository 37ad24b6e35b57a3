"""How cost grows: a line through most points, and words for those that are off it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from benchmarks.scaling import Point, Series, chain, explanation, line_through, section
from benchmarks.scaling_picture import picture
from texelscope.pipeline.device import Device


def point(value: int, ms: float, **changes: object) -> Point:
    """A pass of `value` 10⁹ products on two busy cores."""
    plain = Point(value, value * 10**9, 1, 144, ms, 0.1, 50.0, 2.0, 0.0, (64, 64), 1 << 20, 1)
    return replace(plain, **changes)  # type: ignore[arg-type]


def series(*points: Point, on_cores: bool = True) -> Series:
    return Series("size", "one layer", points, line_through(points), on_cores)


def test_a_point_far_off_does_not_bend_the_line() -> None:
    points = [point(value, 2.0 + 3.0 * value) for value in (1, 2, 4, 8, 16)]
    points[3] = replace(points[3], ms=100.0)
    line = line_through(points)
    assert line.base_ms == pytest.approx(2.0)
    assert line.giga_ms == pytest.approx(3.0)


def test_no_part_of_a_line_is_below_zero() -> None:
    line = line_through([point(1, 10.0), point(2, 15.0), point(4, 20.0), point(8, 15.0)])
    assert line.base_ms >= 0.0
    assert line.giga_ms >= 0.0


def test_what_lies_on_the_line_needs_no_words() -> None:
    found = series(point(1, 3.0), point(2, 6.0), point(4, 12.5))
    assert [explanation(found, each) for each in found.points] == ["", "", ""]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cores": 1.0}, "1.0 cores are busy, in the others 2.0; its target is 64x64"),
        ({"others": 0.7}, "other programs kept 0.7 cores busy meanwhile"),
        ({"submit_ms": 18.0}, "90% of it is handing over to the driver"),
        ({"draws": 3}, "a pass takes 3 draws, in the others fewer"),
        ({"terms": 9}, "an element sums only 9 products"),
        ({}, "a busy core does 100 GFLOP/s"),
    ],
)
def test_what_was_measured_beside_it_tells_why_a_point_is_slow(changes: dict[str, object], words: str) -> None:
    off = point(2, 20.0, **changes)
    found = series(point(1, 3.0), off, point(4, 12.0), point(8, 24.0))
    assert found.line.giga_ms == pytest.approx(3.0)
    text = explanation(found, off)
    assert text.startswith("3.3 times the line: ")
    assert words in text


def test_where_a_card_computes_the_cores_say_nothing() -> None:
    off = point(2, 20.0, cores=1.0)
    found = series(point(1, 3.0), off, point(4, 12.0), point(8, 24.0), on_cores=False)
    assert explanation(found, off) == "3.3 times the line: nothing that was measured beside it tells why"


def test_what_nothing_explains_is_said_to_be_so() -> None:
    off = point(2, 8.0)
    found = series(point(1, 3.0, cores=2.6), off, point(4, 12.0, cores=1.9), point(8, 24.0, cores=2.4))
    assert explanation(found, off) == "1.3 times the line: nothing that was measured beside it tells why"


def test_a_chain_is_convolutions_one_after_another() -> None:
    graph = chain(channels=4, size=8, layers=3).graph
    assert [node.op_type for node in graph.node] == ["Conv"] * 3
    assert [node.input[0] for node in graph.node] == ["x0", "x1", "x2"]
    assert list(graph.initializer[0].dims) == [4, 4, 3, 3]


def test_the_page_has_a_table_and_the_picture_a_panel_for_each_series() -> None:
    found = series(point(1, 3.0), point(2, 6.0), point(4, 12.0))
    text = section([found, found], Device("driver", "4.5"), "auto")
    assert text.count("**Size**, one layer: 0 ms in any case and 3 ms for 10⁹ products.") == 2
    assert "| 4 | 12.00 | 12.00 |" in text
    assert "Other programs" not in text
    loud = series(point(1, 3.0), point(2, 6.0, others=1.4))
    assert "Other programs kept up to 1.4 cores busy" in section([loud], Device("driver", "4.5"), "auto")
    root = ET.fromstring(picture([("size", [(1, 3.0, 3.0), (2, 6.0, 6.0)]), ("layers", [(1, 3.0, 2.0)])]))
    assert len(root.findall(".//{*}circle")) == 3
    assert [each.text for each in root.findall(".//{*}text") if each.get("class") == "title"] == ["size", "layers"]
