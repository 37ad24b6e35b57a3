"""Judges one pass on the inputs that it really had: figures and a verdict, from the arrays of a capture alone.

Nothing is known here of other passes, nor of the way from the model's inputs: so passes can be judged in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger, said_by
from texelscope.pipeline.compare.capture import Capture, Unread
from texelscope.pipeline.compare.figures import measure
from texelscope.pipeline.compare.form_rounding import form_rounding
from texelscope.pipeline.compare.page_column import DeviceColumn, PageJudge
from texelscope.pipeline.compare.report import SEVERITY, PassReport
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.compare.verdicts import is_wrong_only_there, verdict_of
from texelscope.pipeline.errors import TexelscopeError, UndeterminedError
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.plan import Pass, Plan, StoredTensor, Tolerance
from texelscope.pipeline.planning.storage import as_stored

_LOG = logger(__name__)

# The message for a pass whose author gave no oracle.
NO_ORACLE = "This pass has no oracle."

# Reasons why a pass without a result has no figures end to end.
NOT_RUN, NOT_STORED = "It did not run.", "It was not stored."
# Why a pass that was just judged has none.
NOT_YET = "Not compared end to end yet."


@dataclass(frozen=True)
class IsolatedReport:
    """Holds the report on a pass on its own inputs, and by key what its outputs should be.

    `key` is the output whose figures end to end belong in the report too, if it `is_measured`, or the reason why there
    are none; None if the report is complete.
    """

    report: PassReport
    expected: Mapping[str, Expected] = field(default_factory=dict)
    key: str | None = None
    is_measured: bool = True


class IsolatedJudge:
    """Judges passes of one plan by one oracle, each on its own."""

    def __init__(self, plan: Plan, oracle: Oracle | None, tolerances: Mapping[str, Tolerance]) -> None:
        self._plan = plan
        self._oracle = oracle
        self._tolerances = tolerances
        self._makers = {key: each for each in plan.passes for key in each.outputs}
        self._unread = Unread(plan)
        self._page = PageJudge(plan, self.expected)

    def report(self, shader_pass: Pass, capture: Capture) -> IsolatedReport:
        """Reports on one pass; one that the oracle cannot judge has the verdict `not_compared` and a reason."""
        stored = self._plan.textures[shader_pass.output]
        blank = PassReport(
            shader_pass.name, shader_pass.operator, stored.shape, stored.layout.name, "not_run",
            gpu_ms=capture.gpu_ms.get(shader_pass.name),
            layout_reason=stored.reason,
            runs_as=capture.runs_as.get(shader_pass.name, ""),
            recorded_ms=shader_pass.recorded_ms,
            notes=dict(shader_pass.notes),
            compared_with=shader_pass.oracle,
        )  # fmt: skip
        if shader_pass.name in capture.errors:
            return self._refused(shader_pass, blank, capture)
        made = [key for key in shader_pass.outputs if key in capture.tensors]  # a capture from elsewhere may lack some
        if not made and shader_pass.name in capture.inside:
            message = capture.inside[shader_pass.name]
            return IsolatedReport(replace(blank, verdict="not_compared", message=message, not_chained=NOT_STORED))
        if not made or shader_pass.output in capture.injected:
            return IsolatedReport(replace(blank, message=self._missing(shader_pass, capture), not_chained=NOT_RUN))
        return self._of_outputs(shader_pass, made, replace(blank, not_chained=NOT_YET), capture)

    def _of_outputs(self, shader_pass: Pass, made: list[str], blank: PassReport, capture: Capture) -> IsolatedReport:
        """Returns the report of the worst of the outputs `made`."""
        expected: dict[str, Expected] = {}
        try:
            compared = {key: self._compare_output(shader_pass, key, blank, capture, expected) for key in made}
        except UndeterminedError as error:
            failed = replace(blank, verdict="error", message=str(error))
        except TexelscopeError as error:
            failed = replace(blank, verdict="not_compared", message=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of this program in one pass must not lose the others
            _LOG.debug("comparing '%s'", shader_pass.name, exc_info=True)
            failed = replace(blank, verdict="not_compared", message=said_by(error, with_type=True))
        else:
            worst = max(made, key=lambda key: SEVERITY.index(compared[key].verdict))
            return IsolatedReport(compared[worst], expected, worst, is_measured=worst in expected)
        return IsolatedReport(failed, expected, made[0])

    def _refused(self, shader_pass: Pass, blank: PassReport, capture: Capture) -> IsolatedReport:
        """Reports on a pass whose shader does not compile, with figures of its last good program's result."""
        known, expected, key = blank, dict[str, Expected](), shader_pass.output
        if key in capture.tensors and key not in capture.injected:
            with suppress(TexelscopeError):
                known = self._compare_output(shader_pass, key, blank, capture, expected)
        is_known = known.isolated is not None
        gap = NOT_YET if is_known else NOT_RUN
        report = replace(known, verdict="error", message=capture.errors[shader_pass.name], not_chained=gap)
        return IsolatedReport(report, expected, key if is_known else None)

    def _compare_output(
        self,
        shader_pass: Pass,
        key: str,
        blank: PassReport,
        capture: Capture,
        expected: dict[str, Expected],
    ) -> PassReport:
        """Reports on one colour attachment; its message names it where there are several. Adds to `expected`."""
        stored = self._plan.textures[key]
        blank = replace(blank, shape=stored.shape, layout=stored.layout.name, layout_reason=stored.reason)
        isolated = self.expected(shader_pass, stored, capture)
        if isolated is None:
            return self._without_comparison(shader_pass, key, blank, capture)
        expected[key] = isolated
        actual = capture.tensors[key]
        tolerance = self._tolerances.get(shader_pass.name)
        figures = measure(actual, isolated, tolerance)
        verdict, message = verdict_of(actual, isolated, figures, stored, tolerance), ""
        unwritten = capture.unwritten.get(key)
        if unwritten is not None:
            message = f"{np.count_nonzero(unwritten)} of {unwritten.size} elements were not written by the draw."
            if is_wrong_only_there(actual, isolated, tolerance, unwritten):
                verdict = "unwritten"
        if len(shader_pass.outputs) > 1:
            called = "Colour attachment" if shader_pass.dispatch is None else "Output"
            message = f"{called} '{key}'. {message}".rstrip()
        report = replace(blank, verdict=verdict, isolated=figures, message=message)
        return self._page.judged(DeviceColumn(shader_pass, stored, capture, isolated, tolerance, report))

    def _without_comparison(self, shader_pass: Pass, key: str, blank: PassReport, capture: Capture) -> PassReport:
        """Reports on an output without an oracle: NaN that is in nothing it reads needs none to be wrong."""
        reason = self.without_oracle(self._plan.textures[key].tensor)
        actual = capture.tensors[key]
        nan_count = int(np.count_nonzero(np.isnan(actual)))
        if reason != NO_ORACLE or not nan_count or self._reads_nan(shader_pass, capture):
            return replace(blank, verdict="not_compared", message=reason)
        first = int(np.argmax(np.isnan(actual).ravel()))
        tx, ty, _ = self._plan.textures[key].layout.texel_of(actual.shape, first)
        found = (
            f"{nan_count:,} of {actual.size:,} elements are NaN, first in texel {tx},{ty}; nothing that it reads is."
        )
        return replace(blank, verdict="nan", message=f"{found} {reason}")

    def _missing(self, shader_pass: Pass, capture: Capture) -> str:
        """Explains why a pass has no output: names the first input without a value."""
        for key in shader_pass.reads:
            stored = self._plan.textures[key]
            if stored.role != "constant" and key not in capture.tensors:
                return f"Needs '{stored.tensor}', which was not computed."
        return "Was not run."

    def _reads_nan(self, shader_pass: Pass, capture: Capture) -> bool:
        """Reports whether NaN is in anything that the pass reads, constants among it."""
        values = (
            capture.tensors.get(key, self._plan.constant(self._plan.textures[key].tensor))
            for key in self._read_by(shader_pass, capture)
        )
        return any(np.isnan(each).any() for each in values if each is not None)

    def without_oracle(self, tensor: str) -> str:
        """Explains why the oracle has no tensor of that name."""
        file = self._plan.oracle_file
        if file is not None and not file.trusted:
            return f"{file.path} is code and was not run; trust it (--trust) to compare."
        return self._plan.unjudged.get(tensor, NO_ORACLE)

    def expected(self, shader_pass: Pass, stored: StoredTensor, capture: Capture) -> Expected | None:
        """Returns what an output should be, from the inputs that the pass had; None without an oracle for it.

        Raises TexelscopeError for an output that the oracle cannot evaluate.
        """
        if self._oracle is None or stored.tensor in self._plan.unjudged:
            return None
        given = self._unread.values(shader_pass, capture)
        for key in self._read_by(shader_pass, capture):
            read = self._plan.textures[key]
            if read.role != "constant":
                given[read.tensor] = capture.tensors[key]
            elif read.storage != "float32":
                given[read.tensor] = self._as_stored(read)
        errors = sampling_errors(self._plan, shader_pass, given)
        for tensor, error in form_rounding(self._plan, capture.rounding.get(shader_pass.name), given).items():
            errors[tensor] = error + errors.get(tensor, 0.0)
        return self._oracle.isolated(given, stored.tensor, errors=errors)

    def looks_at(self, shader_pass: Pass, capture: Capture) -> frozenset[str]:
        """Returns the keys of all tensors that a pass is judged by, its outputs among them."""
        read = *self._read_by(shader_pass, capture), *self._unread.keys(shader_pass, capture)
        return frozenset((*shader_pass.outputs, *read))

    def _read_by(self, shader_pass: Pass, capture: Capture) -> tuple[str, ...]:
        """Returns what the pass reads; a tensor that was not read back is replaced by what its own pass reads."""
        found: dict[str, None] = {}
        seen: set[str] = set()
        pending = deque(shader_pass.reads)
        while pending:
            key = pending.popleft()
            if key in seen:
                continue
            seen.add(key)
            known = key in capture.tensors or self._plan.textures[key].role == "constant"
            if known or key not in self._makers:
                found[key] = None
            else:
                pending.extend(read for read in self._makers[key].reads if read not in shader_pass.outputs)
        return tuple(found)

    def _as_stored(self, constant: StoredTensor) -> NDArray[Any]:
        """Returns a constant as its texture holds it: that rounding is an input of the pass, not its error."""
        value = self._plan.constant(constant.tensor)
        assert value is not None
        return as_stored(np.asarray(value), constant)
