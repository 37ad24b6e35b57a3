"""Compares the GPU's results with the oracle's, pass by pass: figures, verdicts, the culprit.

Pure numpy on arrays that were read back before, so that it can run in a worker thread while the window
draws. *Isolated* takes the pass's own inputs as given; *chained* goes from the graph's inputs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger, said_by
from texelscope.pipeline.compare.capture import Capture, Unread
from texelscope.pipeline.compare.end_to_end import ComparedRun, end_to_end
from texelscope.pipeline.compare.figures import measure, wrong_elements
from texelscope.pipeline.compare.form_rounding import form_rounding
from texelscope.pipeline.compare.page_column import DeviceColumn, PageJudge
from texelscope.pipeline.compare.report import (
    SEVERITY,
    UNBLAMED,
    EndToEnd,
    PassReport,
    Report,
    summarise,
)
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.compare.verdicts import is_wrong_only_there, verdict_of
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import CancelledError, TexelscopeError, UndeterminedError
from texelscope.pipeline.oracle.choice import in_frame, oracle_of
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.plan import NotRun, Pass, Plan, StoredTensor, Tolerance
from texelscope.pipeline.planning.storage import as_stored

_LOG = logger(__name__)


# The message for a pass whose author gave no oracle.
NO_ORACLE = "This pass has no oracle."

# The message for a layer that did not run and was replaced by an injected value.
INJECTED = "An injected value replaces its result."

# Reasons why a pass without a result has no figures end to end.
_NOT_RUN, _NOT_STORED = "It did not run.", "It was not stored."


@dataclass(frozen=True)
class _Compared:
    """Holds a comparison: reports by pass, and by key the isolated result that its pass should have made."""

    capture: Capture
    chained: Mapping[str, Expected]
    reports: Mapping[str, PassReport]
    isolated: Mapping[str, Expected]


class Comparer:
    """Compares captures of one plan; keeps the oracle and its last chained result.

    Arrays that are the same objects as in the last capture are not compared again: `stood` are the names of the
    passes whose verdicts stayed valid in the last comparison.
    """

    def __init__(
        self, plan: Plan, tolerances: Mapping[str, Tolerance] | None = None, *, last: Comparer | None = None
    ) -> None:
        """With `last`, a comparer of the same plan in another frame, its oracle is used again."""
        self._plan = plan
        self._tolerances: Mapping[str, Tolerance] = {**plan.tolerances, **(tolerances or {})}
        self._oracle: Oracle | None = oracle_of(plan) if last is None else in_frame(last._oracle, plan)
        self._makers = {key: each for each in plan.passes for key in each.outputs}
        self._unread = Unread(plan)
        self._page = PageJudge(plan, self._isolated)
        self._chained_inputs: dict[str, NDArray[np.float32]] = {}
        self._chained: Mapping[str, Expected] = {}
        self._gaps: dict[str, str] = {}
        self._isolated_values: dict[str, Expected] = {}
        self._last: _Compared | None = None
        self.stood: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    def expected(self, inputs: Mapping[str, NDArray[np.float32]]) -> Mapping[str, Expected]:
        """Returns the oracle's tensors for these inputs (logical shapes), by tensor name, cached until these change."""
        return self._expected(inputs, {})

    def _expected(self, inputs: Mapping[str, NDArray[Any]], carried: Mapping[str, Expected]) -> Mapping[str, Expected]:
        """Returns what `expected` does for inputs, some of which the frame before computed."""
        if self._oracle is None:
            return {}
        with self._lock:
            same = self._chained_inputs.keys() == inputs.keys() and all(
                self._chained_inputs[name] is value or np.array_equal(self._chained_inputs[name], value, equal_nan=True)
                for name, value in inputs.items()
            )
            if not same or not self._chained:
                self._gaps = {}
                self._chained = self._oracle.chained(inputs, gaps=self._gaps, carried=carried)
                self._chained_inputs = dict(inputs)
            return self._chained

    def in_frame(self, plan: Plan) -> Comparer:
        """Returns the comparer of a plan that is this one's in another frame: itself if the plan is the same."""
        return self if plan is self._plan else Comparer(plan, self._tolerances, last=self)

    def given(self, capture: Capture) -> dict[str, NDArray[np.float32]]:
        """Returns by name what no pass of a capture computed: inputs, the frame before's tensors, injected values."""
        keys = (*self._plan.given, *sorted(capture.injected))
        return {self._plan.textures[key].tensor: capture.tensors[key] for key in keys if key in capture.tensors}

    def isolated_values(self) -> Mapping[str, Expected]:
        """Returns by key what each pass of the last comparison should have computed from its actual inputs."""
        return self._isolated_values

    def chained_values(self) -> Mapping[str, Expected]:
        """Returns by name the oracle's tensors of the last comparison, end to end."""
        return self._last.chained if self._last is not None else {}

    @property
    def last_capture(self) -> Capture | None:
        """The capture of the last complete comparison."""
        return self._last.capture if self._last is not None else None

    def compare(
        self,
        capture: Capture,
        *,
        progress: Callable[[float], None] | None = None,
        cancel: threading.Event | None = None,
        carried: Mapping[str, Expected] = MappingProxyType({}),
    ) -> Report:
        """Reports on all passes. `progress` gets the finished share; `cancel` ends it with `CancelledError`.

        `carried` are the oracle's own tensors of the frame before, by name: end to end, they replace the captured ones.
        A pass that the oracle cannot judge has the verdict `not_compared` and a reason; the others have verdicts.
        """
        values = {name: np.asarray(each.value) for name, each in carried.items()}
        chained = self._expected({**self.given(capture), **values}, carried)
        self._isolated_values = {}
        reports: list[PassReport] = []
        behind = set[str]()  # keys that depend on a wrong pass
        last, stood = self._last, set[str]()
        for done, each in enumerate(self._plan.passes):
            if cancel is not None and cancel.is_set():
                raise CancelledError
            check()
            inherited = not behind.isdisjoint(each.reads)
            if last is not None and self._stands(each, capture, chained, last):
                stood.add(each.name)
                report = self._again(each, capture, last, inherited=inherited)
            else:
                report = self._compare_pass(each, capture, chained, inherited=inherited)
            if inherited or report.verdict not in UNBLAMED or report.verdict == "precision":
                behind.update(each.outputs)
            reports.append(report)
            if progress is not None:
                progress((done + 1) / len(self._plan.passes))
        self.stood = frozenset(stood)
        found = {report.name: report for report in reports}
        self._last = _Compared(capture, chained, found, dict(self._isolated_values))
        order = {name: i for i, name in enumerate(self._plan.layers)}
        reports.extend(self._not_run(missing, capture) for missing in self._plan.not_run)
        reports.sort(key=lambda each: order.get(each.name, len(order)))
        summary = summarise(capture.target, capture.device, tuple(reports))
        whole = ComparedRun(self._plan, capture, chained, self._isolated_values, self._oracle)
        return replace(summary, end_to_end=_whole(whole, summary))

    def _stands(self, shader_pass: Pass, capture: Capture, chained: Mapping[str, Expected], last: _Compared) -> bool:
        """Whether all that a pass is judged by is unchanged: the same arrays, of the same tensors."""
        before = last.capture
        if chained is not last.chained or capture.tensors.keys() != before.tensors.keys():
            return False
        told = [
            (of.injected, *(by.get(shader_pass.name) for by in (of.errors, of.inside, of.runs_as, of.rounding)))
            for of in (capture, before)
        ]
        if told[0] != told[1]:
            return False
        looked_at = {
            *shader_pass.outputs,
            *self._read_by(shader_pass, capture),
            *self._unread.keys(shader_pass, capture),
        }
        return all(
            capture.tensors.get(key) is before.tensors.get(key)
            and capture.unwritten.get(key) is before.unwritten.get(key)
            for key in looked_at
        )

    def _again(self, shader_pass: Pass, capture: Capture, last: _Compared, *, inherited: bool) -> PassReport:
        """Returns the report of a pass whose verdict is still valid."""
        self._isolated_values.update({key: last.isolated[key] for key in shader_pass.outputs if key in last.isolated})
        report = last.reports[shader_pass.name]
        return replace(
            report, gpu_ms=capture.gpu_ms.get(shader_pass.name), inherited=_inherits(report, inherited=inherited)
        )

    def alone(self, capture: Capture, name: str) -> PassReport:
        """Reports on one pass on its actual inputs, with nothing chained."""
        each = self._plan.find(name)
        assert each is not None
        return replace(self._compare_pass(each, capture, {}, inherited=False), not_chained="")

    def wrong_output(self, capture: Capture, name: str) -> str:
        """Returns the name for `wrong` and a diagnosis: the pass's, or the key of another output with more wrong."""
        each = self._plan.find(name)
        assert each is not None
        if len(each.outputs) == 1:
            return name
        key = most_wrong({key: self.wrong(capture, key) for key in each.outputs})
        return replace(each, looked_at=each.outputs.index(key)).called

    def wrong(self, capture: Capture, name: str) -> NDArray[np.bool_]:
        """Returns which elements of a pass's output exceed their bound, in its logical shape; none if unknown.

        The output is the first, or the one whose key `name` is.
        """
        each = self._plan.find(name)
        assert each is not None
        stored = self._plan.textures[each.output]
        if each.output not in capture.tensors:
            return np.zeros(stored.shape, dtype=bool)
        expected = self._isolated(each, stored, capture)
        if expected is None:
            return np.zeros(stored.shape, dtype=bool)
        return wrong_elements(capture.tensors[each.output], expected)

    def _not_run(self, missing: NotRun, capture: Capture) -> PassReport:
        stored = self._plan.textures.get(missing.outputs[0])
        shape, layout = (stored.shape, stored.layout.name) if stored is not None else ((), "")
        message = f"{INJECTED} {missing.reason}" if missing.outputs[0] in capture.injected else missing.reason
        reason = stored.reason if stored is not None else ""
        return PassReport(
            missing.name, missing.operator, shape, layout, "not_run", message=message, not_chained=_NOT_RUN,
            layout_reason=reason,
        )  # fmt: skip

    def _missing(self, shader_pass: Pass, capture: Capture) -> str:
        """Explains why a pass has no output: names the first input without a value."""
        for key in shader_pass.reads:
            stored = self._plan.textures[key]
            if stored.role != "constant" and key not in capture.tensors:
                return f"Needs '{stored.tensor}', which was not computed."
        return "Was not run."

    def _compare_pass(
        self, shader_pass: Pass, capture: Capture, chained: Mapping[str, Expected], *, inherited: bool
    ) -> PassReport:
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
            return self._refused(shader_pass, blank, capture, chained)
        made = [key for key in shader_pass.outputs if key in capture.tensors]  # a capture from elsewhere may lack some
        if not made and shader_pass.name in capture.inside:
            return replace(
                blank, verdict="not_compared", message=capture.inside[shader_pass.name], not_chained=_NOT_STORED
            )
        if not made or shader_pass.output in capture.injected:
            return replace(blank, message=self._missing(shader_pass, capture), not_chained=_NOT_RUN)
        blank = replace(blank, not_chained=self._not_chained(self._plan.textures[made[0]].tensor, chained))
        try:
            compared = [self._compare_output(shader_pass, key, blank, capture, chained) for key in made]
        except UndeterminedError as error:
            return replace(self._end_to_end(blank, made[0], capture, chained), verdict="error", message=str(error))
        except TexelscopeError as error:
            return replace(
                self._end_to_end(blank, made[0], capture, chained), verdict="not_compared", message=str(error)
            )
        except Exception as error:  # noqa: BLE001 - a fault of this program in one pass must not lose the others
            _LOG.debug("comparing '%s'", shader_pass.name, exc_info=True)
            blank = self._end_to_end(blank, made[0], capture, chained)
            return replace(blank, verdict="not_compared", message=said_by(error, with_type=True))
        worst = max(compared, key=lambda report: SEVERITY.index(report.verdict))
        return replace(worst, inherited=_inherits(worst, inherited=inherited))

    def _refused(
        self, shader_pass: Pass, blank: PassReport, capture: Capture, chained: Mapping[str, Expected]
    ) -> PassReport:
        """Reports on a pass whose shader does not compile, with figures of its last good program's result."""
        known = blank
        if shader_pass.output in capture.tensors and shader_pass.output not in capture.injected:
            known = replace(
                blank, not_chained=self._not_chained(self._plan.textures[shader_pass.output].tensor, chained)
            )
            with suppress(TexelscopeError):
                known = self._compare_output(shader_pass, shader_pass.output, known, capture, chained)
        gap = known.not_chained if known.isolated is not None else _NOT_RUN
        return replace(known, verdict="error", message=capture.errors[shader_pass.name], not_chained=gap)

    def _end_to_end(self, blank: PassReport, key: str, capture: Capture, chained: Mapping[str, Expected]) -> PassReport:
        """Adds to `blank` the figures of the tensor `key` from the model's inputs on."""
        expected = chained.get(self._plan.textures[key].tensor)
        if expected is None:
            return blank
        return replace(blank, chained=measure(capture.tensors[key], expected, self._tolerances.get(blank.name)))

    def _not_chained(self, tensor: str, chained: Mapping[str, Expected]) -> str:
        """Explains why nothing is known of `tensor` from the model's inputs on; empty if it is known."""
        if tensor in chained:
            return ""
        if self._oracle is None:
            return self._without_oracle(tensor)
        return self._gaps.get(tensor) or self._plan.unjudged.get(tensor, f"The oracle has no tensor '{tensor}'.")

    def _compare_output(
        self, shader_pass: Pass, key: str, blank: PassReport, capture: Capture, chained: Mapping[str, Expected]
    ) -> PassReport:
        """Reports on one colour attachment; its message names it where there are several."""
        stored = self._plan.textures[key]
        gap = self._not_chained(stored.tensor, chained)
        blank = replace(
            blank, shape=stored.shape, layout=stored.layout.name, not_chained=gap, layout_reason=stored.reason
        )
        isolated = self._isolated(shader_pass, stored, capture)
        if isolated is None:
            return self._without_comparison(shader_pass, key, blank, capture)
        self._isolated_values[key] = isolated
        actual = capture.tensors[key]
        tolerance = self._tolerances.get(shader_pass.name)
        figures = measure(actual, isolated, tolerance)
        end_to_end = chained.get(stored.tensor)
        verdict, message = verdict_of(actual, isolated, figures, stored, tolerance), ""
        unwritten = capture.unwritten.get(key)
        if unwritten is not None:
            message = f"{np.count_nonzero(unwritten)} of {unwritten.size} elements were not written by the draw."
            if is_wrong_only_there(actual, isolated, tolerance, unwritten):
                verdict = "unwritten"
        if len(shader_pass.outputs) > 1:
            called = "Colour attachment" if shader_pass.dispatch is None else "Output"
            message = f"{called} '{key}'. {message}".rstrip()
        report = replace(
            blank,
            verdict=verdict,
            isolated=figures,
            chained=measure(actual, end_to_end, tolerance) if end_to_end is not None else None,
            message=message,
        )
        return self._page.judged(DeviceColumn(shader_pass, stored, capture, isolated, tolerance, report))

    def _without_comparison(self, shader_pass: Pass, key: str, blank: PassReport, capture: Capture) -> PassReport:
        """Reports on an output without an oracle: NaN that is in nothing it reads needs none to be wrong."""
        reason = self._without_oracle(self._plan.textures[key].tensor)
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

    def _reads_nan(self, shader_pass: Pass, capture: Capture) -> bool:
        """Reports whether NaN is in anything that the pass reads, constants among it."""
        values = (
            capture.tensors.get(key, self._plan.constant(self._plan.textures[key].tensor))
            for key in self._read_by(shader_pass, capture)
        )
        return any(np.isnan(each).any() for each in values if each is not None)

    def _without_oracle(self, tensor: str) -> str:
        file = self._plan.oracle_file
        if file is not None and not file.trusted:
            return f"{file.path} is code and was not run; trust it (--trust) to compare."
        return self._plan.unjudged.get(tensor, NO_ORACLE)

    def _isolated(self, shader_pass: Pass, stored: StoredTensor, capture: Capture) -> Expected | None:
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

    def _read_by(self, shader_pass: Pass, capture: Capture) -> tuple[str, ...]:
        """Returns what the pass reads; a tensor that was not read back is replaced by what its own pass reads."""
        found: dict[str, None] = {}
        pending = deque(shader_pass.reads)
        while pending:
            key = pending.popleft()
            if key in found:
                continue
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


def most_wrong(wrong: Mapping[str, NDArray[np.bool_]]) -> str:
    """Returns the key of the output with the largest share of wrong elements."""
    return max(wrong, key=lambda key: float(wrong[key].mean()))


def _inherits(report: PassReport, *, inherited: bool) -> bool:
    """Whether a correct pass is off end to end because of earlier passes, if these are `inherited`."""
    behind = report.chained is not None and report.chained.mismatched > 0
    return inherited and report.verdict == "match" and behind


def _whole(whole: ComparedRun, report: Report) -> EndToEnd:
    try:
        return end_to_end(whole, report)
    except Exception as error:  # noqa: BLE001 - a fault of this program in the whole must not lose the passes
        _LOG.debug("comparing end to end", exc_info=True)
        return EndToEnd((), None, f"Nothing is known of the outputs end to end: {said_by(error, with_type=True)}")
