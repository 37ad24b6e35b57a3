"""Tests that only the visible part of a long list is drawn, where it would stand if all were."""

from __future__ import annotations

from texelscope.viewer.log.panel import TallList


def test_those_in_sight_are_told_by_their_heights() -> None:
    shown: TallList[str] = TallList()
    shown.update(["a", "bb", "c", "ddd"], 100.0, lambda entry: 10.0 * len(entry))
    assert shown.height == 70.0
    assert [shown.top(number) for number in range(4)] == [0.0, 10.0, 30.0, 40.0]
    assert shown.within(0.0, 10.0) == range(1)
    assert shown.within(5.0, 35.0) == range(3)
    assert shown.within(30.0, 500.0) == range(2, 4)
    assert shown.within(-20.0, -5.0) == range(0)


def test_entries_are_measured_once_however_they_come_and_go() -> None:
    measured: list[str] = []

    def height_of(entry: str) -> float:
        measured.append(entry)
        return 10.0

    entries = [f"line {number}" for number in range(4)]
    shown: TallList[str] = TallList()
    shown.update(entries, 100.0, height_of)
    entries = [*entries[2:], "line 4"]
    shown.update(entries, 100.0, height_of)
    assert shown.height == 30.0
    assert measured == [f"line {number}" for number in range(5)]
    shown.update([], 100.0, height_of)
    assert (shown.height, list(shown.within(0.0, 50.0))) == (0.0, [])
    shown.update(entries, 50.0, height_of)
    assert measured[5:] == entries
