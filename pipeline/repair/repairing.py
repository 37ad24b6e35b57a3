"""Searches for repairs of one wrong pass, step by step: single mutations, then combinations with helpful ones.

Every mutation is tried where the pass is wrong; if it fixes that, everywhere, and then on held-out inputs. Last, the
author's own text is edited and run again: only what is right there is a repair.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import GENERATED, Line
from texelscope.pipeline.repair.attempts import Attempts
from texelscope.pipeline.repair.candidate_pool import EffectGroup, Leftover, halves_of
from texelscope.pipeline.repair.found_repairs import FoundRepairs
from texelscope.pipeline.repair.harness.evaluator import Chosen, Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.held_out_inputs import Inputs, Standard, followed
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.model_numbers import rows_of, scalars_of, sizes_of
from texelscope.pipeline.repair.pairs import Pairs
from texelscope.pipeline.repair.pipeline_file_repairs.numbers import OtherNumbers
from texelscope.pipeline.repair.pipeline_file_repairs.tried import (
    bound_otherwise,
    newly_set,
    otherwise_bound,
    otherwise_sized,
    otherwise_switched,
    rebound,
)
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import SearchHints, is_laborious, is_near, programs
from texelscope.pipeline.repair.programs.pairing import together
from texelscope.pipeline.repair.read_diff import Readings, readings
from texelscope.pipeline.repair.text.beyond_schemata import bracketed, raised, reordered

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Seconds of a search.
SECONDS = 20.0
# Single mutations up to this rank come before pairs of helpful ones. The share of the search spent on single ones.
_OF_PAIRS, _SINGLY = 1, 0.5
# Mutations tried at several similar places; helpful mutations that are tried at every place.
_TOGETHER, _PURSUED = 1500, 8
# The share for alternatives to a repair where the fault is already located.
_BESIDE = 0.15
# The share for mistakes repeated at several places.
_OF_SLIPS = 0.3
# The share for pairs before the last rank of single mutations; the share after which they get that at the latest if
# some mutation helps much, and the one after which they get the rest.
_PAIRS, _LATEST, _LAST = 0.2, 0.5, 0.85
# This many strong mutations are combined with repeated mistakes and with numbers, each for this share.
_STRONG, _BEHIND = 2, 0.1
# The share for solving for numbers.
_OF_NUMBERS = 0.2
# The share for layouts and other settings of the pipeline file.
_OF_BINDINGS = 0.15
# The fewest seconds for other numbers of the pipeline file, and those beside an edit of the text that is right.
_FEWEST_SECONDS, _BESIDE_TEXT = 1.0, 0.3
# At most this many spellings of the values of unset uniforms are tried.
_MOST_SPELLED = 6
# The share for pairs after each rank.
_QUICKLY = 0.05


class Repairing:
    """Searches for repairs of a pass, step by step: call `step` until it returns False. GL thread.

    The session's state is left alone. `repairs` has those found so far, the shortest first.
    """

    def __init__(self, session: Session, name: str, clues: SearchHints, seconds: float = SECONDS) -> None:
        self._session = session
        self._pass = session.plan.pass_called(name)
        self._clues = clues
        self._sizes, self._rows = sizes_of(session.plan, self._pass), rows_of(session.plan, self._pass)
        self._scalars = scalars_of(session.plan, self._pass)
        self._seconds = seconds
        self._end: float | None = None
        self._share = 0.0
        self._elsewhere = False
        self._edits: list[Mutant] | None = None  # those of the unchanged text
        self._attempts: Attempts | None = None
        self._others: Sequence[Inputs] | None = None
        self._is_fitted, self._is_behind = False, False
        self._leftover = Leftover(clues.partners, seconds)
        self._found = FoundRepairs(session, self._pass, clues.blamed)
        self._steps = self._search()
        # For each edit of the shortest repair the difference of reads that it makes, once the search is over.
        self.readings: Readings = ()
        # Without a repair, mutations that may each fix one of two faults, the likeliest first.
        self.single_fault_outputs: tuple[EffectGroup, ...] = ()

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Returns the repairs found so far, the shortest first."""
        return self._found.repairs

    @property
    def only_translated(self) -> tuple[LineEdit, ...]:
        """Returns edits that repair a translation and cannot be written in the author's language; mostly none."""
        return self._found.only_translated

    @property
    def progress(self) -> float:
        """Returns roughly the share of the search that is done."""
        return self._share

    @property
    def is_without(self) -> bool:
        """Whether the whole search has ended without a repair."""
        is_found = bool(self.repairs or self.only_translated)
        return self._share == 1.0 and self._attempts is not None and not is_found

    @property
    def made(self) -> Line | None:
        """Returns the line that all repairs change, if there is one and all are in the author's text."""
        lines = {(edit.file, edit.line) for repair in self.repairs for edit in repair.edits}
        return next(iter(lines)) if len(lines) == 1 and not self._is_elsewhere else None

    @property
    def partnered(self) -> tuple[tuple[LineEdit, ...], int, float | None, bool] | None:
        """Returns a mutation that fixes one of two faults, with the cause that it leaves; see `Leftover.known`."""
        return self._leftover.known

    def step(self) -> bool:
        """Does a little work; False if nothing is left, or if the time is over."""
        self._session.make_current()
        if self._end is None:
            self._end = time.monotonic() + self._seconds
        with np.errstate(all="ignore"):  # mutations may give any numbers
            ended = next(self._steps, self) is self
        if ended:
            self._share = 1.0
            return False
        return True

    def run(self) -> tuple[Repair, ...]:
        """Runs all steps at once."""
        while self.step():
            pass
        return self.repairs

    def close(self) -> None:
        """Stops early; the repairs found so far stay."""
        self._steps.close()

    # -- the search ----------------------------------------------------------------------------------------

    def _search(self) -> Generator[None, None, None]:
        is_long = self._session.is_long(self._pass.name)
        if is_long and self._pass.dispatch is not None:  # a dispatch cannot run in part
            return
        bindings = () if is_long else self._clues.bindings
        try:
            yield from self._newly_set()
            if self.repairs:
                return
            for repair in (yield from rebound(self._session, self._pass, bindings)):
                yield from self._found.keep_of_file(repair)
            late = self._is_after(_OF_BINDINGS)
            for repair in (yield from otherwise_bound(self._session, self._pass, late)) if not is_long else ():
                yield from self._found.keep_of_file(repair)
            for repair in (yield from otherwise_switched(self._session, self._pass, late)) if not is_long else ():
                yield from self._found.keep_of_file(repair)
        except TexelscopeError:
            pass
        if not is_long and not self.repairs:
            of_inputs = self._clues.of_other_inputs
            for repair in (yield from bound_otherwise(self._session, self._pass, self._is_late, exchanged=of_inputs)):
                yield from self._found.keep_of_file(repair)
        if self._clues.of_plan:
            return
        try:
            harness = Harness(self._session, self._pass)
        except TexelscopeError:
            return
        try:
            yield from self._on(harness)
        except TexelscopeError:
            return
        finally:
            harness.release()

    def _newly_set(self) -> Generator[None, None, None]:
        """Sets the uniforms that a finding names, by each spelling of their values until one holds at other sizes."""
        settings = self._clues.settings
        spelled = [texts for _, texts in settings]
        for number, texts in enumerate(itertools.zip_longest(*spelled)):
            values = [(key, text or of[-1]) for (key, of), text in zip(settings, texts, strict=True)]
            if number == _MOST_SPELLED or any(repair.sizes_tried > 1 for repair in self.repairs):
                return
            for repair in (yield from newly_set(self._session, self._pass, values)):
                yield from self._found.keep_of_file(repair)

    def _on(self, harness: Harness) -> Generator[None, None, None]:
        evaluator = Evaluator(harness, Standard(self._session.plan, self._pass), self._clues.single_fault_outputs)
        yield
        actual = {key: self._session.tensor(key) for key in evaluator.wanted}
        text = MutableProgram(harness.program)
        plain = harness.variant(text.schemata(()).program.fragment)
        try:
            is_as_it_ran = evaluator.begin(plain, actual)
            yield
            if is_as_it_ran:
                yield from self._leftover.know(evaluator, plain)
                single_fault_outputs = len(self._clues.single_fault_outputs)
                attempts = Attempts(
                    harness, evaluator, text, self._found, self._leftover, single_fault_outputs, self._is_late
                )
                self._attempts = attempts
                yield from self._plainly(harness, evaluator)
                sized = otherwise_sized(self._session, harness.shader_pass, plain, evaluator, self._is_late)
                for repair in (yield from sized):
                    yield from self._found.keep_of_file(repair)
                yield from self._of_text(attempts)
                yield from self._otherwise_numbered(harness, plain, evaluator)
                if self.repairs:
                    self.readings = readings(harness, self._session, self.repairs[0], evaluator.wrong)
                elif self._clues.partners is not None:  # else their residuals do not matter
                    read = partial(readings, harness, self._session, wrong=evaluator.wrong)
                    self.single_fault_outputs = tuple(halves_of(harness, text, attempts.noted, read))
        finally:
            plain.release()
            self._found.release()

    def _otherwise_numbered(
        self, harness: Harness, plain: Variant, evaluator: Evaluator
    ) -> Generator[None, None, None]:
        """Tries other numbers in the pipeline file, also where the text has taken all of the time.

        Where an edit of the text is right at several sizes, only the first few numbers are tried.
        """
        numbers = tuple(dict.fromkeys((*self._clues.numbers, *self._scalars, *self._sizes)))
        is_repaired = any(repair.sizes_tried > 1 for repair in self.repairs)
        seconds = _BESIDE_TEXT if is_repaired else max(_OF_BINDINGS * self._seconds, _FEWEST_SECONDS)
        end = time.monotonic() + seconds
        others = OtherNumbers(self._session, harness.shader_pass, plain, evaluator, numbers)
        yield from others.run(lambda: time.monotonic() > end)
        self._elsewhere |= others.is_cured
        for repair in others.repairs:
            yield from self._found.keep_of_file(repair)

    @property
    def _is_elsewhere(self) -> bool:
        """Whether a repair outside the author's text was found."""
        return self._elsewhere or (self._attempts is not None and self._attempts.is_elsewhere)

    def _plainly(self, harness: Harness, evaluator: Evaluator) -> Generator[None, None, None]:
        """Tries what no mutant schema can express: precision, if values are rounded; brackets, declarations."""
        precisions = raised(harness.program) if self._clues.is_rounded else ()
        for edits in itertools.chain(precisions, bracketed(harness.program), reordered(harness.program)):
            yield from self._found.written(harness, evaluator, [edits])
            if self.repairs or self._is_late():
                return

    def _of_text(self, attempts: Attempts) -> Generator[None, None, None]:
        """Tries mutations alone, then at every similar place, and in pairs."""
        lines = attempts.text.behind(self._found.sources.behind(self._clues.lines))
        pairs = Pairs(attempts, lines, self._programs_of)
        yield from self._singly(attempts, pairs, lines)
        yield from self._everywhere(attempts)
        self._share = max(self._share, _SINGLY)
        yield from pairs.search(self._seconds)
        yield from self._behind(attempts, pairs, lines)
        yield from pairs.search_on()
        yield from attempts.doubted(self._followed)

    def _singly(self, attempts: Attempts, pairs: Pairs, lines: Sequence[Line]) -> Generator[None, None, None]:
        """Tries single mutations, rank by rank, until one fixes the pass; before the last rank pairs of a schema."""
        plans = self._programs(self._editable(attempts.text), lines)
        are_together, latest = False, [_LATEST, _LAST]
        ahead = deque[tuple[Sequence[Mutant], Sequence[Chosen]]]()
        for number, (rank, some) in enumerate(plans):
            is_next = number > 0 and rank > plans[number - 1][0]
            if not self.repairs:
                yield from attempts.of_halves()
            if not are_together and (rank > _OF_PAIRS or (rank == _OF_PAIRS and is_laborious(some))):
                are_together = True
                with attempts.within(_OF_SLIPS * self._seconds):
                    yield from self._together(attempts, attempts.text, lines)
            while latest and self._spent > latest[0] and not self.repairs:
                is_last = latest.pop(0) == _LAST
                yield from attempts.doubted(self._followed)
                yield from self._fitted(attempts)
                yield from attempts.look_around()
                if is_last:
                    yield from self._behind(attempts, pairs, lines)
                if is_last or pairs.are_likely:
                    yield from pairs.search(self._seconds * (1.0 if is_last else _PAIRS))
            if is_next and not self.repairs:
                is_widely = rank > _OF_PAIRS and _LATEST in latest
                yield from pairs.search(self._seconds * (_PAIRS if is_widely else _QUICKLY), widely=is_widely)
                latest = [share for share in latest if not is_widely or share > _LATEST]
            if is_next and self.repairs:
                rest = [edit for _, each in plans[number:] for edit in each]
                with attempts.within(_BESIDE * self._seconds):
                    yield from self._beside(attempts, rest, lines)
            if self._is_late() or (is_next and self.repairs):
                return
            edits, chosen = ahead.popleft() if ahead else (some, ())
            for of_rank, following in plans[number + 1 + len(ahead) : number + 1 + AT_ONCE]:
                ahead.append(pairs.beside(following, are_last=of_rank > _OF_PAIRS))
            yield from attempts.mend(attempts.text, edits, [each for each, _ in ahead], chosen)
            self._share = _SINGLY * (number + 1) / len(plans)
        if not self.repairs:
            yield from attempts.of_halves()
            yield from self._fitted(attempts)

    def _fitted(self, attempts: Attempts) -> Generator[None, None, None]:
        """Solves once for unknown numbers."""
        if not self._is_fitted and not self.repairs:
            self._is_fitted = True
            with attempts.within(_OF_NUMBERS * self._seconds):
                yield from attempts.fit(attempts.text)

    def _beside(
        self, attempts: Attempts, edits: Sequence[Mutant], lines: Sequence[Line]
    ) -> Generator[None, None, None]:
        """Searches briefly for alternatives near the known fault: the first repair need not be the real one."""
        own = {(edit.file, edit.line) for repair in self.repairs for edit in repair.edits}
        near = [edit for edit in edits if edit.line in own or is_near(edit, lines)]
        for _, some in self._programs(near, [*own]):
            if attempts.is_late() or is_laborious(some):
                return
            yield from attempts.mend(attempts.text, some)

    def _together(self, attempts: Attempts, text: MutableProgram, lines: Sequence[Line]) -> Generator[None, None, None]:
        """Tries mistakes that are repeated at several places."""
        plans = together(text.edited(()), self._editable(text), lines, _TOGETHER)
        for number, each in enumerate(plans):
            if attempts.is_over:
                return
            following = [later.edits for later in plans[number + 1 : number + 1 + AT_ONCE]]
            yield from attempts.mend(text, each.edits, following, each.chosen, are_slips=True)

    def _behind(self, attempts: Attempts, pairs: Pairs, lines: Sequence[Line]) -> Generator[None, None, None]:
        """Combines once each strong mutation with what no single mutation fixes: repeated mistakes, and numbers."""
        firsts = [] if self._is_behind else pairs.strong[:_STRONG]
        self._is_behind |= bool(firsts)
        for first in firsts:
            text = attempts.text.after(first)
            with attempts.within(_BEHIND * self._seconds):
                if not attempts.is_over:
                    yield from self._together(attempts, text, lines)
                if not attempts.is_over:
                    yield from attempts.fit(text)

    def _everywhere(self, attempts: Attempts) -> Generator[None, None, None]:
        """If no mutation fixes the pass alone, tries the helpful ones at every similar place."""
        every: dict[tuple[str, str], list[Mutant]] = {}
        helping = [edit for each in attempts.noted.helping() for edit in each.edits]
        for edit in self._editable(attempts.text) if helping and not attempts.is_over else ():
            every.setdefault((edit.proposal.old, edit.proposal.new), []).append(edit)
        alike = dict.fromkeys((edit.proposal.old, edit.proposal.new) for edit in helping)
        found = [tuple(every.get(each, ())) for each in alike]
        for some in [each for each in found if len(each) > 1][:_PURSUED]:
            if attempts.is_over:
                return
            yield from attempts.written(attempts.text, [some])

    def _programs(self, edits: Sequence[Mutant], lines: Sequence[Line]) -> list[tuple[int, list[Mutant]]]:
        return programs(edits, lines, self._clues.first, self._clues.lines, self._clues.asked)

    def _programs_of(
        self, text: MutableProgram, lines: Sequence[Line], is_wanted: Callable[[Mutant], bool]
    ) -> list[list[Mutant]]:
        some = [edit for edit in self._editable(text) if is_wanted(edit)]
        return [each for _, each in self._programs(some, lines)]

    def _editable(self, text: MutableProgram) -> list[Mutant]:
        is_as_it_is = self._attempts is not None and text is self._attempts.text
        if is_as_it_is and self._edits is not None:
            return self._edits
        edits = text.edits(self._clues.numbers, self._sizes, self._rows, self._scalars)
        some = [each for each in edits if each.line[0] != GENERATED or each.is_setting]
        self._edits = some if is_as_it_is else self._edits
        return some

    def _followed(self) -> Sequence[Inputs]:
        """Returns the pass's inputs when the pipeline has other inputs."""
        if self._others is None:
            read = self._attempts.harness.inputs if self._attempts is not None else {}
            self._others = followed(self._session, read)
        return self._others

    @property
    def _spent(self) -> float:
        """Returns the share of the time that is over."""
        return 1.0 - (self._end - time.monotonic()) / self._seconds if self._end is not None else 0.0

    def _is_after(self, share: float) -> Callable[[], bool]:
        """Returns a function that says whether this share of the time has passed since now."""
        until = time.monotonic() + share * self._seconds
        return lambda: time.monotonic() > until or self._is_late()

    def _is_late(self) -> bool:
        return self._end is not None and time.monotonic() > self._end
