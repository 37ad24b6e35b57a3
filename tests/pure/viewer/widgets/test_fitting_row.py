"""A row of controls gives way from its end."""

from __future__ import annotations

from texelscope.viewer.widgets.controls import RowPiece, fitting


def test_a_row_keeps_what_fits_and_room_for_the_button_to_the_rest() -> None:
    pieces = [RowPiece(100.0, lambda: None, 10.0) for _ in range(3)]
    assert [fitting(pieces, room, 30.0) for room in (320.0, 319.0, 240.0, 239.0, 130.0, 129.0, 0.0)] == [
        3, 2, 2, 1, 1, 0, 0,
    ]  # fmt: skip
