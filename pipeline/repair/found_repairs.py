"""Collects the repairs: mutations as their author would write them, tried again in that form.

A repair is tested on the other passes that contain its file: right ones must stay right, wrong ones may be fixed too.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.compare.repairs import LineEdit, Repair, unified_files
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import ExpectedOutput, Inputs, Standard
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.programs.schema_text import with_limited_loops
from texelscope.pipeline.repair.text.in_author_language import in_author_language, says_the_same
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.repair.text.preferred import Sources, length
from texelscope.pipeline.repair.text.unset_mentions import makes_up_for
from texelscope.pipeline.repair.validation.at_sizes import SizeAnswer
from texelscope.pipeline.repair.validation.validation import Validation, Validity

# The most repairs reported, and those for one line.
MOST, _MOST_OF_A_LINE = 8, 3
# At most this many mutations that fix what the pass read are written out and tried again.
_WRITTEN = 24
# So many ways to write one in the author's language are tried.
_MOST_WAYS = 4
# So many are translated anew at most, the shortest of each kind first.
_MOST_TRANSLATED = 12
_ROUND = re.compile(r"\bround\s*\(")
# Why other sizes say nothing where no repair is surely right at one at which the pass is wrong.
_NONE_HOLDS = "at no other size is any repair surely right, so the shader or the file may hold numbers of this one"


class Neighbours:
    """The other passes of a session's plan, each given a harness when needed. GL thread; release it."""

    def __init__(self, session: Session, shader_pass: Pass) -> None:
        self._session, self._others = (
            session,
            [other for other in session.plan.passes if other.name != shader_pass.name],
        )
        self._there: dict[str, _There | None] = {}

    def release(self) -> None:
        """Frees every harness."""
        for there in self._there.values():
            if there is not None:
                there.harness.release()
        self._there.clear()

    def mended(self, edits: Sequence[LineEdit]) -> int | None:
        """Returns how many wrong passes, whose text the edits change, are right with them.

        None if one that was right becomes wrong.
        """
        found = 0
        for other in self._others:
            known = self._under(other, edits)
            if known == (True, False):
                return None
            found += known == (False, True)
        return found

    def _under(self, other: Pass, edits: Sequence[LineEdit]) -> tuple[bool, bool] | None:
        """Whether a pass was right, and is right with some edits; None if they are not in its text, or if unknown."""
        program = self._session.program_source(other.name)
        if other.from_operator or not {file.path for file in program.files} & {edit.file for edit in edits}:
            return None
        text = applied(program, edits).fragment
        if text == program.fragment:
            return None
        if other.name not in self._there:
            self._there[other.name] = self._on_a_bench(other)
        there = self._there[other.name]
        if there is None:
            return None
        try:
            return there.was_right, _is_right(there.harness, there.evaluator, text)
        except TexelscopeError:
            return there.was_right, False

    def _on_a_bench(self, other: Pass) -> _There | None:
        """Returns the pass on a harness; None if its expected values are unknown."""
        try:
            harness = Harness(self._session, other)
        except TexelscopeError:
            return None
        try:
            evaluator = Evaluator(harness, Standard(self._session.plan, other), ())
            if evaluator.wanted:
                return _There(harness, evaluator, _is_right(harness, evaluator, harness.program.fragment))
        except TexelscopeError:
            pass
        harness.release()
        return None


@dataclass(frozen=True)
class _There:
    """A pass on its harness, and whether it was right unchanged."""

    harness: Harness
    evaluator: Evaluator
    was_right: bool


def _is_right(harness: Harness, evaluator: Evaluator, text: str) -> bool:
    variant = harness.variant(text)
    try:
        return evaluator.is_right(variant, ())
    finally:
        variant.release()


@dataclass(frozen=True)
class _Candidate:
    """A repair that is right on all inputs, what is known of it beyond them, and how many other passes it fixes."""

    repair: Repair
    validity: Validity
    mended: int = 0

    def held(self, sizes: Sequence[int]) -> int:
        """Counts those of other `sizes`, by their numbers, at which it is right."""
        return sum(self.validity.at(size).is_right is True for size in sizes)

    def said(self, sizes: Sequence[int], problem: str) -> Repair:
        """Returns the repair with what is known of it, at other `sizes` at which the pass is wrong."""
        held = self.held(sizes)
        return dataclasses.replace(
            self.repair,
            sizes_tried=1 + held,
            sizes_not_tried="" if held else problem,
        )


