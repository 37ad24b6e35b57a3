"""What this driver makes of each pass on the inputs that it should have had, and why that is wrong where it is.

A page knows no causes. It carries those found here, with the values that they were found in: where a browser makes the
same values of the same inputs, they are its causes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.captured.own_run import Here, OwnRun
from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.report import Finding, PassReport, Verdict, summarise
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.variants import in_full_precision
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_each
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.pipeline.probe.expectation import Expectation, Values
from texelscope.pipeline.target import Target

_LOG = logger(__name__)

_WRONG: frozenset[Verdict] = frozenset({"mismatch", "nan", "unwritten"})
_RIGHT: frozenset[Verdict] = frozenset({"match", "precision"})
_NUMBER_BYTES = 4


@dataclass(frozen=True)
class HomeRun:
    """How one pass comes out here: as it is, or in full precision.

    `values` by key in logical shape, none of a pass that is right; `message` is what is known where `findings` end.
    """

    in_full_precision: bool
    is_wrong: bool
    values: Values = field(default_factory=lambda: MappingProxyType({}))
    findings: tuple[Finding, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class AtHome:
    """By pass, the ways in which it comes out on `renderer`; none of a pass that does not run there.

    A pass that cannot be judged has no entry. With every precision highp only a pass is drawn that is wrong without.
    """

    renderer: str
    ways: Mapping[str, tuple[HomeRun, ...]]


def at_home(
    target: Target, expected: Expectation, inputs: Values, asked: DiagnosisRequest, most_bytes: int
) -> AtHome | None:
    """Runs every pass of the target here and diagnoses the wrong ones that are `asked` for.

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
        """What the values of wrong passes take as texels in base64."""
        textures = self._session.plan.textures
        texels = sum(
            _NUMBER_BYTES * textures[key].texture_shape[0] * textures[key].texture_shape[1] * textures[key].layout.lanes
            for ways in self._ways.values()
            for way in ways
            for key in way.values
        )
        return texels * 4 // 3

    def run(self) -> None:
        """Every pass whose inputs and outputs are known."""
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

    def _run(self, each: Pass, program: ProgramSource) -> Here | None:
        try:
            return self._own.run_as(each, program)
        except TexelscopeError as error:  # of a shader that this driver refuses
            _LOG.debug("%s", error)
            return None

    def _wrong(self, each: Pass, here: Here) -> tuple[HomeRun, ...]:
        stored = self._session.plan.textures[each.output]
        self._reports.append(PassReport(each.name, each.operator, stored.shape, stored.layout.name, here.verdict))
        as_it_is = HomeRun(False, True, {key: here.capture.tensors[key] for key in each.outputs})
        full = in_full_precision(each.program)
        other = self._run(each, full) if full is not None else None
        if other is None or other.verdict not in _WRONG | _RIGHT:
            return (as_it_is,)
        if other.verdict in _RIGHT:
            return as_it_is, HomeRun(in_full_precision=True, is_wrong=False)
        values = {key: other.capture.tensors[key] for key in each.outputs}
        same = all(value.tobytes() == as_it_is.values[key].tobytes() for key, value in values.items())
        return (as_it_is,) if same else (as_it_is, HomeRun(True, True, values))

    def diagnosed(self, asked: DiagnosisRequest) -> AtHome:
        """What was run, with causes: of the first wrong passes, or of those asked for."""
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
        """Of each way in which the pass is wrong; that as it is is answered."""
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
