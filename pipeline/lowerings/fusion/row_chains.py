"""Finds passes along the rows of a tensor that follow each other: normalisations and softmaxes, taken apart or not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.operands import OperandsAtHand, is_arranged_as
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.row_forms import MOST_TOTALS, RowProgram, has_rows, row_form
from texelscope.pipeline.lowerings.row_steps import RowStep, Total, may_total, row_steps
from texelscope.pipeline.plan import Pass

_MOST_PASSES = 16
_MOST_READS = 4
_MOST_CONSTANTS = 3


def row_forms(passes: Matching) -> list[Lowering]:
    """Returns a form for each run of passes that begins with a total of rows; none has a pass of another."""
    found: list[Lowering] = []
    taken: set[str] = set()
    for each in passes.passes:
        if each.name in taken or not may_total(passes.node(each)):
            continue
        form = _form(passes, each)
        if form is not None and taken.isdisjoint(form.covers):
            found.append(form)
            taken.update(form.covers)
    return found


def _form(passes: Matching, shader_pass: Pass) -> Lowering | None:
    steps = _steps(passes, shader_pass)
    if steps is None or not any(isinstance(step, Total) for step in steps):
        return None
    x = passes.plan.textures.get(shader_pass.reads[0])
    if x is None or x.role == "constant" or not has_rows(x):
        return None
    most_constants = _MOST_CONSTANTS if isinstance(x.layout, RowMajorRgba) else 0
    chain = _Chain(passes, OperandsAtHand(passes, x, x.shape[-1], most_constants, _MOST_READS))
    return chain.form(shader_pass)


def _steps(passes: Matching, shader_pass: Pass) -> tuple[RowStep, ...] | None:
    return None if shader_pass.uniforms else row_steps(shader_pass.name, passes.call(shader_pass))


@dataclass
class _Chain:
    """Collects passes, from one on; `per_row` are keys of values that each row has once."""

    passes: Matching
    at_hand: OperandsAtHand
    steps: list[RowStep] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    per_row: set[str] = field(default_factory=set)

    def form(self, first: Pass) -> Lowering | None:
        """Returns the form of the longest run of whose results only the last, a whole tensor, is needed elsewhere."""
        best: tuple[int, int] | None = None
        following: Pass | None = first
        while following is not None and self._take(following):
            inner = all(self.passes.is_read_by(self.covers, key) for key in self.made[:-1])
            is_last = max(self.covers, key=self.passes.place) == following.name
            if inner and is_last and self.made[-1] not in self.per_row:
                best = len(self.steps), len(self.covers)
            following = self._next() if len(self.covers) < _MOST_PASSES else None
        if best is None:
            return None
        program = self._program(tuple(self.steps[: best[0]]))
        if not 0 < len(program.handed_on()) <= MOST_TOTALS:
            return None
        covers = sorted(self.covers[: best[1]], key=self.passes.place)
        return row_form(program, covers, self.passes.plan.textures)

    def _program(self, steps: tuple[RowStep, ...]) -> RowProgram:
        used = {key for step in steps for key in ((step.value,) if isinstance(step, Total) else step.operands)}
        known = {key: value for key, value in self.at_hand.known.items() if key in used}
        reads = tuple(key for key in self.at_hand.others if key in used)
        constants = tuple(key for key in self.at_hand.rows if key in used)
        return RowProgram(steps, reads, frozenset(self.per_row), known, constants)

    def _next(self) -> Pass | None:
        """Returns the next pass, in the order of the run, that it can take; before it another total that it needs."""
        for each in self.passes.following(self.made):
            if self._taken(each) is not None:
                return each
            for key in each.reads:
                other = None if key in self.made else self.passes.made_by(key)
                if other is not None and self._is_total(other) and self._taken(other) is not None:
                    return other
        return None

    def _is_total(self, shader_pass: Pass) -> bool:
        steps = _steps(self.passes, shader_pass) if may_total(self.passes.node(shader_pass)) else None
        return steps is not None and isinstance(steps[-1], Total)

    def _take(self, shader_pass: Pass) -> bool:
        steps = self._taken(shader_pass)
        if steps is None:
            return False
        for step in steps:
            if self._is_per_row(step):
                self.per_row.add(step.output)
        self.steps += steps
        self.covers.append(shader_pass.name)
        self.made.append(shader_pass.output)
        return True

    def _taken(self, shader_pass: Pass) -> tuple[RowStep, ...] | None:
        """Returns the steps of the pass if the form can compute them."""
        steps = _steps(self.passes, shader_pass) if len(shader_pass.outputs) == 1 else None
        if steps is None:
            return None
        made = {*self.made}
        per_row = {*self.per_row}
        for step in steps:
            operands = (step.value,) if isinstance(step, Total) else step.operands
            if not all(key in made or self.at_hand.take(key) for key in operands):
                return None
            if isinstance(step, Total) and step.value in per_row:
                return None
            made.add(step.output)
            if self._is_per_row(step, per_row):
                per_row.add(step.output)
        return steps if self._fits(shader_pass.output, per_row) else None

    def _is_per_row(self, step: RowStep, per_row: Collection[str] = ()) -> bool:
        """Whether a row has the step's value once: a total, or what is computed of such values and numbers alone."""
        once = {*self.per_row, *per_row, *self.at_hand.known}
        return isinstance(step, Total) or all(key in once for key in step.operands)

    def _fits(self, key: str, per_row: Collection[str]) -> bool:
        """Whether the tensor has the arrangement of what is read, or one number for each row of it."""
        stored, like = self.passes.plan.textures[key], self.at_hand.like
        if key in per_row:
            return stored.dtype == "float32" and stored.storage == "float32" and stored.shape == (*like.shape[:-1], 1)
        return is_arranged_as(stored, like) and stored.storage == "float32"
