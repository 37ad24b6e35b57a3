"""Runs each pass on this driver, on the inputs that it should have had, and diagnoses wrong ones.

A page knows no causes. It carries those found here, with the values that they were found in: where a browser makes the
same values of the same inputs, they are its causes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.captured.own_run import OwnRun, OwnRunResult
from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding, PassReport, Verdict, summarise
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.diagnose.evidence.variants import in_full_precision
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_each
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, StoredTensor
from texelscope.pipeline.planning.storage import as_stored
from texelscope.pipeline.target import Target

Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Expectation:
    """Holds by key the oracle's `chained` and `isolated` values; tensors that it does not know are left out.

    `capture` holds the chained tensors and the inputs as textures hold them: a faultless run.
    """

    chained: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    capture: Capture


def expectation(plan: Plan, inputs: Values) -> Expectation:
    """Returns the oracle's expectation of a plan with those inputs (by key, logical shape)."""
    comparer = Comparer(plan)
    chained = comparer.expected({plan.textures[key].tensor: value for key, value in inputs.items()})
    known = {key: chained[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in chained}
    tensors = {key: _as_stored(plan.textures[key], expected) for key, expected in known.items()}
    capture = Capture(plan.name, DeviceInfo("expected", ""), MappingProxyType({**tensors, **inputs}), {}, {})
    comparer.compare(capture)
    return Expectation(known, comparer.isolated_values(), capture)


def in_float32(expected: Expected) -> NDArray[np.float32]:
    """Converts the values to float32; those beyond its range become infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(expected.value, dtype=np.float32)


def _as_stored(stored: StoredTensor, expected: Expected) -> NDArray[np.float32]:
    """Returns the tensor as the page uploads it."""
    return as_stored(in_float32(expected).reshape(stored.shape), stored)


_LOG = logger(__name__)

_WRONG: frozenset[Verdict] = frozenset({"mismatch", "not_its_meaning", "nan", "unwritten"})
_RIGHT: frozenset[Verdict] = frozenset({"match", "precision"})
_NUMBER_BYTES = 4


@dataclass(frozen=True)
class HomeRun:
    """Holds the output of one pass here, with its declared precision or with full precision.

    `values` by key in logical shape, none of a pass that is right; `message` is what is known beside `findings`.
    """

    in_full_precision: bool
    is_wrong: bool
    values: Values = field(default_factory=lambda: MappingProxyType({}))
    findings: tuple[Finding, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class AtHome:
    """Lists by pass its outputs on `renderer`; none for a pass that does not run there.

    A pass that cannot be judged has no entry. With full precision only passes are drawn that are wrong without.
    """

    renderer: str
    ways: Mapping[str, tuple[HomeRun, ...]]


def at_home(
    target: Target, expected: Expectation, inputs: Values, asked: DiagnosisRequest, most_bytes: int
) -> AtHome | None:
    """Runs every pass of the target here and diagnoses the wrong ones that `asked` selects.

    `inputs` by key in logical shape. None, with a warning, where nothing runs here. Raises TexelscopeError before
    anything is diagnosed if the values of wrong passes take more than `most_bytes`.
    """
    try:
        session = open_session(target.path, target.options)
    except TexelscopeError as error:
        _LOG.warning("The page will name no causes, as nothing runs here. %s", error)
        return None
    with session:
        for key, value in inputs.items():
            session.set_input(key, value)
        home = _Home(session, expected)
        home.run()
        _check(session.plan, home.value_bytes, most_bytes)
        return home.diagnosed(asked)


def _check(plan: Plan, value_bytes: int, most_bytes: int) -> None:
    if value_bytes > most_bytes:
        raise TexelscopeError(
            plan.name,
            f"at most {max(most_bytes, 0) >> 20} MB for what wrong passes make here",
            f"{-(-value_bytes >> 20)} MB",
            "Leave that and the causes out with --diagnose-seconds 0, or allow more with --limit-mb.",
        )


class _Home:
    def __init__(self, session: DebugSession, expected: Expectation) -> None:
        self._session = session
        self._tensors = expected.capture.tensors
        as_expected = Captured(Path(), session.plan, expected.capture, {}, runs_target=True, notes=())
        self._own = OwnRun(session, as_expected)
        self._reports: list[PassReport] = []
        self._ways: dict[str, tuple[HomeRun, ...]] = {}
        self._diagnoses: dict[tuple[str, bool], Diagnosis] = {}

    @property
    def value_bytes(self) -> int:
        """The bytes of the values of wrong passes as texels in base64."""
        textures = self._session.plan.textures
        texels = sum(
            _NUMBER_BYTES * textures[key].texture_shape[0] * textures[key].texture_shape[1] * textures[key].layout.lanes
            for ways in self._ways.values()
            for way in ways
            for key in way.values
        )
        return texels * 4 // 3

    def run(self) -> None:
        """Runs every pass whose inputs and outputs are known."""
        for each in self._session.plan.passes:
            textures = self._session.plan.textures
            read = (key for key in each.reads if textures[key].role != "constant")
            if any(key not in self._tensors for key in (*read, *each.outputs)):
                continue
            here = self._run(each, each.program)
            if here is None:
                self._ways[each.name] = ()
            elif here.verdict in _RIGHT:
                self._ways[each.name] = (HomeRun(in_full_precision=False, is_wrong=False),)
            elif here.verdict in _WRONG:
                self._ways[each.name] = self._wrong(each, here)

    def _run(self, shader_pass: Pass, program: ProgramSource) -> OwnRunResult | None:
        try:
            return self._own.run_as(shader_pass, program)
        except TexelscopeError as error:  # a shader that this driver refuses
            _LOG.debug("%s", error)
            return None

    def _wrong(self, shader_pass: Pass, here: OwnRunResult) -> tuple[HomeRun, ...]:
        stored = self._session.plan.textures[shader_pass.output]
        self._reports.append(
            PassReport(shader_pass.name, shader_pass.operator, stored.shape, stored.layout.name, here.verdict)
        )
        as_it_is = HomeRun(False, True, {key: here.capture.tensors[key] for key in shader_pass.outputs})
        full = in_full_precision(shader_pass.program)
        other = self._run(shader_pass, full) if full is not None else None
        if other is None or other.verdict not in _WRONG | _RIGHT:
            return (as_it_is,)
        if other.verdict in _RIGHT:
            return as_it_is, HomeRun(in_full_precision=True, is_wrong=False)
        values = {key: other.capture.tensors[key] for key in shader_pass.outputs}
        same = all(value.tobytes() == as_it_is.values[key].tobytes() for key, value in values.items())
        return (as_it_is,) if same else (as_it_is, HomeRun(True, True, values))

    def diagnosed(self, asked: DiagnosisRequest) -> AtHome:
        """Diagnoses the first wrong passes, or those asked for, and returns all with their causes."""
        device = device_of(self._session.context)
        report = name_each(
            self._session.plan,
            summarise(self._session.plan.name, device, tuple(self._reports)),
            self._diagnose,
            lambda name: self._session.plan.pass_called(name).program.fragment,
            asked,
        )
        for each in report.passes:
            self._ways[each.name] = tuple(self._named(each, way) for way in self._ways[each.name])
        return AtHome(device.renderer, self._ways)

    def _diagnose(self, name: str) -> Diagnosis:
        """Diagnoses every precision in which the pass is wrong; returns that of the declared one."""
        each = self._session.plan.pass_called(name)
        for way in self._ways[name]:
            program = in_full_precision(each.program) if way.in_full_precision else each.program
            here = self._run(each, program) if way.is_wrong and program is not None else None
            if here is not None:
                self._diagnoses[name, way.in_full_precision] = self._own.diagnose(each, here)
        return self._diagnoses[name, False]

    def _named(self, each: PassReport, way: HomeRun) -> HomeRun:
        found = self._diagnoses.get((each.name, way.in_full_precision))
        if not way.is_wrong:
            return way
        if found is None:
            return replace(way, message=each.message or "Not diagnosed.")
        return replace(way, findings=found.findings, message=found.unexplained)
