"""Compares the GPU's results with the oracle's, pass by pass: figures, verdicts, the culprit.

Pure numpy on arrays that were read back before, so that it can run in a worker thread while the window
draws. *Isolated* takes the pass's own inputs as given; *chained* goes from the graph's inputs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger, said_by
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.end_to_end import ComparedRun, end_to_end
from texelscope.pipeline.compare.figures import measure, wrong_elements
from texelscope.pipeline.compare.following import Following, in_order_of_need
from texelscope.pipeline.compare.isolated import NOT_RUN, IsolatedJudge, IsolatedReport
from texelscope.pipeline.compare.report import UNBLAMED, EndToEnd, PassReport, Report, summarise
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.oracle.choice import in_frame, oracle_of
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.plan import NotRun, Pass, Plan, Tolerance

_LOG = logger(__name__)

# The message for a layer that did not run and was replaced by an injected value.
INJECTED = "An injected value replaces its result."

_UNFOLLOWED = Following()

# Of the time that the model takes end to end, the oracle takes about this part; the rest goes into measuring.
_ORACLE_PART = 0.75


@dataclass(frozen=True)
class _Compared:
    """Holds a comparison: by pass the report on its own inputs and the complete one."""

    capture: Capture
    chained: Mapping[str, Expected]
    isolated: Mapping[str, IsolatedReport]
    reports: Mapping[str, PassReport]


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
        self._alone = IsolatedJudge(plan, self._oracle, self._tolerances)
        self._chained_inputs: dict[str, NDArray[np.float32]] = {}
        self._chained: Mapping[str, Expected] = {}
        self._gaps: dict[str, str] = {}
        self._isolated_values: dict[str, Expected] = {}
        self._last: _Compared | None = None
        self.stood: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    def expected(self, inputs: Mapping[str, NDArray[np.float32]]) -> Mapping[str, Expected]:
        """Returns the oracle's tensors for these inputs (logical shapes), by tensor name, cached until these change."""
        return self._expected(inputs, {}, _UNFOLLOWED)

    def _expected(
        self, inputs: Mapping[str, NDArray[Any]], carried: Mapping[str, Expected], following: Following
    ) -> Mapping[str, Expected]:
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
                self._chained = self._oracle.chained(
                    inputs,
                    gaps=self._gaps,
                    carried=carried,
                    progress=lambda share: following.chaining(_ORACLE_PART * share),
                )
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
        following: Following = _UNFOLLOWED,
        cancel: threading.Event | None = None,
        carried: Mapping[str, Expected] = MappingProxyType({}),
    ) -> Report:
        """Reports on all passes. `cancel` ends it with `CancelledError`.

        Each pass is judged on its own inputs first, in the order that `following` needs, then all end to end. `carried`
        are the oracle's own tensors of the frame before, by name: end to end, they replace the captured ones.
        A pass that the oracle cannot judge has the verdict `not_compared` and a reason; the others have verdicts.
        """
        self._isolated_values = {}
        last, stood = self._last, set[str]()
        isolated: dict[str, IsolatedReport] = {}
        for each in in_order_of_need(self._plan.passes, following.needed):
            _go_on(cancel)
            if last is not None and self._stands(each, capture, last):
                stood.add(each.name)
                isolated[each.name] = _timed(last.isolated[each.name], capture)
            else:
                isolated[each.name] = self._alone.report(each, capture)
            self._isolated_values.update(isolated[each.name].expected)
            following.judged(isolated[each.name])
        values = {name: np.asarray(each.value) for name, each in carried.items()}
        chained = self._expected({**self.given(capture), **values}, carried, following)
        known = last.reports if last is not None and chained is last.chained else {}
        known = {name: report for name, report in known.items() if name in stood}

        def go_on(share: float) -> None:
            _go_on(cancel)
            following.chaining(_ORACLE_PART + (1.0 - _ORACLE_PART) * share)

        reports = self._end_to_end(capture, chained, isolated, known, go_on)
        self.stood = frozenset(stood)
        self._last = _Compared(capture, chained, isolated, {report.name: report for report in reports})
        order = {name: i for i, name in enumerate(self._plan.layers)}
        reports.extend(self._not_run(missing, capture) for missing in self._plan.not_run)
        reports.sort(key=lambda each: order.get(each.name, len(order)))
        summary = summarise(capture.target, capture.device, tuple(reports))
        whole = ComparedRun(self._plan, capture, chained, self._isolated_values, self._oracle)
        return replace(summary, end_to_end=_whole(whole, summary))

    def _end_to_end(
        self,
        capture: Capture,
        chained: Mapping[str, Expected],
        isolated: Mapping[str, IsolatedReport],
        known: Mapping[str, PassReport],
        go_on: Callable[[float], None],
    ) -> list[PassReport]:
        """Completes the reports on all passes, in order; the figures of those `known` are still valid.

        `go_on` gets the finished share before each pass, and may raise an error to end it.
        """
        reports: list[PassReport] = []
        behind = set[str]()  # keys that depend on a wrong pass
        for done, each in enumerate(self._plan.passes):
            go_on(done / len(self._plan.passes))
            report = isolated[each.name].report
            if each.name in known:
                before = known[each.name]
                report = replace(report, chained=before.chained, not_chained=before.not_chained)
            else:
                report = self._completed(isolated[each.name], capture, chained)
            inherited = not behind.isdisjoint(each.reads)
            if inherited or report.verdict not in UNBLAMED or report.verdict == "precision":
                behind.update(each.outputs)
            reports.append(replace(report, inherited=_inherits(report, inherited=inherited)))
        return reports

    def _completed(self, alone: IsolatedReport, capture: Capture, chained: Mapping[str, Expected]) -> PassReport:
        """Adds to a report the figures from the model's inputs on, or why there are none."""
        report, key = alone.report, alone.key
        if key is None:
            return report
        tensor = self._plan.textures[key].tensor
        report = replace(report, not_chained=self._not_chained(tensor, chained))
        expected = chained.get(tensor)
        if expected is None or not alone.is_measured:
            return report
        try:
            figures = measure(capture.tensors[key], expected, self._tolerances.get(report.name))
        except Exception as error:  # noqa: BLE001 - a fault of this program in one pass must not lose the others
            _LOG.debug("comparing '%s' end to end", report.name, exc_info=True)
            return replace(report, not_chained=said_by(error, with_type=True))
        return replace(report, chained=figures)

    def _stands(self, shader_pass: Pass, capture: Capture, last: _Compared) -> bool:
        """Whether all that a pass is judged by on its own inputs is unchanged: the same arrays, of the same tensors."""
        before = last.capture
        if capture.tensors.keys() != before.tensors.keys():
            return False
        told = [
            (of.injected, *(by.get(shader_pass.name) for by in (of.errors, of.inside, of.runs_as, of.rounding)))
            for of in (capture, before)
        ]
        if told[0] != told[1]:
            return False
        return all(
            capture.tensors.get(key) is before.tensors.get(key)
            and capture.unwritten.get(key) is before.unwritten.get(key)
            for key in self._alone.looks_at(shader_pass, capture)
        )

    def alone(self, capture: Capture, name: str) -> PassReport:
        """Reports on one pass on its actual inputs, with nothing chained."""
        each = self._plan.find(name)
        assert each is not None
        alone = self._alone.report(each, capture)
        self._isolated_values.update(alone.expected)
        return replace(alone.report, not_chained="")

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
        expected = self._alone.expected(each, stored, capture)
        if expected is None:
            return np.zeros(stored.shape, dtype=bool)
        return wrong_elements(capture.tensors[each.output], expected)

    def _not_run(self, missing: NotRun, capture: Capture) -> PassReport:
        stored = self._plan.textures.get(missing.outputs[0])
        shape, layout = (stored.shape, stored.layout.name) if stored is not None else ((), "")
        message = f"{INJECTED} {missing.reason}" if missing.outputs[0] in capture.injected else missing.reason
        reason = stored.reason if stored is not None else ""
        return PassReport(
            missing.name, missing.operator, shape, layout, "not_run", message=message, not_chained=NOT_RUN,
            layout_reason=reason,
        )  # fmt: skip

    def _not_chained(self, tensor: str, chained: Mapping[str, Expected]) -> str:
        """Explains why nothing is known of `tensor` from the model's inputs on; empty if it is known."""
        if tensor in chained:
            return ""
        if self._oracle is None:
            return self._alone.without_oracle(tensor)
        return self._gaps.get(tensor) or self._plan.unjudged.get(tensor, f"The oracle has no tensor '{tensor}'.")


def most_wrong(wrong: Mapping[str, NDArray[np.bool_]]) -> str:
    """Returns the key of the output with the largest share of wrong elements."""
    return max(wrong, key=lambda key: float(wrong[key].mean()))


def _go_on(cancel: threading.Event | None) -> None:
    """Raises CancelledError if nobody wants the comparison any more, DeadlineError if it takes too long."""
    if cancel is not None and cancel.is_set():
        raise CancelledError
    check()


def _timed(alone: IsolatedReport, capture: Capture) -> IsolatedReport:
    """Returns a report of an earlier capture with the pass's time in this one."""
    return replace(alone, report=replace(alone.report, gpu_ms=capture.gpu_ms.get(alone.report.name)))


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
