"""Tries repairs at other sizes of their pass. GL thread."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.programs.schema_text import with_limited_loops
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.repair.validation.observed_text import ObservedPlace
from texelscope.pipeline.repair.validation.observing import observe
from texelscope.pipeline.resizing.axes import AxisGroup, groups
from texelscope.pipeline.resizing.other_sizes import OtherSize, other_sizes, sizes_alone
from texelscope.pipeline.resizing.size_numbers import resized_text
from texelscope.pipeline.resizing.sized_plan import NumberReadings, Resizer, SizedPlan
from texelscope.pipeline.resizing.subject import PassSubject, cut_out

# At most this many sizes with several axes changed are tried.
_MOST = 5
# A pass that makes more elements is tried at smaller sizes only; its time would depend on what else the machine does.
_LARGE = 1 << 17
# Loops may turn this many times as often as at the pass's own sizes.
_MORE_TURNS = 8


# A whole number, or a float without a fraction.
_WHOLE = re.compile(r"(?<![\w.])(\d{1,9})(?:\.0*)?(?![\w.])")
# What follows a size that is rounded up, as the search writes it.
_ROUNDED_UP = re.compile(r"\+ (?:3u?\) / 4u? \* 4|7u?\) / 8u? \* 8)u?(?![\w.])")
# What is right at a size: a harness and the text that it ran.
_Right = tuple["_SizedHarness", str]
# The same by the number of the way to plan a size.
_Rights = dict[int, _Right]
_Found = TypeVar("_Found")
# Work that stops after each size, so that whoever owns the GL thread can do something else; it returns what it found.
Steps = Generator[None, None, _Found]


@dataclass(frozen=True)
class _SizedHarness:
    sized: SizedPlan
    harness: Harness
    evaluator: Evaluator


@dataclass(frozen=True)
class SizeAnswer:
    """Whether everything is right at another size with an edit, and in which of the ways to plan that size.

    `is_right` is None where it may be by chance.
    """

    is_right: bool | None
    ways: frozenset[int]

    def is_less_than(self, other: frozenset[int]) -> bool:
        """Whether it is right in fewer ways than something else, which is right in all of these too."""
        return self.is_right is not None and self.ways < other


@dataclass(frozen=True)
class _OtherSize:
    """One other size; where it is unknown which numbers of the file are sizes there are several `ways` to plan it."""

    subject: PassSubject
    ways: tuple[_SizedHarness, ...]
    is_certain: bool

    @property
    def changed(self) -> frozenset[int]:
        """Returns the sizes that are others here."""
        sized = self.ways[0].sized
        pairs = zip(sized.before, sized.after, strict=True)
        sizes = ((as_nchw(one[0]), as_nchw(other[0])) for one, other in pairs)
        return frozenset(now for was, these in sizes for one, now in zip(was, these, strict=True) if one != now)


@dataclass(frozen=True)
class _Resizable:
    """A pass with the axes that change together, and whether its shader follows their sizes."""

    subject: PassSubject
    resizer: Resizer
    followed: tuple[AxisGroup, ...]
    others: tuple[AxisGroup, ...]
    is_large: bool


class OtherSizes:
    """A pass at other sizes, each on a harness of its own; release it.

    All axes change at once. An edit that is not right there is tried with one axis changed alone, too: a shader that
    holds the size of one axis is right at no other size of that axis, whatever it does with the rest.
    """

    def __init__(self, session: Session, shader_pass: Pass, turns: int) -> None:
        """`turns` limit the loops at the pass's own sizes. Nothing is planned before the first trial."""
        self._session, self._pass, self._turns = session, shader_pass, turns * _MORE_TURNS
        self._resizable: _Resizable | None = None
        self._together: list[_OtherSize] | None = None
        self._alone: list[_OtherSize] | None = None
        self._unedited: dict[int, frozenset[int]] = {}
        self._last: tuple[Sequence[LineEdit], tuple[_Rights, ...]] | None = None
        # Why the pass cannot be tried at another size; empty if it can.
        self.problem = ""

    def release(self) -> None:
        """Frees every harness."""
        for way in (way for each in self._every for way in each.ways):
            way.harness.release()
        self._together = self._alone = self._last = None

    @property
    def certain(self) -> tuple[bool, ...]:
        """Returns for each size whether a shader that is right in general is right there, as far as is known."""
        return tuple(each.is_certain for each in self._every)

    @property
    def unedited(self) -> tuple[frozenset[int], ...]:
        """Returns for each size the ways in which the pass is right as it is: there the fault does not show."""
        return tuple(map(self._ways_unedited, range(len(self._every))))

    def holds(self, edits: Sequence[LineEdit]) -> Steps[tuple[SizeAnswer, ...]]:
        """Returns for each size whether everything is right there with edits of the shader, or of the pipeline file.

        That is unknown where the edits bring in a number that is one of that size's, or where a number that they write
        into the file may follow the size or not, and only one of both is right. Nothing where the edits cannot be
        planned at other sizes: they may bind what the pass does not read now. Sizes with one axis changed alone are
        left out where those before them decide.
        """
        together = yield from self._planned()
        found = yield from self._answers(together, edits)
        yield from self._know_unedited()
        is_refuted = any(
            answer.is_less_than(self._ways_unedited(number)) or (answer.is_right is False and size.is_certain)
            for number, (size, answer) in enumerate(zip(together, found, strict=False))
        )
        is_proven = all(answer.is_right is not False for answer in found) and any(
            answer.is_right and not self._ways_unedited(number) for number, answer in enumerate(found)
        )
        if not found or is_refuted or is_proven:
            return found
        alone = yield from self._planned_alone()
        more = yield from self._answers(alone, edits)
        yield from self._know_unedited()
        return (*found, *more)

    def _answers(self, sizes: Sequence[_OtherSize], edits: Sequence[LineEdit]) -> Steps[tuple[SizeAnswer, ...]]:
        plan = self._session.plan
        if isinstance(plan, FilePlan) and edits[0].file == plan.path.name:
            return (yield from self._answers_of_file(plan, sizes, edits))
        every = yield from self._rights(edits) if sizes is self._together else self._rights_of(sizes, edits)
        numbers = _numbers_put_in(edits)
        return tuple(
            SizeAnswer(
                None if not size.is_certain and rights and numbers & size.changed else bool(rights), frozenset(rights)
            )
            for size, rights in zip(sizes, every, strict=True)
        )

    def _answers_of_file(
        self, plan: FilePlan, sizes: Sequence[_OtherSize], edits: Sequence[LineEdit]
    ) -> Steps[tuple[SizeAnswer, ...]]:
        other = planned_with(plan, edits)
        if self._resizable is None or not isinstance(other, FilePlan):
            return ()
        try:
            readings = [self._resizable.resizer.as_numbers(each.subject, other.entries) for each in sizes]
        except TexelscopeError:
            return ()
        found = []
        for each in readings:
            found.append(self._answer_of_file(each))
            yield
        return tuple(found)

    def _answer_of_file(self, readings: NumberReadings) -> SizeAnswer:
        """Returns whether all readings of the numbers in a file are right; None if they differ on a number's size.

        A number that takes a size's place and is right only if it does not follow that is wrong.
        """
        every = [self._ways_right(each) for each in readings.ways]
        is_chance = readings.is_size and len(set(map(bool, every))) > 1
        return SizeAnswer(None if is_chance else all(every), frozenset.intersection(*every))

    def running(self, edits: Sequence[LineEdit]) -> Steps[frozenset[ObservedPlace]]:
        """Returns the places whose flags are set at any size at which edits of the shader are right."""
        found = frozenset[ObservedPlace]()
        for of_size in (yield from self._rights(edits)):
            for way, text in of_size.values():
                found |= frozenset(observe(way.harness, text, self._turns) or ())
                yield
        return found

    def _rights(self, edits: Sequence[LineEdit]) -> Steps[tuple[_Rights, ...]]:
        """Returns where edits of the shader are right with all axes changed; those of the last edits are kept."""
        if self._last is None or self._last[0] != edits:
            together = yield from self._planned()
            self._last = edits, (yield from self._rights_of(together, edits))
        return self._last[1]

    def _rights_of(self, sizes: Sequence[_OtherSize], edits: Sequence[LineEdit]) -> Steps[tuple[_Rights, ...]]:
        found = []
        for each in sizes:
            found.append(self._rights_at(each, edits))
            yield
        return tuple(found)

    def _know_unedited(self) -> Steps[None]:
        """Tries the pass as it is at every size that is planned by now."""
        for number in range(len(self._every)):
            if number not in self._unedited:
                self._ways_unedited(number)
                yield

    @property
    def _every(self) -> list[_OtherSize]:
        return [*(self._together or ()), *(self._alone or ())]

    def _ways_unedited(self, number: int) -> frozenset[int]:
        if number not in self._unedited:
            self._unedited[number] = frozenset(self._rights_at(self._every[number], ()))
        return self._unedited[number]

    def _planned(self) -> Steps[Sequence[_OtherSize]]:
        if self._together is None:
            self._together = []
            if (found := self._found()) is not None:
                made = other_sizes(
                    found.subject, found.followed, found.others, found.resizer.is_valid, is_large=found.is_large
                )
                for each in itertools.islice(self._made(found.resizer, made), _MOST):
                    self._together.append(each)
                    yield
                if not self._together:
                    self.problem = "nothing says which of its numbers are sizes"
        return self._together

    def _planned_alone(self) -> Steps[Sequence[_OtherSize]]:
        if self._alone is None:
            self._alone, found = [], self._resizable
            if found is not None and len(found.followed) + len(found.others) > 1:
                made = sizes_alone(found.subject, found.others, found.resizer.is_valid, is_large=found.is_large)
                for each in self._made(found.resizer, made):
                    self._alone.append(each)
                    yield
        return self._alone

    def _found(self) -> _Resizable | None:
        plan, name = self._session.plan, self._pass.name
        if not isinstance(plan, FilePlan) or self._session.program_source(name) != self._pass.program:
            self.problem = "only a saved pipeline file can be planned for other sizes"
            return None
        try:
            read = [key for key in self._pass.reads if plan.textures[key].role != "constant"]
            tensors = {key: self._session.tensor(key) for key in read}
            subject = cut_out(plan, tensors, self._pass, self._pass.program)
            resizer = Resizer(plan, subject)
        except TexelscopeError as error:
            self.problem = f"{error.expected} is needed, and there is {error.got}"
            return None
        every = groups(subject, resizer.is_valid)
        followed = tuple(group for group in every if resizer.is_followed(group))
        others = tuple(group for group in every if group not in followed)
        is_large = sum(math.prod(plan.textures[key].shape) for key in self._pass.outputs) > _LARGE
        self._resizable = _Resizable(subject, resizer, followed, others, is_large)
        return self._resizable

    def _made(self, resizer: Resizer, sizes: Iterator[OtherSize]) -> Iterator[_OtherSize]:
        for size in sizes:
            try:
                ways = tuple(map(self._on_a_harness, resizer.ways(size.subject)))
            except TexelscopeError:
                continue
            yield _OtherSize(size.subject, ways, size.is_in_step and all(way.sized.is_certain for way in ways))

    def _on_a_harness(self, sized: SizedPlan) -> _SizedHarness:
        (shader_pass,) = sized.plan.passes
        with Session(sized.plan, self._session.context) as session:
            harness = Harness(session, shader_pass, is_rehearsed=False)
        return _SizedHarness(sized, harness, Evaluator(harness, Standard(sized.plan, shader_pass), turns=self._turns))

    def _rights_at(self, size: _OtherSize, edits: Sequence[LineEdit]) -> _Rights:
        """Returns in which ways edits of the shader make everything right at a size."""
        found: _Rights = {}
        for number, way in enumerate(size.ways):
            program = applied(way.sized.plan.passes[0].program, edits)
            texts = (program.fragment,) if size.is_certain else _texts(way.sized, program)
            if (text := _right_of(way, texts)) is not None:
                found[number] = way, text
        return found

    def _ways_right(self, plans: Sequence[SizedPlan]) -> frozenset[int]:
        """Returns the numbers of those plans as which everything is right."""
        found = set[int]()
        for number, sized in enumerate(plans):
            way = self._on_a_harness(sized)
            try:
                if _right_of(way, _texts(sized, sized.plan.passes[0].program)) is not None:
                    found.add(number)
            finally:
                way.harness.release()
        return frozenset(found)


