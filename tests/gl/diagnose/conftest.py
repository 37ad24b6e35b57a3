"""Diagnosis and repair count work here instead of time, so that nothing is late on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.work_clock import WorkClock, counting_work


@pytest.fixture(autouse=True)
def work() -> Iterator[WorkClock]:
    """The clock of a test."""
    with counting_work() as clock:
        yield clock
