"""The check for GL errors of `tests/gl`, a clock that counts work, and the outcomes of planted bugs, each once."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator

import moderngl
import pytest

from tests.faults.fault import Fault
from tests.faults.outcome import Outcome, outcome
from tests.gl.conftest import no_gl_error_is_left_behind
from tests.work_clock import WorkClock, counting_work

__all__ = ["no_gl_error_is_left_behind"]


@pytest.fixture(autouse=True)
def work() -> Iterator[WorkClock]:
    """Diagnosis and repair count work instead of time, so that nothing is late on a busy machine."""
    with counting_work() as clock:
        yield clock


@pytest.fixture(scope="session")
def outcome_of(gl: moderngl.Context, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Fault], Outcome]:
    """The outcome of a fault; the second time it is remembered, by all processes of one run."""
    known: dict[str, Outcome] = {}
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder

    def remembered(fault: Fault) -> Outcome:
        if fault.name not in known:
            file = shared / f"outcome-{hashlib.sha256(fault.name.encode()).hexdigest()}"
            if not file.exists():
                found = outcome(fault, gl)
                part = file.with_suffix(f".{os.getpid()}")
                part.write_bytes(
                    pickle.dumps((found.verdict, found.findings, found.lines, found.seconds, found.changed))
                )
                part.rename(file)
            known[fault.name] = Outcome(fault, *pickle.loads(file.read_bytes()))
        return known[fault.name]

    return remembered
