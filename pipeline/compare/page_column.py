"""Places a recorded value, the page's, beside this device's and the meaning's: which of the three agree.

A recorded program may be wrong in its release. Then the device, which runs the same text, gives what the page gave,
and neither is what the kernel means. Only the meaning can say so: a recording is never its own oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import measure, rounding, rounding_by_storage
from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.report import Figures, PageColumn, PassReport, Verdict
from texelscope.pipeline.compare.verdicts import verdict_of
from texelscope.pipeline.operators.families.recorded import ALIKE, difference
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, StoredTensor, Tolerance
from texelscope.pipeline.recorded_run import RecordedRun

# Gives what a pass should have computed from its inputs in a capture.
Isolated = Callable[[Pass, StoredTensor, Capture], Expected | None]
_RIGHT: frozenset[Verdict] = frozenset({"match", "precision"})
# Verdicts that a wrong program of the page may have here; other wrong ones are this run's alone.
_WRONG: frozenset[Verdict] = frozenset({"mismatch", "nan"})

# Two roundings to half precision, over the largest value.
_ALIKE_STORED = 2e-3


@dataclass(frozen=True)
class DeviceColumn:
    """Holds one output of a pass on this device: its values, the meaning of its inputs, and the report so far."""

    shader_pass: Pass
    stored: StoredTensor
    capture: Capture
    meaning: Expected
    tolerance: Tolerance | None
    report: PassReport


class PageJudge:
    """Adds the page's column to reports on the passes of one plan. What the page's values are is judged once."""

    def __init__(self, plan: Plan, isolated: Isolated) -> None:
        self._plan = plan
        self._isolated = isolated
        self._known: dict[tuple[str, Tolerance | None], tuple[Figures, bool]] = {}

    def judged(self, device: DeviceColumn) -> PassReport:
        """Returns the report with the page's column, its words, and the verdict that follows from all three."""
        report, recorded = device.report, self._plan.recorded
        if recorded is None or device.shader_pass.oracle != "meaning" or device.stored.key not in recorded.values:
            return report
        page = recorded.values[device.stored.key]
        figures, page_is_right = self._of_page(device, recorded, page)
        device_is_right = report.verdict in _RIGHT
        same_inputs = self._has_its_inputs(device, recorded)
        column = PageColumn("neither", figures, same_inputs)
        if page_is_right:
            column = replace(column, agrees_with="both" if device_is_right else "meaning")
        elif report.verdict in _WRONG and same_inputs and _is_reproduced(device, page):
            column = replace(column, agrees_with="device")
            report = replace(report, verdict="not_its_meaning")
        said = _words(column, device, recorded, device_is_right=device_is_right)
        return replace(report, page=column, message=f"{said} {report.message}".strip())

    def _of_page(self, device: DeviceColumn, recorded: RecordedRun, page: NDArray[np.float32]) -> tuple[Figures, bool]:
        """Returns the page's figures on its own inputs, and whether they are right.

        Values that are right for the inputs here, which differ by rounding, need no second oracle.
        """
        figures = measure(page, device.meaning, device.tolerance)
        if figures.mismatched == 0:
            return figures, True
        known = device.stored.key, device.tolerance
        if known not in self._known:
            there = replace(device.capture, tensors=MappingProxyType(dict(recorded.values)))
            meaning = self._isolated(device.shader_pass, device.stored, there)
            meaning = device.meaning if meaning is None else meaning
            figures = measure(page, meaning, device.tolerance)
            verdict = verdict_of(page, meaning, figures, device.stored, device.tolerance)
            self._known[known] = figures, verdict in _RIGHT
        return self._known[known]

    def _has_its_inputs(self, device: DeviceColumn, recorded: RecordedRun) -> bool:
        return all(
            difference(device.capture.tensors[key], recorded.values[key]) <= self._alike(key)
            for key in device.shader_pass.reads
            if key in device.capture.tensors and key in recorded.values
        )

    def _alike(self, key: str) -> float:
        """Returns up to which difference a tensor has the page's values: drivers round stored numbers as they like."""
        return ALIKE if self._plan.textures[key].storage == "float32" else _ALIKE_STORED


def _is_reproduced(device: DeviceColumn, page: NDArray[np.float32]) -> bool:
    """Whether the page has the device's values, within rounding: wrong where these are wrong, right elsewhere."""
    bound, want = rounding(device.meaning), np.asarray(device.meaning.value, dtype=np.float64)
    if device.tolerance is not None:
        bound = device.tolerance.atol + device.tolerance.rtol * np.abs(want)
    elif device.stored.storage != "float32":
        bound = bound + rounding_by_storage(device.meaning, device.stored)
    actual = device.capture.tensors[device.stored.key]
    return Judge(actual, want, np.broadcast_to(bound, actual.shape)).reproduces(page).is_whole


def _words(column: PageColumn, device: DeviceColumn, recorded: RecordedRun, *, device_is_right: bool) -> str:
    """Says in words how the three values agree and part; empty where they all agree."""
    meant = f"what {recorded.called.get(device.stored.key) or device.report.operator} means"
    off = f"off by up to {column.isolated.max_abs:.3g}"
    if column.agrees_with == "both":
        return ""
    if column.agrees_with == "device":
        storage = device.stored.storage
        also = "" if storage == "float32" else f", or its result does not fit into {storage}"
        where = f"the program is wrong in {recorded.engine}{also}"
        return f"Not {meant}: this device and the page agree, {off}, so {where}."
    if device_is_right:
        return (
            f"The values here are {meant}, the page's are not ({off}): it ran another program, or its driver "
            "computes otherwise."
        )
    if column.agrees_with == "meaning":
        return (
            f"The page's values are {meant}, the values here are not: the program was changed, or this driver "
            "computes otherwise."
        )
    if not column.same_inputs:
        return f"On the page, with other inputs than here, the values were not {meant} either ({off})."
    return f"Neither the values here nor the page's ({off}) are {meant}, and they differ from each other."
