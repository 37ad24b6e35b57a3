"""The check for GL errors of `tests/gl`, and the outcomes of planted bugs, each worked out once."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import pytest

from tests.faults.fault import Fault
from tests.faults.outcome import Outcome, outcome
from tests.gl.conftest import _no_gl_error_is_left_behind

__all__ = ["_no_gl_error_is_left_behind"]


@pytest.fixture(scope="session")
def outcome_of(gl: moderngl.Context) -> Callable[[Fault], Outcome]:
    """The outcome of a fault; the second time it is remembered."""
    known: dict[str, Outcome] = {}

    def remembered(fault: Fault) -> Outcome:
        if fault.name not in known:
            known[fault.name] = outcome(fault, gl)
        return known[fault.name]

    return remembered
