"""Gathers the evidence about one pass, draw by draw, on the thread that owns the GL context.

A step is at most one draw of the pass, so that a window can run between steps. The session's state is restored when all
are done.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import rounding_by_storage
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.diagnose.evidence.cut_off_loops import cut_off_loops, may_be_cut_off, rows_first
from texelscope.pipeline.diagnose.evidence.evidence import (
    Evidence,
    ReadTensor,
    RedrawnPass,
    inputs_of,
    other_constants,
    recorded_elements,
)
from texelscope.pipeline.diagnose.evidence.held_out_inputs import drawn_on_fresh_inputs
from texelscope.pipeline.diagnose.evidence.interventions import (
    OTHER_BYTES,
    OTHERS,
    SECOND_SENTINEL,
    SECOND_SENTINEL_BYTES,
    SENTINEL,
    SENTINEL_BYTES,
    Intervention,
    Redrawer,
    Redraws,
    dispatched_again,
    fill,
    held_texels,
)
from texelscope.pipeline.diagnose.evidence.not_finite import origins
from texelscope.pipeline.diagnose.evidence.rebound import rebound
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.evidence.unset_uniforms import ExpectedElements, shows_only_if_set, unset_uniforms
from texelscope.pipeline.diagnose.evidence.variants import MOVES, in_full_precision, moved_reads, samples
from texelscope.pipeline.diagnose.tracing.traced import with_graph
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.passes import LONG_MS
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.pipeline.read_trace.expected import ReadTrace, taps
from texelscope.pipeline.read_trace.recorder import ReadRecorder
from texelscope.pipeline.symbolic.pass_divergences import observing

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Texels = NDArray[np.float32]

# A slower pass is redrawn in part.
_WHOLE_MS = 40.0
# A driver may time only the submission of work; a run this slow by the clock is not just waiting for a core.
_BY_CLOCK_MS = 1000.0
# All redraws of a pass together, by the clock; a part of a target may take as long as the whole.
_REDRAWN_SECONDS = 4.0
# So many rows are drawn first where a value is tried.
_FEW_ROWS = 2
# Reads kept of a pass, element by element; a nearly endless loop has hundreds of thousands.
_MOST_READS = 1 << 17
# How far a form and the pass's own program may round apart: of a value, and of the largest one.
_ROUNDED, _ROUNDED_OF_LARGEST = 1e-3, 1e-5
TOO_LONG = "Its reads are not recorded: each run of it takes seconds."
RUN_ONCE = "It was run only once, as a run takes seconds: unwritten texels and differences between runs are unknown."
REDRAWN_LONG = f"redraws of it took {_REDRAWN_SECONDS:g} s"
NOT_RECORDED = "It ran as a form, whose reads are not recorded, and its own program gives other values."


class Gathering:
    """Gathers evidence step by step: call `step` until it returns False, then read `evidence`."""

    def __init__(
        self, session: Session, capture: Capture, name: str, wrong: NDArray[np.bool_], traced: Plan | None = None
    ) -> None:
        """`name` is that of a pass, or an output's key; `wrong` masks its wrong elements, in its shape.

        `traced` is the session's plan with the graph of the pass's function, if that was looked for already.
        """
        found = session.plan.find(name)
        assert found is not None
        self._session = session
        self._capture = capture
        self._pass: Pass = found
        self._plan, self._traced = session.plan, traced
        self._wrong = wrong.reshape(-1)
        self._found: dict[str, Any] = {}
        self._redrawn: dict[str, RedrawnPass] = {}
        self._facts: dict[str, Any] = {}
        self._taps: list[ReadTrace] = []
        self._interventions: dict[str, Intervention] = {}
        self._fresh: list[Evidence] = []
        self._program = session.program_source(found.name)
        self._form: Lowering | None = None
        self._steps = self._gather()
        self._done, self._count = 0, 12
        self._redrawn_seconds = 0.0

    @property
    def progress(self) -> float:
        """Returns roughly the share of work that is done."""
        return min(self._done / self._count, 1.0)

    def step(self) -> bool:
        """Does a little work; False if nothing is left. Raises TexelscopeError if the pass cannot be run."""
        self._session.make_current()
        try:
            with np.errstate(all="ignore"):  # wrong values, and inputs made of them, may be any numbers
                next(self._steps)
        except StopIteration:
            self._done = self._count
            return False
        self._done += 1
        return True

    def run(self) -> Evidence:
        """Runs all steps at once."""
        while self.step():
            pass
        return self.evidence

    def close(self) -> None:
        """Stops early and restores what an unfinished step changed in the session."""
        self._steps.close()

    @property
    def evidence(self) -> Evidence:
        """Returns the evidence, which is complete once `step` returned False."""
        form = self._form
        return Evidence(
            plan=self._plan,
            shader_pass=self._pass,
            program=ProgramSource("", form.steps[0].program.files) if form is not None else self._program,
            vertex=""
            if form is not None or self._pass.dispatch is not None
            else self._session.vertex_text(self._pass.name),
            capture=self._capture,
            interventions=dict(self._redrawn),
            taps=tuple(self._taps),
            facts=dict(self._facts),
            fresh=tuple(self._fresh),
            **self._found,
        )

    # -- steps ---------------------------------------------------------------------------------------------

    def _gather(self) -> Generator[None, None, None]:
        session, each = self._session, self._pass
        self._found["texels"] = session.texels(each.output)
        self._found["reads"] = tuple(
            ReadTensor(
                sampler, StoredValues(session.plan.textures[sampler.key], session.texels(sampler.key), sampler.wrap)
            )
            for sampler in each.readers
        )
        values = {read.tensor: read.values.elements for read in self._found["reads"]}
        self._plan = self._traced or with_graph(session.plan, each, values)
        self._facts["other_constants"] = other_constants(session.plan, self._found["reads"])
        yield
        self._found["divergences"] = yield from observing(session, self._plan, each, self._wrong)
        self._facts["rebound"] = yield from rebound(session, each, each.output, self._redrawn)
        yield from self._reruns()
        if each.dispatch is not None:
            yield from self._set_uniforms(None)
            yield from self._dispatched()
            yield from self._on_fresh_inputs(None)
            return
        rows = self._rows()
        if not self._is_quick and rows.stop - rows.start == self._found["texels"].shape[0]:  # no part of it is quick
            self._redrawn_seconds = _REDRAWN_SECONDS
        redrawer, recorder = Redrawer(session, each, rows), ReadRecorder(session)
        try:
            if (form := session.form(each.name)) is not None and not (yield from self._own_program_agrees(redrawer)):
                self._form, self._found["taps_missing"] = form, NOT_RECORDED
                yield from self._on_fresh_inputs(None)
                return
            yield from self._set_uniforms(redrawer)
            yield from self._redraws(redrawer)
            if self._found.get("cut_off") is not None:  # what else it draws would take as long and mean as little
                return
            yield from self._record(recorder)
            yield from self._origins()
            yield from self._on_fresh_inputs(redrawer)
        finally:
            redrawer.release()
            recorder.release()

    def _dispatched(self) -> Generator[None, None, None]:
        recorder = ReadRecorder(self._session)
        try:
            if self._is_quick:
                again = dispatched_again(self._session, self._pass, self._program, recorder, self._redrawn)
                self._facts.update((yield from again))
            yield from self._record(recorder)
        finally:
            recorder.release()

    def _reruns(self) -> Iterator[None]:
        """Runs the pass twice on the same inputs: over a sentinel, and if that differs over the target's content."""
        session, each = self._session, self._pass
        if session.is_long(each.name):
            self._found["took_ms"], self._facts["run_once"] = LONG_MS, RUN_ONCE
            return
        before = {key: session.texture(key).read(alignment=1) for key in each.outputs}
        first = self._found["texels"]
        try:
            start = time.perf_counter()
            over_sentinel = self._run_over(SENTINEL, SENTINEL_BYTES)
            if over_sentinel is None:
                return
            took_ms = (time.perf_counter() - start) * 1e3
            self._found["took_ms"] = max(session.gpu_ms(each.name) or 0.0, took_ms if took_ms > _BY_CLOCK_MS else 0.0)
            survivors = self._kept(over_sentinel, SENTINEL, SENTINEL_BYTES)
            if survivors.any():
                survivors &= self._kept(
                    self._run_over(SECOND_SENTINEL, SECOND_SENTINEL_BYTES), SECOND_SENTINEL, SECOND_SENTINEL_BYTES
                )
            self._found["survivors"] = survivors
            yield
            reruns = [over_sentinel]
            if not np.array_equal(over_sentinel, first, equal_nan=True):
                for _ in range(2):
                    for key, data in before.items():
                        session.texture(key).write(data, alignment=1)
                    session.run_pass(each.name)
                    reruns.append(session.texels(each.output))
                    yield
            self._found["reruns"] = tuple(reruns)
        finally:
            for key, data in before.items():
                session.texture(key).write(data, alignment=1)

    def _run_over(self, sentinel: float, of_bytes: tuple[int, ...]) -> Texels | None:
        """Runs the pass over targets that hold a sentinel; returns the texels, None where it did not run."""
        session, each = self._session, self._pass
        for key in each.outputs:
            fill(session.texture(key), session.plan.textures[key], (sentinel, -sentinel), of_bytes)
        return session.texels(each.output) if session.run_pass(each.name) else None

    def _kept(self, texels: Texels | None, sentinel: float, of_bytes: tuple[int, ...]) -> NDArray[np.bool_]:
        """Returns the lanes that hold an element and the sentinel; none of a pass that did not run."""
        stored = self._session.plan.textures[self._pass.output]
        there = stored.layout.address(stored.shape) >= 0
        if texels is None:
            return np.zeros_like(there)
        held = held_texels(stored, (sentinel, -sentinel), of_bytes)
        return np.isclose(texels, held, rtol=0.0, atol=1e-6) & there

    def _own_program_agrees(self, redrawer: Redrawer) -> Generator[None, None, bool]:
        """Whether a pass that ran as a form has the same wrong values in its own program."""
        yield from self._redraw(redrawer, "clean", Intervention())
        drawn = self._redrawn.pop("clean", None)
        if drawn is None:
            return False
        stored = self._session.plan.textures[self._pass.output]
        address = stored.layout.address(stored.shape)[drawn.rows]
        wrong = self._wrong[np.maximum(address, 0)] & (address >= 0)
        ran, now = self._found["texels"][drawn.rows][wrong], drawn.texels[drawn.rows][wrong]
        largest = np.abs(ran[np.isfinite(ran)]).max(initial=0.0)
        alike = np.isclose(now, ran, _ROUNDED, _ROUNDED_OF_LARGEST * largest, equal_nan=True)
        return bool(2 * np.count_nonzero(alike) >= alike.size)

    def _redraws(self, redrawer: Redrawer) -> Iterator[None]:
        program = self._program
        yield from self._redraw(redrawer, "clean", Intervention())
        if "clean" not in self._redrawn:
            return
        yield from self._cut_off(redrawer)
        if self._found.get("cut_off") is not None:
            return
        if self._depends_on_target():
            yield from self._own_target(redrawer)
        if self._differs("clean"):
            as_is = Intervention(unblended=False, viewport=False, unmasked=False)
            yield from self._redraw(redrawer, "as_is", as_is)
            yield from self._redraw(redrawer, "as_is_over_sentinel", dataclasses.replace(as_is, background=SENTINEL))
            yield from self._redraw(redrawer, "unblended", dataclasses.replace(as_is, unblended=True))
            yield from self._redraw(redrawer, "viewport", dataclasses.replace(as_is, viewport=True))
        base = yield from self._in_full_precision(redrawer)
        if samples(program):
            yield from self._redraw(redrawer, "nearest", Intervention(nearest=True, program=base))
            moved = moved_reads(base or program)
            for name, by in MOVES.items() if moved is not None else ():
                yield from self._redraw(redrawer, name, Intervention(program=moved, uniforms={"u_moved": by}))

    def _set_uniforms(self, redrawer: Redrawer | None) -> Generator[None, None, None]:
        """Finds values of unset uniforms with which the pass is right, and draws it with them."""
        each = self._pass
        expected = self._expected() if each.unset and self._is_quick else None
        if expected is None:
            return
        wrong = self._wrong[np.maximum(expected.address, 0)] & (expected.address >= 0)
        few = rows_first(np.asarray(wrong.any(axis=2)))
        redraws = Redraws(self._session, each, redrawer, slice(few[0], few[0] + _FEW_ROWS))
        try:
            settings = yield from unset_uniforms(self._plan, each, redraws, expected)
            if settings:
                self._found["settings"] = settings
                values = {setting.uniform.name: setting.value for setting in settings}
                self._redrawn["set"] = redraws.draw(values)
                self._interventions["set"] = Intervention(settings=values)
            elif shows_only_if_set(each, redraws):
                self._facts["hidden_by_unset"] = tuple(uniform.key for uniform in each.unset)
        except (moderngl.Error, TexelscopeError) as error:
            self._facts["not set"] = str(error)
        finally:
            redraws.release()

    def _set_again(self, intervention: Intervention) -> RedrawnPass:
        """Dispatches the pass with other values of its uniforms."""
        redraws = Redraws(self._session, self._pass, None, slice(0, _FEW_ROWS))
        try:
            return redraws.draw(intervention.settings or {})
        finally:
            redraws.release()

    def _expected(self) -> ExpectedElements | None:
        """Returns what the output should hold; None without an oracle, or if nothing is wrong."""
        plan, each = self._session.plan, self._pass
        stored, oracle = plan.textures[each.output], oracle_of(plan)
        given = inputs_of(plan, each, self._capture, self._found["reads"])
        if oracle is None or not self._wrong.any():
            return None
        expected = oracle.isolated(given, stored.tensor, errors=sampling_errors(plan, each, given))
        if expected is None:
            return None
        value = np.asarray(expected.value, dtype=np.float64).reshape(-1)
        bound = np.broadcast_to(0.0 if expected.bound is None else expected.bound, stored.shape).reshape(-1)
        if stored.storage != "float32":
            bound = bound + rounding_by_storage(expected, stored).reshape(-1)
        if stored.quantization is not None:  # as the shader writes it
            shape = stored.shape
            value, bound = stored.quantization.in_texels(value.reshape(shape), bound.reshape(shape))
            value, bound = value.reshape(-1), bound.reshape(-1)
        return ExpectedElements(value, np.asarray(bound, dtype=np.float64), stored.layout.address(stored.shape))

    def _in_full_precision(self, redrawer: Redrawer) -> Generator[None, None, ProgramSource | None]:
        """Finds the program from which later redraws start, where precision makes a difference."""
        full = in_full_precision(self._program)
        if full is None:
            return None
        yield from self._redraw(redrawer, "highp", Intervention(program=full))
        if "highp" not in self._redrawn or self._same("highp", "clean"):
            return None
        self._facts["before_sampling"] = "highp"
        return full

    def _own_target(self, redrawer: Redrawer) -> Iterator[None]:
        """Decides whether the pass reads its own target: draws it elsewhere, with the target filled in two ways."""
        session, each = self._session, self._pass
        before = {key: session.texture(key).read(alignment=1) for key in each.outputs}
        try:
            for name, values, of_bytes in (
                ("own_target_zero", (0.0,), (0,)),
                ("own_target_other", OTHERS, OTHER_BYTES),
            ):
                for key in each.outputs:
                    fill(session.texture(key), session.plan.textures[key], values, of_bytes)
                yield from self._redraw(redrawer, name, Intervention())
            if {"own_target_zero", "own_target_other"} <= set(self._redrawn):
                self._own_sampler(redrawer)
        finally:
            for key, data in before.items():
                session.texture(key).write(data, alignment=1)

    def _own_sampler(self, redrawer: Redrawer) -> None:
        """Notes the sampler whose unit holds the pass's own target: that GL has it there is the only sure sign."""
        depends = self._redrawn["own_target_zero"].texels != self._redrawn["own_target_other"].texels
        own = redrawer.samplers_of_targets() if depends.any() else ()
        if own:
            self._facts["own_sampler"] = own[0]
            # Elements that depend on the target were written, whatever their values.
            self._found["survivors"] = self._found["survivors"] & ~depends

    def _cut_off(self, redrawer: Redrawer) -> Iterator[None]:
        """Finds loops that the driver cut off, if the text has one that may be, or the results mean nothing."""
        reruns = self._found.get("reruns", ())
        varies = len(reruns) > 2 and not np.array_equal(reruns[1], reruns[2], equal_nan=True)
        if not (self._is_quick and (varies or may_be_cut_off(self._program))):
            return
        stored = self._session.plan.textures[self._pass.output]
        address = stored.layout.address(stored.shape)
        wrong = np.asarray((self._wrong[np.maximum(address, 0)] & (address >= 0)).any(axis=2))
        try:
            self._found["cut_off"] = cut_off_loops(redrawer, self._program, rows_first(wrong))
        except (moderngl.Error, TexelscopeError) as error:
            self._facts["not cut_off"] = str(error)
        yield

    def _on_fresh_inputs(self, redrawer: Redrawer | None) -> Iterator[None]:
        """Runs the pass on held-out inputs, and under the interventions that made a difference."""
        if not self._found.get("reruns") or self._depends_on_target():
            return
        made = {name: each for name, each in self._interventions.items() if name in self._redrawn}
        if not any(self._differs(name) for name in made):
            made = {}

        def redraw() -> dict[str, RedrawnPass]:
            if redrawer is not None:
                return {name: redrawer.draw(each) for name, each in made.items()}
            return {name: self._set_again(each) for name, each in made.items() if each.settings}

        for found in drawn_on_fresh_inputs(self._session, self.evidence, redraw):
            self._fresh.append(found)
            yield

    def _redraw(self, redrawer: Redrawer, name: str, intervention: Intervention) -> Iterator[None]:
        if self._redrawn_seconds >= _REDRAWN_SECONDS:
            self._facts[f"not {name}"] = REDRAWN_LONG
            return
        start = time.perf_counter()
        try:
            self._redrawn[name] = redrawer.draw(intervention)
            if intervention.inputs is None:
                self._interventions[name] = intervention
        except (moderngl.Error, TexelscopeError) as error:
            self._facts[f"not {name}"] = str(error)
        self._redrawn_seconds += time.perf_counter() - start
        yield

    def _origins(self) -> Iterator[None]:
        """Finds where NaN and infinities began."""
        texels, stored = self._found["texels"], self._session.plan.textures[self._pass.output]
        if self._is_quick and not np.isfinite(texels).all():
            values = StoredValues(stored, texels).elements.reshape(-1)
            for origin in origins(self._session, self._pass, values, self._wrong):
                self._found["not_finite"] = (*self._found.get("not_finite", ()), origin)
                yield

    def _record(self, recorder: ReadRecorder) -> Iterator[None]:
        if self._pass.dispatch is not None and not self._is_quick:  # a dispatch would run as a whole for each element
            self._found["taps_missing"] = TOO_LONG
            return
        for element in recorded_elements(self._wrong):
            if sum(len(each.reads) for each in self._taps) > _MOST_READS:
                return
            try:
                self._taps.append(taps(self._session, recorder, self._pass.called, int(element), self._plan.graph))
            except (UnsupportedError, moderngl.Error) as error:
                self._found["taps_missing"] = str(error)
                return
            yield

    # -- choices -------------------------------------------------------------------------------------------

    @property
    def _is_quick(self) -> bool:
        """Whether the pass is fast enough to run many times more."""
        return float(self._found.get("took_ms", 0.0)) < LONG_MS

    def _differs(self, name: str) -> bool:
        """Whether a redraw gave other elements than the run that was compared."""
        return not self._equal(name, self._found["texels"])

    def _same(self, name: str, other: str) -> bool:
        """Whether two redraws gave the same elements."""
        return self._equal(name, self._redrawn[other].texels)

    def _equal(self, name: str, texels: Texels) -> bool:
        rows = self._redrawn[name].rows
        stored = self._session.plan.textures[self._pass.output]
        there = stored.layout.address(stored.shape)[rows] >= 0
        return np.array_equal(self._redrawn[name].texels[rows][there], texels[rows][there], equal_nan=True)

    def _depends_on_target(self) -> bool:
        """Whether a run over a sentinel differs from the run that was compared."""
        reruns = self._found.get("reruns", ())
        stored = self._session.plan.textures[self._pass.output]
        there = stored.layout.address(stored.shape) >= 0
        return bool(reruns) and not np.array_equal(reruns[0][there], self._found["texels"][there], equal_nan=True)

    def _rows(self) -> slice:
        """Returns the texel rows to redraw: all, or a band with wrong elements if the pass is slow."""
        stored = self._session.plan.textures[self._pass.output]
        height = stored.texture_shape[0]
        took = self._found.get("took_ms", 0.0)
        if took <= _WHOLE_MS:
            return slice(0, height)
        count = max(min(height, 4), int(height * _WHOLE_MS / took))
        address = stored.layout.address(stored.shape)
        wrong = (self._wrong[np.maximum(address, 0)] & (address >= 0)).any(axis=(1, 2)).astype(np.int64)
        start = int(np.argmax(np.convolve(wrong, np.ones(count, dtype=np.int64), mode="valid")))
        return slice(start, start + count)
