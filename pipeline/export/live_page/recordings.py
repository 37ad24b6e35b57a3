"""Records reads and executions of a few elements of each wrong pass, one between two frames, for a page."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import wrong_elements
from texelscope.pipeline.compare.report import UNBLAMED, PassReport, Report
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.live_page.chosen import ChosenElement, chosen_elements
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.read_texels import InputTexels, SiteCount, input_texels, site_counts
from texelscope.pipeline.step_trace.sums import FragmentSum, sums
from texelscope.pipeline.step_trace.trace import Trace

if TYPE_CHECKING:
    from texelscope.pipeline.debug_session import DebugSession

# All recordings of a page take about so long; each wrong pass gets its most telling element before one gets more.
RECORDING_SECONDS = 12.0
# The steps of an execution that a page holds.
MOST_STEPS = 8_000


@dataclass(frozen=True)
class RecordedElement:
    """Holds what one element did: its texel, its reads by input, the places that read, its execution and its sum.

    `judged` says whether the expected reads are known. `problem` says why reads are unknown, `trace_problem` why there
    is no execution; both are empty otherwise.
    """

    chosen: ChosenElement
    texel: tuple[int, int, int]
    inputs: tuple[InputTexels, ...] = ()
    sites: tuple[SiteCount, ...] = ()
    judged: bool = False
    problem: str = ""
    trace: Trace | None = None
    sum: FragmentSum | None = None
    trace_problem: str = ""


# By the name of a pass, its recorded elements, the most telling first.
Recordings = Mapping[str, tuple[RecordedElement, ...]]
NO_RECORDINGS: Recordings = MappingProxyType({})


def viewed_pass(plan_pass: Pass, report: PassReport) -> Pass:
    """Returns the pass with that output in view of which its report speaks: the first, or the one that it names."""
    numbers = [number for number, key in enumerate(plan_pass.outputs) if f"'{key}'" in report.message]
    return dataclasses.replace(plan_pass, looked_at=numbers[0]) if numbers else plan_pass


class PageRecorder:
    """Records in the session's present state; `step` does the work of one frame of a window, `run` all of it."""

    def __init__(
        self,
        session: DebugSession,
        report: Report,
        capture: Capture,
        expected: Mapping[str, Expected],
        seconds: float = RECORDING_SECONDS,
    ) -> None:
        """`expected` holds by key what each pass should have computed from its actual inputs."""
        self._session = session
        self._seconds, self._spent = seconds, 0.0
        self._found: dict[str, list[RecordedElement]] = {}
        self._waiting = list(self._in_turns(self._chosen(report, capture, expected)))
        self._count = len(self._waiting)

    @property
    def progress(self) -> float:
        """The share of the work that is done, by elements or by time."""
        done = 1.0 - len(self._waiting) / self._count if self._count else 1.0
        return max(done, min(self._spent / self._seconds, 1.0) if self._seconds else 1.0)

    @property
    def recordings(self) -> Recordings:
        """What has been recorded so far."""
        return MappingProxyType({name: tuple(elements) for name, elements in self._found.items()})

    def step(self) -> bool:
        """Records one element; False when nothing is left, or the time is over."""
        if not self._waiting or self._spent >= self._seconds:
            return False
        start = time.monotonic()
        shader_pass, chosen = self._waiting.pop(0)
        self._found.setdefault(shader_pass.name, []).append(self._recorded(shader_pass, chosen))
        self._spent += time.monotonic() - start
        return True

    def run(self) -> Recordings:
        """Records everything at once."""
        while self.step():
            pass
        return self.recordings

    def _chosen(
        self, report: Report, capture: Capture, expected: Mapping[str, Expected]
    ) -> list[tuple[Pass, tuple[ChosenElement, ...]]]:
        found = []
        for each in report.passes:
            planned = self._session.plan.find(each.name)
            if planned is None or each.verdict in UNBLAMED or each.isolated is None:
                continue
            shader_pass = viewed_pass(planned, each)
            key = shader_pass.output
            if key in capture.tensors and key in expected:
                wrong = wrong_elements(capture.tensors[key], expected[key])
                stored = self._session.plan.textures[key]
                found.append((shader_pass, chosen_elements(stored, wrong, each.isolated.worst)))
        return found

    @staticmethod
    def _in_turns(
        chosen: list[tuple[Pass, tuple[ChosenElement, ...]]],
    ) -> Iterator[tuple[Pass, ChosenElement]]:
        """Yields the first element of every pass, then all of the first wrong pass, then one of each other in turns."""
        for shader_pass, elements in chosen:
            yield shader_pass, elements[0]
        for shader_pass, elements in chosen[:1]:
            yield from ((shader_pass, element) for element in elements[1:])
        for turn in range(1, max((len(elements) for _, elements in chosen[1:]), default=0)):
            for shader_pass, elements in chosen[1:]:
                if turn < len(elements):
                    yield shader_pass, elements[turn]

    def _recorded(self, shader_pass: Pass, chosen: ChosenElement) -> RecordedElement:
        session = self._session
        stored = session.plan.textures[shader_pass.output]
        texel = stored.layout.texel_of(stored.shape, chosen.element)
        inputs: tuple[InputTexels, ...] = ()
        sites: tuple[SiteCount, ...] = ()
        judged, problem = False, ""
        try:
            taps = session.taps(shader_pass.called, chosen.element)
            found = (input_texels(taps, session.plan.textures[key]) for key in shader_pass.reads)
            inputs = tuple(each for each in found if each.right or each.unexpected or each.missing)
            sites, judged = site_counts(taps), taps.expected is not None
        except TexelscopeError as error:
            problem = str(error)
        if not chosen.is_traced:
            return RecordedElement(chosen, texel, inputs, sites, judged, problem)
        trace, summed, trace_problem = self._traced(shader_pass, chosen.element)
        return RecordedElement(chosen, texel, inputs, sites, judged, problem, trace, summed, trace_problem)

    def _traced(self, shader_pass: Pass, element: int) -> tuple[Trace | None, FragmentSum | None, str]:
        try:
            trace = self._session.trace(shader_pass.called, element)
            summed = sums(self._session, trace)
        except TexelscopeError as error:
            return None, None, str(error)
        return trace, summed, ""
