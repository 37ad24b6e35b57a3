"""docs/drivers.md has each driver that is tried; its rows say what was seen, and what is missing."""

from __future__ import annotations

from tests.checkout import ROOT
from tests.drivers.catalogue import Driver, catalogue
from tests.drivers.page import Row, page
from tests.drivers.trials import Result


def test_the_page_has_a_row_for_each_driver() -> None:
    lines = (ROOT / "docs" / "drivers.md").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("|")]
    for driver in catalogue():
        assert f"{driver.name}: {driver.says}" in rows
        assert driver.name in rows, "how to choose it"


def test_a_result_that_is_not_the_expected_one_is_marked() -> None:
    results = {"demo": Result("30 of 30 match", passed=True, seconds=2.04), "`step`": Result("12", False, 1.0)}
    text = page([Row(Driver("a", "of one kind"), "A 1|2", results)])
    assert "| a: of one kind | A 1/2 | 30 of 30 match (2.0 s) | **no**: 12 (1.0 s) |" in text


def test_a_driver_that_cannot_be_had_shows_the_reason() -> None:
    there = Row(Driver("a", "of one kind"), "A", {"demo": Result("30 of 30 match", passed=True, seconds=2.0)})
    missing = Row(Driver("b", "of another"), "", {}, "expected a context, got none. Do this.")
    assert "| b: of another |  | expected a context, got none. Do this. |" in page([there, missing])
    assert not missing.passed
