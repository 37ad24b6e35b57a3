"""Names beside points: none on a point, on another name or outside, as long as there is room."""

from __future__ import annotations

from texelscope.pipeline.roofline.chart import Box, beside_points, free

FRAME = Box(0.0, 0.0, 400.0, 200.0)


def test_a_name_stands_at_the_right_of_its_point_where_there_is_room() -> None:
    (box,) = beside_points([(100.0, 100.0)], [(50.0, 10.0)], FRAME, 5.0)
    assert box == Box(108.0, 95.0, 158.0, 105.0)


def test_names_cover_neither_points_nor_each_other_nor_the_edge() -> None:
    points = [(390.0, 100.0), (360.0, 100.0), (355.0, 104.0), (350.0, 98.0)]
    boxes = beside_points(points, [(60.0, 12.0)] * 3, FRAME, 5.0)
    marks = [Box(x - 5.0, y - 5.0, x + 5.0, y + 5.0) for x, y in points]
    assert len(boxes) == 3
    for i, box in enumerate(boxes):
        assert box.is_inside(FRAME)
        assert not any(box.meets(other) for other in (*marks, *boxes[:i]))


def test_where_there_is_no_room_the_first_place_is_taken() -> None:
    places = [Box(0.0, 0.0, 10.0, 10.0), Box(5.0, 0.0, 15.0, 10.0)]
    assert free(places, [FRAME], FRAME) == places[0]
    assert free(places, [Box(0.0, 0.0, 5.0, 10.0)], FRAME) == places[1]