def _is_refuted(answer: SizeAnswer, right: Sequence[frozenset[int]], *, is_certain: bool) -> bool:
    """Whether a size counts against a repair: something else is right there in more ways, or a right shader surely."""
    return any(map(answer.is_less_than, right)) or (is_certain and answer.is_right is False)


class FoundRepairs:
    """Repairs of one pass, the shortest first. GL thread.

    What leaves what it indexes, or switches computations off, is no repair; and neither is what is wrong at a size at
    which another one is right, or at which a right shader surely is. Nor is what makes up for an unset uniform.
    """

    def __init__(self, session: Session, shader_pass: Pass, blamed: Collection[Line] = ()) -> None:
        """Of equally good repairs the one on a `blamed` line comes first."""
        self.repairs: tuple[Repair, ...] = ()
        self._session, self._name, self._blamed = session, shader_pass.name, blamed
        # The repairs that were written in another language, by their edits of the translation: a translation takes a
        # second.
        self._in_file: dict[tuple[LineEdit, ...], tuple[LineEdit, ...]] = {}
        # Edits of a translation that repair it, for which the author's language has no words here.
        self.only_translated: tuple[LineEdit, ...] = ()
        self._unset = shader_pass.unset
        self.sources = Sources(session.program_source(shader_pass.name))
        self._neighbours = Neighbours(session, shader_pass)
        self.validation = Validation(session, shader_pass)
        self._candidates: list[_Candidate] = []

    def keep_of_file(self, repair: Repair) -> Generator[None, None, None]:
        """Adds a repair of the pipeline file."""
        self._keep(_Candidate(repair, (yield from self.validation.of_file(repair.edits))))

    def _keep(self, candidate: _Candidate) -> None:
        self._candidates.append(candidate)
        self._arrange()

    def _arrange(self) -> None:
        """Sorts out what is wrong at another size, and orders the rest."""
        certain, unedited = self.validation.certain, self.validation.unedited
        right = [
            (ways, *(each.validity.at(size).ways for each in self._candidates if each.validity.at(size).is_right))
            for size, ways in enumerate(unedited)
        ]
        known = [size for size, is_certain in enumerate(certain) if is_certain or any(right[size])]
        showing = [size for size in known if not unedited[size]]
        offered = [
            each
            for each in self._candidates
            if not any(_is_refuted(each.validity.at(size), right[size], is_certain=certain[size]) for size in known)
        ]
        # The more other passes with the same file a repair fixes, the likelier it is meant; what reads outside of a
        # texture may be right because a driver gives 0 there; and what is right at this size alone by chance.
        offered.sort(
            key=lambda each: (
                -each.mended,
                each.validity.reads_outside,
                not each.held(showing),
                *length(each.repair.edits),
                self.sources.reorders(each.repair),
                not any((edit.file, edit.line) in self._blamed for edit in each.repair.edits),
            )
        )
        problem = self.validation.problem or _NONE_HOLDS
        repairs = [each.said(showing, problem) for each in offered]
        self.repairs = self.sources.ordered(tuple(_some_of_each_line(repairs))[:MOST], self._blamed)

    def written(
        self,
        harness: Harness,
        evaluator: Evaluator,
        written: Sequence[tuple[LineEdit, ...]],
        others: Sequence[Inputs] | None = None,
    ) -> Generator[None, None, None]:
        """Tries edits of the author's lines as written and keeps those that are right; see `Evaluator.on_others`."""
        known = {each.repair.edits for each in self._candidates}
        unknown = [
            edits
            for edits in dict.fromkeys(map(_with_even_ties, written))
            if edits not in known and not makes_up_for(edits, self._unset)
        ]
        for edits in sorted(unknown, key=length)[:_WRITTEN]:
            if self._has_enough(edits):
                continue
            inputs = yield from _inputs_right(harness, evaluator, applied(harness.program, edits), others)
            in_translated: tuple[LineEdit, ...] = ()
            if inputs and any(language_of(edit.file) is not None for edit in edits):
                in_translated = self._in_author_language(harness.program, edits)
                if not in_translated:
                    yield from self._keep_translated(harness, evaluator, edits)
                    continue
            files = {file.path: file.text for file in harness.program.files}
            diff = unified_files(in_translated or edits, files.get)
            mended = self._neighbours.mended(edits) if inputs and diff else None
            if diff and mended is not None:
                validity = yield from self.validation.of_shader(harness, evaluator, edits)
                if validity.is_sound:
                    made = Repair(edits, diff, evaluator.elements, inputs, in_translated=in_translated)
                    self._keep(_Candidate(made, validity, mended))

    def _keep_translated(
        self, harness: Harness, evaluator: Evaluator, edits: tuple[LineEdit, ...]
    ) -> Generator[None, None, None]:
        """Keeps the first edits of a translation that are right, and cannot be written in the author's language."""
        if not self.only_translated:
            validity = yield from self.validation.of_shader(harness, evaluator, edits)
            self.only_translated = edits if validity.is_sound else ()

    def _in_author_language(self, program: ProgramSource, edits: tuple[LineEdit, ...]) -> tuple[LineEdit, ...]:
        """Returns edits of a translation in the author's language; none if they cannot be written so.

        The file is translated anew with them, and has to say what was tried.
        """
        if edits in self._in_file:
            return self._in_file[edits]
        ways = [*itertools.islice(in_author_language(program, edits), _MOST_WAYS)]
        if not ways or len(self._in_file) >= _MOST_TRANSLATED:
            return ()
        self._in_file[edits] = ()
        for written in ways:
            plan = planned_with(self._session.plan, written)
            again = plan.find(self._name) if plan is not None else None
            if again is not None and says_the_same(again.program.fragment, applied(program, edits).fragment):
                self._in_file[edits] = written
                break
        return self._in_file[edits]

    def _has_enough(self, edits: Sequence[LineEdit]) -> bool:
        """Whether as many shorter repairs of the same lines are known as are reported."""
        lines = [(edit.file, edit.line) for edit in edits]
        alike = [each for each in self.repairs if [(edit.file, edit.line) for edit in each.edits] == lines]
        return sum(length(each.edits) <= length(edits) for each in alike) >= _MOST_OF_A_LINE

    def release(self) -> None:
        """Frees the programs that it tried."""
        self._neighbours.release()
        self.validation.release()


