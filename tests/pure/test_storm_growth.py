"""Tests that a storm distinguishes what a window keeps permanently from what it has for a moment."""

from __future__ import annotations

from tests.events.growth import growth
from tests.events.storm import Checkpoint


def storm(mib: list[float], programs: list[int]) -> list[Checkpoint]:
    """Returns a checkpoint after each thousand events, from the fifth on."""
    return [
        Checkpoint(1000 * number, each, {"programs": count}, 0.1)
        for number, (each, count) in enumerate(zip(mib, programs, strict=True), 5)
    ]


def test_what_goes_up_and_down_has_not_grown() -> None:
    mib = [337.0, 335, 340, 342, 346, 343, 344, 344, 345, 349, 344]
    assert growth(storm(mib, [15, 13, 12, 11, 14, 11, 13, 14, 13, 12, 12])) == []


def test_a_little_more_after_each_thousand_events_is_told() -> None:
    """0.8 MiB of 340, a quarter of a per cent, among swings of several times that."""
    swings = [0.0, 3, -4, 2, 5, -5, 2, -1, 4, 6, -3, 1, 5, -4, 2, 0]
    mib = [340 + 0.8 * number + swing for number, swing in enumerate(swings)]
    assert growth(storm(mib, [13] * 16)) == ["resident MiB: 344 after 5,000 events and on, 352 until 20,000"]


def test_one_program_more_that_stays_is_told() -> None:
    assert growth(storm([340] * 16, [13] * 8 + [14] * 8)) == ["programs: 13 after 5,000 events and on, 14 until 20,000"]
