"""What `make near` prints before it runs anything."""

from __future__ import annotations

from tests.near.__main__ import summary, targets
from tests.near.budget import Choice
from tests.near.ranking import Candidate, Nearness


def candidate(name: str, nearness: Nearness, seconds: float = 1.0) -> Candidate:
    """A test module of this name."""
    return Candidate(f"tests/gl/test_{name}.py", nearness, 2, seconds)


def test_it_counts_what_is_run_by_reason_and_names_the_targets_of_the_rest() -> None:
    choice = Choice(
        (candidate("a", Nearness.CHANGED), candidate("b", Nearness.DIRECT), candidate("c", Nearness.DIRECT)),
        (candidate("long", Nearness.DIRECT, 90.0), candidate("d", Nearness.FARTHER), candidate("e", Nearness.FARTHER)),
        42.0,
    )
    assert summary(["x"], choice, targets(["faults=tests/gl/test_long.py tests/gl/test_other.py"])).splitlines() == [
        "1 changed file: 3 test modules, about 42 s",
        "     1  changed tests",
        "     2  direct users of a changed file",
        "left out: 3 modules farther off or too long. They are run by make test (2), make faults (1).",
        "        tests/gl/test_long.py (direct users of a changed file, 90 s)",
        "        tests/gl/test_d.py (indirect users, 1 s)",
        "        tests/gl/test_e.py (indirect users, 1 s)",
    ]


def test_where_all_fits_nothing_is_said_of_a_rest() -> None:
    choice = Choice((candidate("a", Nearness.CHANGED),), (), 10.0)
    assert "left out" not in summary(["x", "y"], choice, {})