def _with_even_ties(edits: tuple[LineEdit, ...]) -> tuple[LineEdit, ...]:
    """Returns the edits with `roundEven` where they bring in `round`, whose ties each driver rounds its own way."""
    return tuple(
        dataclasses.replace(edit, after=_ROUND.sub("roundEven(", edit.after))
        if edit.after is not None and not _ROUND.search(edit.before or "")
        else edit
        for edit in edits
    )


def _inputs_right(
    harness: Harness, evaluator: Evaluator, program: ProgramSource, others: Sequence[Inputs] | None
) -> Generator[None, None, int]:
    """Returns on how many inputs everything is right; 0 if it fails on any input tried.

    Inputs for which nothing but zeros is expected count for nothing: whatever multiplies by zero is right there.
    """
    try:
        # A loop that counts down below 0 in whole numbers without a sign turns four billion times.
        variant = harness.variant(with_limited_loops(program.fragment))
    except TexelscopeError:
        return 0
    try:
        if not (evaluator.is_right_first(variant, ()) and evaluator.is_right(variant, ())):
            return 0
        yield
        count = int(_tells(evaluator.wanted))
        for wanted in evaluator.on_others(others):
            if not evaluator.is_right(variant, (), wanted):
                return 0
            count += _tells(wanted)
            yield
        return count
    finally:
        variant.release()


def _tells(wanted: Mapping[str, ExpectedOutput]) -> bool:
    """Whether any expected value is not zero."""
    return any(bool(np.any(each.value != 0.0)) for each in wanted.values())


def _some_of_each_line(repairs: Sequence[Repair]) -> Iterator[Repair]:
    """Yields the first few of the repairs with the same lines."""
    seen: dict[tuple[Line, ...], int] = {}
    for repair in repairs:
        lines = tuple((edit.file, edit.line) for edit in repair.edits)
        seen[lines] = seen.get(lines, 0) + 1
        if seen[lines] <= _MOST_OF_A_LINE:
            yield repair
