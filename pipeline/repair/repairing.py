"""The search for repairs of one wrong pass, a little at a time: edits singly, then behind those that help.

Every edit is tried where the pass is wrong, what mends that everywhere, and what mends that on other inputs. Then the
author's own text is written so and tried once more: only what is right there is a repair.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.compare.repairs import LineEdit, Repair
from pipeline.errors import TexelscopeError
from pipeline.glsl.lines import GENERATED, Line
from pipeline.repair.ahead import Ahead
from pipeline.repair.benches.bench import Bench, Variant
from pipeline.repair.benches.looked import Looked, helped
from pipeline.repair.benches.standard import Standard
from pipeline.repair.bindings import bound_otherwise
from pipeline.repair.clues import Clues
from pipeline.repair.found import Found
from pipeline.repair.leftover import Leftover
from pipeline.repair.model_numbers import rows_of, scalars_of, sizes_of
from pipeline.repair.of_file import other_numbers, otherwise_bound, rebound
from pipeline.repair.programs.ordering import halved, is_laborious, is_near, programs
from pipeline.repair.programs.pairing import together
from pipeline.repair.programs.schemata import Edit, EditableText
from pipeline.repair.programs.shortest import PURSUED, Helping, are_apart, some_of, some_of_each_place
from pipeline.repair.said.reading import Reading, reading
from pipeline.repair.text.patch import line_edits
from pipeline.repair.text.precisions import raised
from pipeline.repair.trying import Chosen, Trials

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# How long a search goes on.
SECONDS = 20.0
# Edits that help are remembered, as many; behind some of them another one is tried, of the ranks up to this one. The
# share of the search that is behind when single edits are.
_NOTED, _OF_PAIRS, _SINGLY = 40, 1, 0.5
# What is tried at two places or more that are amiss alike.
_TOGETHER = 1500
# Edits that mend one of two faults, of each.
_OF_A_HALF = 6
# How much an edit helps that leaves but one cause: more than any other.
_SURELY = 10.0
# The share of the search that goes on beside what mends the pass, where it is known to be wrong.
_BESIDE = 0.15
# Between two steps, so many draws.
_AT_ONCE = 60


@dataclass(frozen=True)
class _Kept:
    """A program of edits that is tried in pairs later."""

    variant: Variant
    edits: tuple[Edit, ...]


class Repairing:
    """Looks for repairs of a pass, a little at a time: call `step` until it answers False. GL thread.

    What the session holds is left alone. `repairs` has what was found by now, the shortest first.
    """

    def __init__(self, session: Session, name: str, clues: Clues, seconds: float = SECONDS) -> None:
        self._session = session
        self._pass = session.plan.pass_called(name)
        self._clues = clues
        self._sizes, self._rows = sizes_of(session.plan, self._pass), rows_of(session.plan, self._pass)
        self._scalars = scalars_of(session.plan, self._pass)
        self._seconds = seconds
        self._end: float | None = None
        self._share = 0.0
        self._elsewhere = False
        self._helping: list[Helping] = []
        self._halves: tuple[list[Edit], ...] = tuple([] for _ in clues.halves)
        self._text: EditableText | None = None
        self._edits: tuple[EditableText, list[Edit]] | None = None  # of the text that was asked for last
        self._ahead: Ahead | None = None
        self._leftover = Leftover(clues.partners, seconds)
        self._found = Found(session, self._pass)
        self._steps = self._search()
        # The shortest repair with what the pass reads otherwise than it does with that, once the search is over.
        self.reading: tuple[Repair, Reading | None] | None = None

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was found by now, the shortest first."""
        return self._found.repairs

    @property
    def progress(self) -> float:
        """Share of the search that is done, about."""
        return self._share

    @property
    def made(self) -> Line | None:
        """The line of all that mends the pass, if it is one and nothing beside the author's text does."""
        lines = {(edit.file, edit.line) for repair in self.repairs for edit in repair.edits}
        return next(iter(lines)) if len(lines) == 1 and not self._elsewhere else None

    @property
    def partnered(self) -> tuple[tuple[LineEdit, ...], int, float | None, bool] | None:
        """Of two faults an edit that mends one, with the cause that it leaves; see `Leftover.known`."""
        return self._leftover.known

    def step(self) -> bool:
        """Does a little; False when there is nothing left, or the time is over."""
        self._session.make_current()
        if self._end is None:
            self._end = time.monotonic() + self._seconds
        with np.errstate(all="ignore"):  # edits may make any numbers
            ended = next(self._steps, self) is self
        if ended:
            self._share = 1.0
            return False
        return True

    def run(self) -> tuple[Repair, ...]:
        """All steps at once."""
        while self.step():
            pass
        return self.repairs

    def close(self) -> None:
        """Gives up; what was found stays."""
        self._steps.close()

    # -- the search ----------------------------------------------------------------------------------------

    def _search(self) -> Generator[None, None, None]:
        is_long = self._session.is_long(self._pass.name)
        if is_long and self._pass.dispatch is not None:  # which cannot be run in part
            return
        bindings = () if is_long else self._clues.bindings
        try:
            for repair in (yield from rebound(self._session, self._pass, bindings)):
                self._found.keep(repair)
            for repair in (yield from otherwise_bound(self._session, self._pass)) if not is_long else ():
                self._found.keep(repair)
        except TexelscopeError:
            pass
        if not is_long and not self.repairs:
            of_inputs = self._clues.of_other_inputs
            for repair in (yield from bound_otherwise(self._session, self._pass, self._is_late, exchanged=of_inputs)):
                self._found.keep(repair)
        if self._clues.of_plan:
            return
        try:
            bench = Bench(self._session, self._pass)
        except TexelscopeError:
            return
        try:
            yield from self._on(bench)
        except TexelscopeError:
            return
        finally:
            bench.release()

    def _on(self, bench: Bench) -> Generator[None, None, None]:
        self._ahead = Ahead(bench)
        trials = Trials(bench, Standard(self._session.plan, self._pass), self._clues.halves)
        yield
        actual = {key: self._session.tensor(key) for key in trials.wanted}
        text = self._text = EditableText(bench.program)
        plain = bench.variant(text.schemata(()).program.fragment)
        try:
            is_as_it_ran = trials.begin(plain, actual)
            yield
            if is_as_it_ran:
                yield from self._leftover.know(trials, plain)
                yield from self._precisely(bench, trials)
                yield from self._singly(bench, trials, text)
                yield from self._everywhere(bench, trials, text)
                yield from self._behind(bench, trials)
                numbers = tuple(dict.fromkeys((*self._clues.numbers, *self._scalars)))
                found = yield from other_numbers(self._session, bench.each, plain, trials, numbers)
                self._elsewhere = found[0]
                for repair in found[1]:
                    self._found.keep(repair)
                if self.repairs:
                    wrong, right = (some_of(np.flatnonzero(each)) for each in (trials.wrong, ~trials.wrong))
                    self.reading = self.repairs[0], reading(bench, self.repairs[0], wrong, right)
        finally:
            plain.release()
            self._found.release()

    def _precisely(self, bench: Bench, trials: Trials) -> Generator[None, None, None]:
        """Declarations of more precision, where values are seen to be rounded."""
        for edits in raised(bench.program) if self._clues.is_rounded else ():
            yield from self._found.written(bench, trials, [edits])
            if self.repairs:
                return

    def _singly(self, bench: Bench, trials: Trials, text: EditableText) -> Generator[None, None, None]:
        """Every edit alone, rank by rank until one mends the pass; before the last rank two of a program at once."""
        lines = text.behind(self._found.sources.behind(self._clues.lines))
        plans, kept, are_paired = self._programs(text, lines), list[_Kept](), False
        try:
            for number, (rank, some) in enumerate(plans):
                is_next = number > 0 and rank > plans[number - 1][0]
                if is_next and not self.repairs:
                    yield from self._of_halves(bench, trials, text)
                if not are_paired and (rank > _OF_PAIRS or (rank == _OF_PAIRS and is_laborious(some))):
                    are_paired = True
                    yield from self._together(bench, trials, text, lines)
                if is_next and rank > _OF_PAIRS and not self.repairs:
                    yield from self._in_pairs(bench, trials, text, kept)
                is_known = self.repairs or (self.partnered is not None and rank > _OF_PAIRS)
                if is_next and self.repairs:
                    rest = [edit for _, each in plans[number:] for edit in each]
                    yield from self._beside(bench, trials, text, rest, lines)
                if self._is_late() or (is_next and is_known):
                    return
                following = plans[number + 1][1] if number + 1 < len(plans) else ()
                kept_now = kept if rank <= _OF_PAIRS else None
                found = yield from self._tried(bench, trials, text, some, kept_now, following)
                yield from self._written(bench, trials, text, found)
                self._share = _SINGLY * (number + 1) / len(plans)
            if not self.repairs:
                yield from self._of_halves(bench, trials, text)
        finally:
            for each in kept:
                each.variant.release()

    def _beside(
        self, bench: Bench, trials: Trials, text: EditableText, edits: Sequence[Edit], lines: Sequence[Line]
    ) -> Generator[None, None, None]:
        """For a while what else mends the pass where it is known to be wrong: the first that does need not say why."""
        end = time.monotonic() + _BESIDE * self._seconds
        own = {(edit.file, edit.line) for repair in self.repairs for edit in repair.edits}
        near = [edit for edit in edits if edit.line in own or is_near(edit, lines)]
        for _, some in programs(near, [*own], self._clues.first, self._clues.lines, self._clues.asked):
            if time.monotonic() > end or is_laborious(some):
                return
            found = yield from self._tried(bench, trials, text, some)
            yield from self._written(bench, trials, text, found)

    def _of_halves(self, bench: Bench, trials: Trials, text: EditableText) -> Generator[None, None, None]:
        """Of two faults that are known an edit for each: what each does alone was seen."""
        pairs = [pair for pair in itertools.product(*self._halves) if pair and are_apart(pair[0], pair[-1])]
        yield from self._written(bench, trials, text, pairs)

    def _together(
        self, bench: Bench, trials: Trials, text: EditableText, lines: Sequence[Line]
    ) -> Generator[None, None, None]:
        """What may be amiss at two places or more of one slip."""
        plans = together(bench.program.fragment, self._editable(text), lines, _TOGETHER)
        for number, each in enumerate(plans):
            if self.repairs or self._is_late():
                return
            following = plans[number + 1].edits if number + 1 < len(plans) else ()
            found = yield from self._tried(bench, trials, text, each.edits, None, following, each.chosen)
            yield from self._written(bench, trials, text, found)

    def _in_pairs(
        self, bench: Bench, trials: Trials, text: EditableText, kept: Sequence[_Kept]
    ) -> Generator[None, None, None]:
        """Behind each of the edits that help, every other one of its program."""
        helping = [edit for _, _, edit in some_of_each_place(self._helping)]
        for each in kept:
            firsts = [edit for edit in helping if edit in each.edits]
            pairs = [(first, edit) for first in firsts for edit in each.edits if are_apart(first, edit)]
            found: list[Chosen] = []
            for number, pair in enumerate(pairs):
                if trials.is_right_first(each.variant, pair) and trials.is_right(each.variant, pair):
                    found.append(pair)
                if number % _AT_ONCE == _AT_ONCE - 1:
                    yield
                    if self._is_late():
                        break
            found = yield from self._on_others(trials, each.variant, found)
            yield from self._written(bench, trials, text, found)

    def _everywhere(self, bench: Bench, trials: Trials, text: EditableText) -> Generator[None, None, None]:
        """Where no edit mends the pass alone: those that help, at every place that reads alike."""
        every: dict[tuple[str, str], list[Edit]] = {}
        for edit in self._editable(text) if self._helping and not self.repairs else ():
            every.setdefault((edit.proposal.old, edit.proposal.new), []).append(edit)
        alike = dict.fromkeys((edit.proposal.old, edit.proposal.new) for _, _, edit in self._helping)
        found = [tuple(every.get(each, ())) for each in alike]
        yield from self._written(bench, trials, text, [each for each in found if len(each) > 1][:PURSUED])

    def _behind(self, bench: Bench, trials: Trials) -> Generator[None, None, None]:
        """Where no edit mends the pass alone: what another one does behind each of those that help."""
        helping, self._helping = some_of_each_place(self._helping), []
        for number, (_, text, edit) in enumerate(helping):
            if self.repairs or self._is_late():
                return
            self._share = _SINGLY + (1.0 - _SINGLY) * number / len(helping)
            behind = text.after(edit)
            for rank, some in self._programs(behind, (edit.line, *self._clues.lines)):
                if rank > _OF_PAIRS or self.repairs or self._is_late():
                    break
                found = yield from self._tried(bench, trials, behind, some)
                yield from self._written(bench, trials, behind, found)

    def _look_behind(
        self, bench: Bench, trials: Trials, variant: Variant, text: EditableText, edit: Edit, looked: Looked
    ) -> None:
        """Of an edit that does not mend the pass: how it helps, and which one of two faults it mends."""
        self._note(text, edit, helped(looked, trials.plain))
        if text is not self._text:
            return
        for which in looked.halves:
            if len(self._halves[which]) < _OF_A_HALF and trials.is_half(variant, (edit,), which):
                self._halves[which].append(edit)
        if self._leftover.pursue(bench, trials, text, variant, edit, looked.left):
            self._note(text, edit, _SURELY)

    def _note(self, text: EditableText, edit: Edit, helps: float) -> None:
        """Remembers the edits that help most."""
        if helps > 0.0:
            self._helping = sorted([*self._helping, (helps, text, edit)], key=lambda each: -each[0])[:_NOTED]

    def _programs(self, text: EditableText, lines: Sequence[Line]) -> list[tuple[int, list[Edit]]]:
        return programs(self._editable(text), lines, self._clues.first, self._clues.lines, self._clues.asked)

    def _editable(self, text: EditableText) -> list[Edit]:
        if self._edits is None or self._edits[0] is not text:
            edits = text.edits(self._clues.numbers, self._sizes, self._rows, self._scalars)
            self._edits = text, [each for each in edits if each.line[0] != GENERATED or each.is_setting]
        return self._edits[1]

    def _tried(
        self,
        bench: Bench,
        trials: Trials,
        text: EditableText,
        edits: Sequence[Edit],
        kept: list[_Kept] | None = None,
        following: Sequence[Edit] = (),
        chosen: Sequence[Chosen] = (),
    ) -> Generator[None, None, list[Chosen]]:
        """Of some edits those that mend the pass on its own inputs and on others; their program goes to `kept`.

        Those `following` are tried next. Each is tried alone, unless it is said which are `chosen` at once.
        """
        ahead = self._ahead or Ahead(bench)
        made = ahead.made(text, edits)
        found: list[Chosen] = []
        if self._is_late():  # a driver that is busy for long with every program is asked no further
            return found
        try:
            variant = bench.variant(made.program.fragment)
        except TexelscopeError:
            yield
            for half in halved(edits):
                some = [each for each in chosen if {*each} <= {*half}]
                if some or not chosen:
                    found += yield from self._tried(bench, trials, text, half, kept, (), some)
            return found
        try:
            ahead.begin(text, following)
            yield
            for number, each in enumerate(chosen or [(edit,) for edit in made.edits]):
                looked = trials.look(variant, each)
                if looked.is_right and trials.is_right_first(variant, each) and trials.is_right(variant, each):
                    found.append(each)
                elif not chosen:
                    self._look_behind(bench, trials, variant, text, each[0], looked)
                if number % _AT_ONCE == _AT_ONCE - 1:
                    yield
                    if self._is_late():
                        break
            return (yield from self._on_others(trials, variant, found))
        finally:
            if kept is None:
                variant.release()
            else:
                kept.append(_Kept(variant, made.edits))

    def _on_others(self, trials: Trials, variant: Variant, found: list[Chosen]) -> Generator[None, None, list[Chosen]]:
        """What is right on other inputs too."""
        for wanted in trials.on_others() if found else ():
            found = [edits for edits in found if trials.is_right(variant, edits, wanted)]
            yield
        return found

    def _written(
        self, bench: Bench, trials: Trials, text: EditableText, found: Sequence[Chosen]
    ) -> Generator[None, None, None]:
        """What is as right as it would be written by the author becomes repairs."""
        self._elsewhere |= any(edit.line[0] == GENERATED for each in found for edit in each)
        written = [edits for each in found if (edits := line_edits(bench.program, text.edited(each))) is not None]
        yield from self._found.written(bench, trials, written)

    def _is_late(self) -> bool:
        return self._end is not None and time.monotonic() > self._end
