"""Tries the model's numbers in place of a wrong pass's differing literals, before anything else is known of it.

What makes every value right, on held-out inputs too, is a repair like any other, and names the cause.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.hypotheses.literals import SURE_NUMBERS, described
from texelscope.pipeline.diagnose.tracing.traced import with_graph
from texelscope.pipeline.diagnose.written_weights.of_pass import LiteralRepair, has_literals, literal_repairs
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.repair.found_repairs import FoundRepairs
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session
    from texelscope.pipeline.plan import Plan

# Each set of literals costs a program.
_MOST = 6


class ComparingWeights:
    """Compares the weights written in one pass's shader, step by step: call `step` until it returns False. GL thread.

    `findings` and `repairs` are empty where the literals are right, or are not the only fault. `traced` is the plan
    with the graph of the pass's function, None where that was not looked for: it may take seconds.
    """

    def __init__(self, session: Session, name: str) -> None:
        self._session, self._pass = session, session.plan.pass_called(name)
        self._steps = self._compare()
        self.repairs: tuple[Repair, ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self.traced: Plan | None = None

    def step(self) -> bool:
        """Does a little work; False if nothing is left."""
        self._session.make_current()
        with np.errstate(all="ignore"):
            return next(self._steps, self) is not self

    def close(self) -> None:
        """Stops early."""
        self._steps.close()

    def _compare(self) -> Generator[None, None, None]:
        session, shader_pass = self._session, self._pass
        program = session.program_source(shader_pass.name)
        if shader_pass.from_operator or session.is_long(shader_pass.name) or not has_literals(program):
            return
        try:
            plan = session.plan
            if plan.graph is None:  # the graph of a function is found by the values that it gets
                keys = [sampler.key for sampler in shader_pass.readers]
                stored = [StoredValues(plan.textures[key], session.texels(key)) for key in keys]
                plan = with_graph(plan, shader_pass, {each.stored.tensor: each.elements for each in stored})
                self.traced = plan
            yield
            candidates = [*itertools.islice(literal_repairs(plan, shader_pass, program), _MOST)]
            if candidates:
                yield from self._tried(candidates)
        except TexelscopeError:  # whatever cannot run or be judged here is left to the evidence
            return

    def _tried(self, candidates: list[LiteralRepair]) -> Generator[None, None, None]:
        """Tries the candidates in order, until one makes the pass right."""
        session, shader_pass = self._session, self._pass
        # Another number in a text that ran can do no harm to a driver.
        harness = Harness(session, shader_pass, is_rehearsed=False)
        found = FoundRepairs(session, shader_pass)
        try:
            evaluator = Evaluator(harness, Standard(session.plan, shader_pass))
            plain = harness.variant(harness.program.fragment)
            try:
                is_as_it_ran = evaluator.begin(plain, {key: session.tensor(key) for key in evaluator.wanted})
            finally:
                plain.release()
            for candidate in candidates if is_as_it_ran else ():
                yield
                yield from found.written(harness, evaluator, [candidate.edits])
                if found.repairs:
                    self.repairs, self.findings = found.repairs, (_finding(candidate, found.repairs[0]),)
                    return
        finally:
            found.release()
            harness.release()


def _finding(candidate: LiteralRepair, repair: Repair) -> Finding:
    says, parameters = described(candidate.numbers)
    places = dict.fromkeys(candidate.places)
    file, line = candidate.places[0]
    with_them = "that number" if len(candidate.numbers) == 1 else "those numbers"
    return Finding(
        cause=causes.WRONG_LITERAL.name,
        parameters=parameters,
        explained=1.0,
        residual=0.0,
        shader=file,
        line=line,
        evidence=f"{says}: with {with_them}, all {repair.elements:,} elements match, on {repair.inputs_tried} inputs.",
        remedy=causes.WRONG_LITERAL.remedy,
        made=candidate.places[0] if len(places) == 1 else None,
        sure=len(candidate.numbers) <= SURE_NUMBERS,
        repair=repair,
    )
