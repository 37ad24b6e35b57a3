"""Tries one size in one layout and precision on one device, and finds the size at which a pass begins to be wrong."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, Finding, PassReport
from texelscope.pipeline.diagnose.naming import WRONG, diagnose
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.opening import Prepare, open_session, set_inputs
from texelscope.pipeline.sweep.braces import Brace
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.debug_session import DebugSession


State = Literal["right", "wrong", "not run"]


@dataclass(frozen=True)
class SweepPoint:
    """The result of one run. `sizes` by brace, `shapes` by input; `wrong` is the first wrong pass, with its findings.

    `message` says why it could not run, or that nothing could be compared.
    """

    sizes: Mapping[str, int]
    shapes: Mapping[str, Shape]
    state: State
    wrong: PassReport | None = None
    message: str = ""
    findings: tuple[Finding, ...] = field(default=())


def try_point(
    target: Target,
    sizes: Mapping[str, int],
    shapes: Mapping[str, Shape],
    context: moderngl.Context,
    prepare: Prepare | None = None,
    *,
    named: bool = False,
) -> SweepPoint:
    """Runs the target at one size; `named` diagnoses what is wrong. A failure to open or run is no error here."""
    known = MappingProxyType({**target.options.shapes, **shapes})
    target = dataclasses.replace(target, options=dataclasses.replace(target.options, shapes=known))
    try:
        with open_session(target.path, target.options, context) as session:
            set_inputs(session, target)
            if prepare is not None:
                prepare(session)
            session.run()
            capture, comparer = session.capture(), Comparer(session.plan)
            judged = 0
            for each in session.plan.passes:
                report = comparer.alone(capture, each.name)
                judged += report.verdict not in ("not_compared", "not_run")
                if report.verdict not in UNBLAMED:
                    may_name = named and report.verdict in WRONG
                    findings = _findings(session, comparer, capture, each.name) if may_name else ()
                    return SweepPoint(sizes, shapes, "wrong", report, findings=findings)
            if session.plan.not_run or not judged:
                reason = session.plan.not_run[0].reason if session.plan.not_run else "Nothing could be compared."
                return SweepPoint(sizes, shapes, "not run", message=reason)
            return SweepPoint(sizes, shapes, "right")
    except (TexelscopeError, MemoryError) as error:
        return SweepPoint(sizes, shapes, "not run", message=str(error) or "Not enough memory.")


def _findings(session: DebugSession, comparer: Comparer, capture: Capture, name: str) -> tuple[Finding, ...]:
    """Diagnoses a pass; its repair is the same at every size, and is not searched at each."""
    return diagnose(session, comparer, capture, name, repair_seconds=0.0).findings


# Sizes that do not run are stepped over so often before a stretch is left as it is.
_STEPS = 6

Try = Callable[[Mapping[str, int]], SweepPoint]


@dataclass
class BoundarySearch:
    """Searches once over the braces; `points` are all that were tried, in order."""

    braces: Sequence[Brace]
    attempt: Try
    end: float
    points: list[SweepPoint] = field(default_factory=list)

    def smallest(self) -> SweepPoint | None:
        """Returns the smallest sizes found wrong: every brace as small as it may be with the others fixed."""
        values = self._first_wrong()
        if values is None:
            return None
        for brace in self.braces:
            values = {**values, brace.text: self._shrunk(brace, values)}
        return self._at(values)

    @property
    def ended(self) -> bool:
        """Whether time ran out."""
        return time.monotonic() > self.end

    def _first_wrong(self) -> dict[str, int] | None:
        """Raises all braces through their probes together until something is wrong."""
        probes = {brace.text: brace.probes for brace in self.braces}
        count = max((len(each) for each in probes.values()), default=1)
        for step in range(count):
            values = {text: each[_scaled(step, count, len(each))] for text, each in probes.items()}
            if self._at(values).state == "wrong":
                last = {brace.text: brace.values[-1] for brace in self.braces}
                if last != values and not self.ended:
                    self._at(last)  # whether it stays wrong
                return values
            if self.ended:
                break
        return None

    def _shrunk(self, brace: Brace, values: Mapping[str, int]) -> int:
        """Returns the smallest wrong value of one brace, the others fixed: bisects below the first wrong probe."""
        now = values[brace.text]
        right = -1
        for probe in brace.probes:
            if probe >= now or self.ended:
                break
            state = self._at({**values, brace.text: probe}).state
            if state == "wrong":
                now = probe
                break
            if state == "right":
                right = probe
        return self._bisected(brace, values, right, now) if right >= 0 else now

    def _bisected(self, brace: Brace, values: Mapping[str, int], right: int, wrong: int) -> int:
        """Returns the smallest wrong value between a right one and a wrong one."""
        low, high = brace.values.index(right), brace.values.index(wrong)
        while high - low > 1 and not self.ended:
            middle = (low + high) // 2
            for place in _nearby(low, middle, high):
                state = self._at({**values, brace.text: brace.values[place]}).state
                if state != "not run":
                    low, high = (place, high) if state == "right" else (low, place)
                    break
            else:
                break
        return brace.values[high]

    def _at(self, values: Mapping[str, int]) -> SweepPoint:
        for point in self.points:
            if point.sizes == values:
                return point
        point = self.attempt(values)
        self.points.append(point)
        return point


def _scaled(step: int, count: int, length: int) -> int:
    """Returns the place of step `step` of `count` in a list of `length`."""
    return round(step * (length - 1) / (count - 1)) if count > 1 else 0


def _nearby(low: int, middle: int, high: int) -> list[int]:
    """Returns places between both, nearest to the middle first."""
    places = [middle, *(middle + sign * far for far in range(1, _STEPS) for sign in (1, -1))]
    return [place for place in places if low < place < high]
