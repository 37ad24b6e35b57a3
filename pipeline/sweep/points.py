"""One size in one layout and precision on one device: run, compared, and named where it is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, Finding, PassReport
from texelscope.pipeline.diagnose.naming import WRONG, diagnose
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.opening import Prepare, open_session, set_inputs
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.debug_session import DebugSession

State = Literal["right", "wrong", "not run"]


@dataclass(frozen=True)
class SweepPoint:
    """What one run showed. `sizes` by brace, `shapes` by input; `wrong` is the first pass that is, with its findings.

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
    """Runs the target at one size; `named` diagnoses what is wrong. What cannot be opened or run is no error here."""
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
    """What is wrong with a pass; what mends it is the same at every size, and is not looked for at each."""
    return diagnose(session, comparer, capture, name, repair_seconds=0.0).findings
