"""Compares the passes of a run with untranslated runs of the same passes: a third value beside the oracle's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import measure
from texelscope.pipeline.compare.report import Agrees, NativeColumn, PassReport, Report
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.native.call import NativeRun
from texelscope.pipeline.native.calls import PassCall, calls_of, is_native, numbers_of
from texelscope.pipeline.native.webgpu import run_apart
from texelscope.pipeline.operators.families.recorded import ALIKE, difference
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan, Tolerance

_WRONG = frozenset({"mismatch", "nan"})


def with_native(
    report: Report,
    plan: Plan,
    capture: Capture,
    expected: Mapping[str, Expected],
    tolerances: Mapping[str, Tolerance],
) -> Report:
    """Returns the report with the native column of its passes in WGSL; `expected` is by key what they should give.

    Raises TexelscopeError where nothing can run natively here.
    """
    if not any(is_native(each) for each in plan.passes):
        raise TexelscopeError("--native", "a target with compute shaders in WGSL", f"'{plan.name}'", "Leave it out.")
    values = _values(plan, capture)
    calls = [each for each in calls_of(plan, values) if each.name not in capture.errors]
    runnable = [each for each in calls if each.call is not None]
    run = run_apart([each.call for each in runnable if each.call is not None]) if runnable else NativeRun("", ())
    columns = {each.name: NativeColumn("", "not_run", not_run=each.error) for each in calls if each.call is None}
    for each, result in zip(runnable, run.results, strict=True):
        if result.error:
            columns[each.name] = NativeColumn(run.device, "not_run", not_run=result.error)
        else:
            own = tolerances.get(each.name)
            columns[each.name] = _column(run.device, each, result.data, plan, capture, expected, own)
    return replace(report, passes=tuple(_with(each, columns.get(each.name)) for each in report.passes))


def _values(plan: Plan, capture: Capture) -> dict[str, NDArray[np.float32]]:
    """Returns the values of a run's tensors, constants too, by key."""
    constants = {**(plan.graph.constants if plan.graph is not None else {}), **plan.constants}
    known = {
        key: np.asarray(constants[stored.tensor], dtype=np.float32)
        for key, stored in plan.textures.items()
        if stored.tensor in constants
    }
    return {**known, **capture.tensors}


def _column(
    device: str,
    call: PassCall,
    data: tuple[bytes, ...],
    plan: Plan,
    capture: Capture,
    expected: Mapping[str, Expected],
    tolerance: Tolerance | None,
) -> NativeColumn:
    """Returns the column of one pass, of whose outputs the one that differs most counts."""
    found = NativeColumn(device, "equal")
    for binding, held in zip(call.outputs, data, strict=True):
        if binding.key not in capture.tensors:
            continue
        here, there = capture.tensors[binding.key], numbers_of(held, binding, plan.textures[binding.key])
        is_same = np.equal(here, there) | (np.isnan(here) & np.isnan(there))
        meant = expected.get(binding.key)
        figures = None if meant is None else measure(there, meant, tolerance)
        unequal = int(is_same.size - np.count_nonzero(is_same))
        if unequal or found.isolated is None:
            with np.errstate(invalid="ignore"):
                apart = float(np.nanmax(np.where(is_same, 0.0, np.abs(here.astype(np.float64) - there)), initial=0.0))
            is_within = difference(there, here) <= ALIKE
            if figures is not None and meant is not None:
                is_within = (figures.mismatched == 0) == (measure(here, meant, tolerance).mismatched == 0) and is_within
            agrees: Agrees = "equal" if not unequal else "within" if is_within else "differs"
            found = NativeColumn(device, agrees, apart, unequal, figures)
    return found


def _with(report: PassReport, column: NativeColumn | None) -> PassReport:
    """Returns a pass's report with its column, and what follows from that in words."""
    if column is None:
        return report
    said = ""
    if column.agrees == "not_run":
        said = f"Not run natively: {column.not_run}."
    elif column.agrees == "differs":
        is_right = column.isolated is not None and column.isolated.mismatched == 0
        said = f"Natively, on {column.device}, it gives other values (up to {column.max_abs:.3g} apart)"
        if report.verdict in _WRONG and is_right:
            # What was found blames the shader.
            report = replace(report, findings=(), repairs=())
            said += ", which are right: the translation or the driver here is wrong, not the shader."
        else:
            said += "; why is not known. A read outside of a buffer is one reason: each device chooses what it gives."
    return replace(report, native=column, message=f"{report.message} {said}".strip())
