"""Edits tried on the driver, a program of them at a time: what mends the pass is kept, what helps is noted."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.repair.ahead import Ahead
from texelscope.pipeline.repair.candidate_pool import CandidatePool
from texelscope.pipeline.repair.edits.variables import rank_of
from texelscope.pipeline.repair.fitted import fitted
from texelscope.pipeline.repair.found_repairs import FoundRepairs
from texelscope.pipeline.repair.harness.evaluator import Chosen, Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.held_out_inputs import Inputs
from texelscope.pipeline.repair.harness.looked import Looked, helped
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import LABORIOUS, halved
from texelscope.pipeline.repair.programs.pairing import as_one, packed
from texelscope.pipeline.repair.programs.shortest import are_apart
from texelscope.pipeline.repair.residual import Leftover
from texelscope.pipeline.repair.text.patch import line_edits

# Edits that mend one of two faults, of each.
_OF_A_HALF = 6
# How much an edit helps that leaves but one cause: more than any other.
SURELY = 10.0
# Edits of slips that help are numbered from here on.
_OF_SLIPS = 1 << 20
# Between two steps, so many draws.
_AT_ONCE = 60


class Attempts:
    """Tries edits of one pass on its bench, until `is_late`. GL thread."""

    def __init__(
        self,
        bench: Harness,
        trials: Evaluator,
        text: MutableProgram,
        found: FoundRepairs,
        leftover: Leftover,
        halves: int,
        is_late: Callable[[], bool],
    ) -> None:
        """`text` is the pass as it is; of two faults that are known there are two `halves`."""
        self.bench, self.trials, self.text = bench, trials, text
        self._is_late, self._until = is_late, math.inf
        self.noted = CandidatePool(trials.plain.outcome)
        # Whether something was right that is not the author's text.
        self.is_elsewhere = False
        self._found, self._leftover, self._ahead = found, leftover, Ahead(bench)
        self._halves = tuple(list[Mutant]() for _ in range(halves))
        self._slips = 0
        self._put_together = set[tuple[int, ...]]()
        self._doubted: list[tuple[MutableProgram, Chosen]] = []

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was found by now."""
        return self._found.repairs

    @property
    def is_over(self) -> bool:
        """Whether there is a repair, or no time to look for one."""
        return bool(self.repairs) or self.is_late()

    def is_late(self) -> bool:
        """Whether there is no time left for what is tried now."""
        return time.monotonic() > self._until or self._is_late()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What is tried has so long at most."""
        self._until = time.monotonic() + seconds
        try:
            yield
        finally:
            self._until = math.inf

    def mend(
        self,
        text: MutableProgram,
        edits: Sequence[Mutant],
        following: Sequence[Sequence[Mutant]] = (),
        chosen: Sequence[Chosen] = (),
        *,
        are_slips: bool = False,
    ) -> Generator[None, None, None]:
        """Of some edits those become repairs that mend the pass, on its own inputs and on others.

        The programs `following` are tried next. Each is tried alone, unless it is said which are `chosen` at once.
        Where two of those `are_slips` of one kind, what helps is noted as one edit.
        """
        found = yield from self._tried(text, edits, following, chosen, are_slips=are_slips)
        yield from self.written(text, found)

    def of_halves(self) -> Generator[None, None, None]:
        """Of two faults that are known an edit for each: what each does alone was seen."""
        for pair in itertools.product(*self._halves) if self._halves else ():
            key = tuple(id(edit) for edit in pair)
            if key not in self._put_together and are_apart(pair[0], pair[-1]):
                self._put_together.add(key)
                yield from self.written(self.text, [pair])
                if self.is_over:
                    return

    def written(self, text: MutableProgram, found: Sequence[Chosen]) -> Generator[None, None, None]:
        """What is as right as it would be written by the author becomes repairs."""
        self.is_elsewhere |= any(edit.line[0] == GENERATED for each in found for edit in each)
        program = self.bench.program
        written = [edits for each in found if (edits := line_edits(program, text.edited(each))) is not None]
        yield from self._found.written(self.bench, self.trials, written)

    def _tried(
        self,
        text: MutableProgram,
        edits: Sequence[Mutant],
        following: Sequence[Sequence[Mutant]],
        chosen: Sequence[Chosen],
        *,
        are_slips: bool,
    ) -> Generator[None, None, list[Chosen]]:
        trials, made = self.trials, self._ahead.made(text, edits)
        found: list[Chosen] = []
        if self.is_late():  # a driver that is busy for long with every program is asked no further
            return found
        try:
            variant = self.bench.variant(made.program.fragment)
        except TexelscopeError:
            yield
            for half in halved(edits):
                some = [each for each in chosen if {*each} <= {*half}]
                if some or not chosen:
                    found += yield from self._tried(text, half, (), some, are_slips=are_slips)
            return found
        try:
            self._ahead.begin(text, following)
            yield
            for number, each in enumerate(chosen or [(edit,) for edit in made.edits]):
                if found and len(each) > len(found[0]):  # fewer do
                    break
                looked = trials.look(variant, each) if len(each) == 1 or are_slips else None
                is_right = looked.is_right if looked is not None else trials.seems_right(variant, each)
                if is_right and trials.is_right_first(variant, each) and trials.is_right(variant, each):
                    found.append(each)
                elif looked is not None and text is self.text and len(each) == 1:
                    self._note(variant, each[0], looked)
                elif looked is not None and text is self.text:
                    self._note_slip(each, looked)
                if number % _AT_ONCE == _AT_ONCE - 1:
                    yield
                    if self.is_late():
                        break
            return (yield from self._on_others(variant, text, found))
        finally:
            variant.release()

    def _note(self, variant: Variant, edit: Mutant, looked: Looked) -> None:
        """Of an edit that does not mend the pass: how it helps, and which one of two faults it mends."""
        trials = self.trials
        self.noted.see(edit, looked.outcome)
        halves = [which for which in looked.halves if len(self._halves[which]) < _OF_A_HALF]
        halves = [which for which in halves if trials.is_half(variant, (edit,), which)]
        for which in halves:
            self._halves[which].append(edit)
        is_sure = self._leftover.pursue(self.bench, trials, self.text, variant, edit, looked.left) or bool(halves)
        if is_sure:
            self.noted.note(edit, SURELY, looked.outcome)
        else:
            self.noted.promise(edit, helped(looked, trials.plain), looked.outcome)

    def _note_slip(self, pair: Chosen, looked: Looked) -> None:
        """Of two edits of one slip that do not mend the pass: how they help, as one."""
        if helps := helped(looked, self.trials.plain):
            self._slips += 1
            self.noted.promise(as_one(pair, _OF_SLIPS + self._slips), helps, looked.outcome)

    def fit(self, text: MutableProgram) -> Generator[None, None, None]:
        """Edits with the number in them that makes all right, where one does; see `fitted`."""
        for _, some in itertools.groupby(text.variables(), key=lambda edit: rank_of(edit.proposal)):
            for program in packed((edit,) for edit in some if edit.weight <= LABORIOUS):
                if self.is_late():
                    return
                yield from self._fit(text, program.edits)
            if self.repairs:
                return

    def _fit(self, text: MutableProgram, edits: Sequence[Mutant]) -> Generator[None, None, None]:
        try:
            variant = self.bench.variant(text.schemata(edits).program.fragment)
        except TexelscopeError:
            return
        try:
            for edit in edits:
                yield
                for ways in fitted(self.trials, variant, edit, self.is_late):
                    if (yield from self._on_others(variant, text, [ways[:1]])):
                        yield from self._first_of(text, ways)
                        break
        finally:
            variant.release()

    def _first_of(self, text: MutableProgram, ways: Sequence[Mutant]) -> Generator[None, None, None]:
        """The first of some ways to write an edit that is right as it is written."""
        known = self.repairs
        for each in ways:
            if self.repairs == known:
                yield from self.written(text, [(each,)])

    def look_around(self) -> Generator[None, None, None]:
        """Looks at several places with each edit that helps at the first one; until then nobody waits for that."""
        for some in packed((edit,) for edit in self.noted.promising()):
            if self.is_over:
                return
            try:
                variant = self.bench.variant(self.text.schemata(some.edits).program.fragment)
            except TexelscopeError:
                continue
            try:
                yield
                for edit in some.edits:
                    around = self.trials.look_around(variant, (edit,))
                    self.noted.note(edit, helped(around, self.trials.plain_around), around.outcome)
            finally:
                variant.release()

    def _on_others(
        self, variant: Variant, text: MutableProgram, found: list[Chosen]
    ) -> Generator[None, None, list[Chosen]]:
        """What is right on other inputs too; what is not, which may be right on those that the pass is written for."""
        right = found
        for wanted in self.trials.on_others() if found else ():
            right = [edits for edits in right if self.trials.is_right(variant, edits, wanted)]
            yield
        self._doubted += [(text, edits) for edits in found if edits not in right]
        return right

    def doubted(self, others: Callable[[], Sequence[Inputs]]) -> Generator[None, None, None]:
        """Of edits that mend the pass on its own inputs and not on shuffled ones those that do on `others` instead."""
        pending, self._doubted = self._doubted, []
        inputs = others() if pending and not self.repairs else ()
        program = self.bench.program
        for text, edits in pending if inputs else ():
            written = line_edits(program, text.edited(edits))
            yield from self._found.written(self.bench, self.trials, [] if written is None else [written], inputs)
