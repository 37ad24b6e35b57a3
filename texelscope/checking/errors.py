"""Defines how a check fails. The text of each error is all that a person needs; attributes keep its parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texelscope.pipeline.compare.report import Report
    from texelscope.pipeline.runs.difference import RunDifference


class CheckError(AssertionError):
    """Raised by `texelscope.check` if a target is not known to be right. `files` are the reports that were written."""

    __module__ = "texelscope"  # a test's output shows this name in front of the text

    def __init__(self, text: str, report: Report | None = None, files: tuple[Path, ...] = ()) -> None:
        super().__init__(text)
        self.report = report
        self.files = files


class WrongPassError(CheckError):
    """A pass is wrong: `report` has the findings, `patch` is a unified diff of the repairs, empty without any."""

    __module__ = "texelscope"

    def __init__(self, text: str, report: Report, patch: str = "", files: tuple[Path, ...] = ()) -> None:
        super().__init__(text, report, files)
        self.patch = patch


class GoldenDiffersError(WrongPassError):
    """A run differs from its golden: `difference` compares them, and `report` compares the run with the oracle."""

    __module__ = "texelscope"

    def __init__(
        self, text: str, difference: RunDifference, report: Report, patch: str = "", files: tuple[Path, ...] = ()
    ) -> None:
        super().__init__(text, report, patch, files)
        self.difference = difference


class NotComparedError(CheckError):
    """The target could not run, or nothing of it could be compared: the text says why."""

    __module__ = "texelscope"
