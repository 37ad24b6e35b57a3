"""Tries repairs at other sizes of their pass. GL thread."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from texelscope.pipeline.resizing.axes import groups
from texelscope.pipeline.resizing.other_sizes import other_sizes
from texelscope.pipeline.resizing.size_numbers import resized_text
from texelscope.pipeline.resizing.sized_plan import Resizer, SizedPlan
from texelscope.pipeline.resizing.subject import PassSubject, cut_out

# At most this many sizes are tried.
_MOST = 5
# A pass that makes more elements is tried at smaller sizes only; its time would depend on what else the machine does.
_LARGE = 1 << 17
# Loops may turn this many times as often as at the pass's own sizes.
_MORE_TURNS = 8


# A whole number, or a float without a fraction.
_WHOLE = re.compile(r"(?<![\w.])(\d{1,9})(?:\.0*)?(?![\w.])")
# What is right at a size: a harness and the text that it ran.
_Right = tuple["_SizedHarness", str]


@dataclass(frozen=True)
class _SizedHarness:
    sized: SizedPlan
    harness: Harness
    evaluator: Evaluator


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


class OtherSizes:
    """A pass at other sizes, each on a harness of its own; release it."""

    def __init__(self, session: Session, shader_pass: Pass, turns: int) -> None:
        """`turns` limit the loops at the pass's own sizes. Nothing is planned before the first trial."""
        self._session, self._pass, self._turns = session, shader_pass, turns * _MORE_TURNS
        self._sizes: list[_OtherSize] | None = None
        self._resizer: Resizer | None = None
        self._last: tuple[Sequence[LineEdit], tuple[_Right | None, ...]] | None = None
        # Why the pass cannot be tried at another size; empty if it can.
        self.problem = ""

    def release(self) -> None:
        """Frees every harness."""
        for way in (way for each in self._sizes or () for way in each.ways):
            way.harness.release()
        self._sizes = self._last = None

    @property
    def certain(self) -> tuple[bool, ...]:
        """Returns for each size whether a shader that is right in general is right there, as far as is known."""
        return tuple(each.is_certain for each in self._sizes or ())

    def holds(self, edits: Sequence[LineEdit]) -> tuple[bool | None, ...]:
        """Returns for each size whether everything is right there with edits of the shader, or of the pipeline file.

        None where the edits bring in a number that is one of that size's: it may be right there by chance. Nothing
        where the edits cannot be planned at other sizes: they may bind what the pass does not read now.
        """
        found = self._holds(edits)
        numbers = _numbers_put_in(edits)
        return tuple(
            None if not size.is_certain and is_right and numbers & size.changed else is_right
            for size, is_right in zip(self._planned(), found, strict=False)
        )

    def _holds(self, edits: Sequence[LineEdit]) -> tuple[bool, ...]:
        sizes, plan = self._planned(), self._session.plan
        if not isinstance(plan, FilePlan) or edits[0].file != plan.path.name:
            return tuple(each is not None for each in self._rights(edits))
        other = planned_with(plan, edits)
        if self._resizer is None or not isinstance(other, FilePlan):
            return ()
        try:
            plans = [self._resizer.ways(each.subject, other.entries) for each in sizes]
        except TexelscopeError:
            return ()
        return tuple(map(self._is_right_as, plans))

    def running(self, edits: Sequence[LineEdit]) -> frozenset[ObservedPlace]:
        """Returns the places whose flags are set at any size at which edits of the shader are right."""
        rights = [each for each in self._rights(edits) if each is not None]
        return frozenset().union(*(observe(way.harness, text, self._turns) or () for way, text in rights))

    def _rights(self, edits: Sequence[LineEdit]) -> tuple[_Right | None, ...]:
        """Returns where edits of the shader are right at each size; those of the last edits are kept."""
        if self._last is None or self._last[0] != edits:
            self._last = edits, tuple(self._right(each, edits) for each in self._planned())
        return self._last[1]

    def _planned(self) -> Sequence[_OtherSize]:
        if self._sizes is None:
            self._sizes = list(itertools.islice(self._made(), _MOST))
            if not self._sizes and not self.problem:
                self.problem = "nothing says which of its numbers are sizes"
        return self._sizes

    def _made(self) -> Iterator[_OtherSize]:
        plan, name = self._session.plan, self._pass.name
        if not isinstance(plan, FilePlan) or self._session.program_source(name) != self._pass.program:
            self.problem = "only a saved pipeline file can be planned for other sizes"
            return
        try:
            read = [key for key in self._pass.reads if plan.textures[key].role != "constant"]
            tensors = {key: self._session.tensor(key) for key in read}
            subject = cut_out(plan, tensors, self._pass, self._pass.program)
            self._resizer = resizer = Resizer(plan, subject)
        except TexelscopeError as error:
            self.problem = f"{error.expected} is needed, and there is {error.got}"
            return
        every = groups(subject, resizer.is_valid)
        followed = [group for group in every if resizer.is_followed(group)]
        others = [group for group in every if group not in followed]
        is_large = sum(math.prod(plan.textures[key].shape) for key in self._pass.outputs) > _LARGE
        for size in other_sizes(subject, followed, others, resizer.is_valid, is_large=is_large):
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

    def _right(self, size: _OtherSize, edits: Sequence[LineEdit]) -> _Right | None:
        """Returns where edits of the shader make everything right at a size; None if they do not."""
        for way in size.ways:
            program = applied(way.sized.plan.passes[0].program, edits)
            texts = (program.fragment,) if size.is_certain else _texts(way.sized, program)
            if (text := _right_of(way, texts)) is not None:
                return way, text
        return None

    def _is_right_as(self, plans: Sequence[SizedPlan]) -> bool:
        """Whether everything is right as one of some plans says."""
        for sized in plans:
            way = self._on_a_harness(sized)
            try:
                if _right_of(way, _texts(sized, sized.plan.passes[0].program)) is not None:
                    return True
            finally:
                way.harness.release()
        return False


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
    """Returns the whole numbers that edits bring in."""
    before = {int(each) for edit in edits for each in _WHOLE.findall(edit.before or "")}
    after = {int(each) for edit in edits for each in _WHOLE.findall(edit.after or "")}
    return frozenset(after - before)


def _texts(sized: SizedPlan, program: ProgramSource) -> tuple[str, ...]:
    """Returns a shader as it is, and with its numbers that are sizes replaced, if it has any."""
    lines = program.fragment.split("\n")
    other = [line if line.lstrip().startswith("#") else resized_text(line, sized.before, sized.after) for line in lines]
    return tuple(dict.fromkeys((program.fragment, "\n".join(other))))
