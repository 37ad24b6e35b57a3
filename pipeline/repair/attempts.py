"""Tries mutations on the driver, one mutant schema at a time: keeps those that fix the pass, notes those that help.

The next schemata are compiled while the current one is drawn, as drivers compile several programs at once.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.repair.candidate_pool import CandidatePool, Leftover
from texelscope.pipeline.repair.fitted import fitted
from texelscope.pipeline.repair.found_repairs import FoundRepairs
from texelscope.pipeline.repair.harness.evaluator import Chosen, Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.held_out_inputs import Inputs
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.harness.spot_check import SpotCheckResult, helped
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant, MutantSchema
from texelscope.pipeline.repair.programs.ordering import LABORIOUS, halved
from texelscope.pipeline.repair.programs.pairing import are_apart, as_one, packed
from texelscope.pipeline.repair.text.mutation import rank_of
from texelscope.pipeline.repair.text.patch import line_edits

# At most this many mutations for each of two faults.
_OF_A_HALF = 6
# The score of a mutation that leaves a single cause: higher than any other.
SURELY = 10.0
# Mutations of repeated mistakes that help are numbered from here on.
_OF_SLIPS = 1 << 20
# The number of draws between two steps.
_AT_ONCE = 60


class SchemataAhead:
    """Makes the mutant schemata of a search on one harness, and starts the next ones."""

    def __init__(self, harness: Harness) -> None:
        self._bench = harness
        self._next: list[tuple[Sequence[Mutant], MutantSchema]] = []

    def made(self, text: MutableProgram, edits: Sequence[Mutant]) -> MutantSchema:
        """Returns the mutant schema of some mutations, which may have been started already."""
        return next((made for known, made in self._next if known is edits), None) or text.schemata(edits)

    def begin(self, text: MutableProgram, following: Sequence[Sequence[Mutant]]) -> None:
        """Starts the mutant schemata that are tried next, in order; those already started continue."""
        self._next = [(edits, self.made(text, edits)) for edits in following[:AT_ONCE] if edits]
        for _, made in self._next:
            self._bench.expect(made.program.fragment)


class Attempts:
    """Tries mutations of one pass on its harness, until `is_late`. GL thread."""

    def __init__(
        self,
        harness: Harness,
        evaluator: Evaluator,
        text: MutableProgram,
        found: FoundRepairs,
        leftover: Leftover,
        single_fault_outputs: int,
        is_late: Callable[[], bool],
    ) -> None:
        """`text` is the unchanged pass; for two known faults there are two `single_fault_outputs`."""
        self.harness, self.evaluator, self.text = harness, evaluator, text
        self._is_late, self._until = is_late, math.inf
        self.noted = CandidatePool(evaluator.plain.outcome)
        # Whether a repair outside the author's text was found.
        self.is_elsewhere = False
        self._found, self._leftover, self._ahead = found, leftover, SchemataAhead(harness)
        self._halves = tuple(list[Mutant]() for _ in range(single_fault_outputs))
        self._slips = 0
        self._put_together = set[tuple[int, ...]]()
        self._doubted: list[tuple[MutableProgram, Chosen]] = []

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Returns the repairs found so far."""
        return self._found.repairs

    @property
    def is_over(self) -> bool:
        """Whether there is a repair, or no time left to look for one."""
        return bool(self.repairs) or self.is_late()

    def is_late(self) -> bool:
        """Whether no time is left for the current part of the search."""
        return time.monotonic() > self._until or self._is_late()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limits the time of what is tried inside."""
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
        """Tries some mutations; those that fix the pass on its own inputs and on held-out ones become repairs.

        The mutant schemata `following` are tried next. Each mutation is tried alone, unless `chosen` lists
        combinations. If `are_slips`, the two mutations of a combination are noted as one.
        """
        found = yield from self._tried(text, edits, following, chosen, are_slips=are_slips)
        yield from self.written(text, found)

    def of_halves(self) -> Generator[None, None, None]:
        """Finds for two known faults a mutation of each, by the known effect of each alone."""
        for pair in itertools.product(*self._halves) if self._halves else ():
            key = tuple(id(edit) for edit in pair)
            if key not in self._put_together and are_apart(pair[0], pair[-1]):
                self._put_together.add(key)
                yield from self.written(self.text, [pair])
                if self.is_over:
                    return

    def written(self, text: MutableProgram, found: Sequence[Chosen]) -> Generator[None, None, None]:
        """Turns mutations into repairs that are still right when written into the author's text."""
        self.is_elsewhere |= any(edit.line[0] == GENERATED for each in found for edit in each)
        program = self.harness.program
        written = [edits for each in found if (edits := line_edits(program, text.edited(each))) is not None]
        yield from self._found.written(self.harness, self.evaluator, written)

    def _tried(
        self,
        text: MutableProgram,
        edits: Sequence[Mutant],
        following: Sequence[Sequence[Mutant]],
        chosen: Sequence[Chosen],
        *,
        are_slips: bool,
    ) -> Generator[None, None, list[Chosen]]:
        evaluator, made = self.evaluator, self._ahead.made(text, edits)
        found: list[Chosen] = []
        if self.is_late():  # a driver that takes long with every program gets no more of them
            return found
        try:
            variant = self.harness.variant(made.program.fragment)
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
                if found and len(each) > len(found[0]):  # a smaller combination is enough
                    break
                looked = evaluator.look(variant, each) if len(each) == 1 or are_slips else None
                is_right = looked.is_right if looked is not None else evaluator.seems_right(variant, each)
                if is_right and evaluator.is_right_first(variant, each) and evaluator.is_right(variant, each):
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

    def _note(self, variant: Variant, edit: Mutant, looked: SpotCheckResult) -> None:
        """Notes a mutation that does not fix the pass: how much it helps, and which of two faults it fixes."""
        evaluator = self.evaluator
        self.noted.see(edit, looked.outcome)
        single_fault_outputs = [which for which in looked.single_fault_outputs if len(self._halves[which]) < _OF_A_HALF]
        single_fault_outputs = [which for which in single_fault_outputs if evaluator.is_half(variant, (edit,), which)]
        for which in single_fault_outputs:
            self._halves[which].append(edit)
        is_sure = self._leftover.pursue(
            self.harness, evaluator, self.text, variant, edit, looked.left, self._found.validation
        ) or bool(single_fault_outputs)
        if is_sure:
            self.noted.note(edit, SURELY, looked.outcome)
        else:
            self.noted.promise(edit, helped(looked, evaluator.plain), looked.outcome)

    def _note_slip(self, pair: Chosen, looked: SpotCheckResult) -> None:
        """Notes two mutations of one repeated mistake that do not fix the pass: how much they help together."""
        if helps := helped(looked, self.evaluator.plain):
            self._slips += 1
            self.noted.promise(as_one(pair, _OF_SLIPS + self._slips), helps, looked.outcome)

    def fit(self, text: MutableProgram) -> Generator[None, None, None]:
        """Fits the numbers of mutations and tries those that fix everything; see `fitted`."""
        for _, some in itertools.groupby(text.variables(), key=lambda edit: rank_of(edit.proposal)):
            for program in packed((edit,) for edit in some if edit.compile_cost <= LABORIOUS):
                if self.is_late():
                    return
                yield from self._fit(text, program.edits)
            if self.repairs:
                return

    def _fit(self, text: MutableProgram, edits: Sequence[Mutant]) -> Generator[None, None, None]:
        try:
            variant = self.harness.variant(text.schemata(edits).program.fragment)
        except TexelscopeError:
            return
        try:
            for edit in edits:
                yield
                for ways in fitted(self.evaluator, variant, edit, self.is_late):
                    if (yield from self._on_others(variant, text, [ways[:1]])):
                        yield from self._first_of(text, ways)
                        break
        finally:
            variant.release()

    def _first_of(self, text: MutableProgram, ways: Sequence[Mutant]) -> Generator[None, None, None]:
        """Keeps the first of some spellings of a mutation that is right as written."""
        known = self.repairs
        for each in ways:
            if self.repairs == known:
                yield from self.written(text, [(each,)])

    def look_around(self) -> Generator[None, None, None]:
        """Spot checks at several places the mutations that help at the first one."""
        for some in packed((edit,) for edit in self.noted.promising()):
            if self.is_over:
                return
            try:
                variant = self.harness.variant(self.text.schemata(some.edits).program.fragment)
            except TexelscopeError:
                continue
            try:
                yield
                for edit in some.edits:
                    around = self.evaluator.look_around(variant, (edit,))
                    self.noted.note(edit, helped(around, self.evaluator.plain_around), around.outcome)
            finally:
                variant.release()

    def _on_others(
        self, variant: Variant, text: MutableProgram, found: list[Chosen]
    ) -> Generator[None, None, list[Chosen]]:
        """Returns those that are right on held-out inputs too; others may be right on the pass's real inputs."""
        right = found
        for wanted in self.evaluator.on_others() if found else ():
            right = [edits for edits in right if self.evaluator.is_right(variant, edits, wanted)]
            yield
        self._doubted += [(text, edits) for edits in found if edits not in right]
        return right

    def doubted(self, others: Callable[[], Sequence[Inputs]]) -> Generator[None, None, None]:
        """Tries mutations that are right on the own inputs, but not on shuffled ones, on `others` instead."""
        pending, self._doubted = self._doubted, []
        inputs = others() if pending and not self.repairs else ()
        program = self.harness.program
        for text, edits in pending if inputs else ():
            written = line_edits(program, text.edited(edits))
            yield from self._found.written(self.harness, self.evaluator, [] if written is None else [written], inputs)