def _right_of(way: _SizedHarness, texts: Sequence[str]) -> str | None:
    """Returns the first of some texts with which everything is right; None if there is none."""
    for text in texts:
        try:
            variant = way.harness.variant(with_limited_loops(text))
        except TexelscopeError:
            continue
        try:
            if way.evaluator.wanted and way.evaluator.is_right(variant, ()):
                return text
        except TexelscopeError:
            continue
        finally:
            variant.release()
    return None


def _numbers_put_in(edits: Sequence[LineEdit]) -> frozenset[int]:
    """Returns the whole numbers that edits bring in, without those by which a size is rounded up to a pack."""
    before = {int(each) for edit in edits for each in _WHOLE.findall(edit.before or "")}
    texts = [_ROUNDED_UP.sub("", edit.after or "") for edit in edits]
    return frozenset({int(each) for text in texts for each in _WHOLE.findall(text)} - before)


def _texts(sized: SizedPlan, program: ProgramSource) -> tuple[str, ...]:
    """Returns a shader as it is, and with its numbers that are sizes replaced, if it has any."""
    lines = program.fragment.split("\n")
    other = [line if line.lstrip().startswith("#") else resized_text(line, sized.before, sized.after) for line in lines]
    return tuple(dict.fromkeys((program.fragment, "\n".join(other))))
