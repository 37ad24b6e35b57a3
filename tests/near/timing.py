"""A pytest plug-in that writes how many seconds each test module takes: `-p tests.near.timing --seconds-file PATH`.

Processor seconds are counted, those of child processes too, because a busy machine does not change them much.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

# The attribute of a report that holds its seconds.
MARK = "processor_seconds"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds-file", type=Path, required=True, help="where the seconds of each test are written")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Clock(), "tests.near.clock")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Ledger(config.getoption("--seconds-file")), "tests.near.ledger")


def processor_seconds() -> float:
    """Seconds that this process has computed, and those of its children that it has waited for."""
    return sum(os.times()[:4])


class _Clock:
    """Marks each report with the processor seconds since the report before; lives where tests run."""

    def __init__(self) -> None:
        self._last = 0.0

    def pytest_collection_finish(self) -> None:
        self._last = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = processor_seconds()
        setattr(report, MARK, now - self._last)  # what is set so travels from a worker to the process that reports
        self._last = now
        return report


class _Ledger:
    """Adds up the reports of all workers and writes the file; lives in the process that was started."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._computed: defaultdict[str, float] = defaultdict(float)
        self._waited: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._computed[report.nodeid] += getattr(report, MARK, 0.0)
        self._waited[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        tests = {test: [self._computed[test], self._waited[test]] for test in self._computed}
        self._path.write_text(json.dumps(tests, indent=0), encoding="utf-8")
