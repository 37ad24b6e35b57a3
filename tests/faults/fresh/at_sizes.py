"""Runs a repair at sizes that its search did not see, beside the right pipeline at the same sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import moderngl

from tests.faults.fresh.planting import apply, planted, ran
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.programs.schema_text import with_limited_loops
from texelscope.pipeline.resizing.axes import AxisGroup, Cut, cut, groups, is_valid_cut
from texelscope.pipeline.resizing.other_sizes import step_of
from texelscope.pipeline.resizing.sized_plan import Resizer, SizedPlan
from texelscope.pipeline.resizing.subject import PassSubject, cut_out

# What a repair is at the sizes at which the right pipeline is right; none: it is right at no other size.
AtSizes = Literal["right", "wrong", "none"]
# The search takes a step more, a step less, twice and a step, one more and one less, all axes at once.
_WAYS: tuple[Callable[[int], int], ...] = (
    lambda size: size + 3 * step_of(size),
    lambda size: size - 2 * step_of(size),
    lambda size: size + 2,
    lambda size: 2 * size,
)
_TURNS, _MOST_ELEMENTS = 1 << 14, 1 << 20


def at_sizes(right: Path, wrong: Path, repair: Repair, name: str, context: moderngl.Context) -> AtSizes:
    """Judges a repair of the pass `name` in the folder `wrong` by the folder `right`."""
    with ran(right, context) as session, planted(wrong, ()) as copy:
        apply(repair.in_file, copy)
        with ran(copy, context) as other:
            return _judged(session, other, name, context)


def _judged(session: DebugSession, other: DebugSession, name: str, context: moderngl.Context) -> AtSizes:
    plan, fixed = session.plan, other.plan
    assert isinstance(plan, FilePlan)
    assert isinstance(fixed, FilePlan)
    shader_pass = plan.pass_called(name)
    read = [key for key in shader_pass.reads if plan.textures[key].role != "constant"]
    try:
        subject = cut_out(plan, {key: session.tensor(key) for key in read}, shader_pass, shader_pass.program)
        resizer, of_fixed = Resizer(plan, subject), Resizer(fixed, subject)
    except TexelscopeError:
        return "none"
    found: AtSizes = "none"
    for resized in _resized(subject, groups(subject, resizer.is_valid), resizer.is_valid):
        if not _is_right(resizer, resized, plan, context):
            continue
        if not _is_right(of_fixed, resized, fixed, context):
            return "wrong"
        found = "right"
    return found


def _resized(
    subject: PassSubject, every: Sequence[AxisGroup], is_valid: Callable[[PassSubject], bool]
) -> Iterator[PassSubject]:
    """Yields the subject with every axis alone at other sizes."""
    for group in every:
        for way in _WAYS:
            cuts = {group: Cut(way(group.size))}
            if way(group.size) > 0 and is_valid_cut(subject, cuts, is_valid):
                resized = cut(subject, cuts)
                if resized.elements <= _MOST_ELEMENTS:
                    yield resized


def _is_right(resizer: Resizer, subject: PassSubject, plan: FilePlan, context: moderngl.Context) -> bool:
    try:
        return any(_is_right_as(sized, context) for sized in resizer.ways(subject, plan.entries))
    except TexelscopeError:
        return False


def _is_right_as(sized: SizedPlan, context: moderngl.Context) -> bool:
    shader_pass = sized.plan.passes[0]
    with Session(sized.plan, context) as session:
        harness = Harness(session, shader_pass, is_rehearsed=False)
    try:
        evaluator = Evaluator(harness, Standard(sized.plan, shader_pass), turns=_TURNS)
        variant = harness.variant(with_limited_loops(shader_pass.program.fragment))
        try:
            return bool(evaluator.wanted) and evaluator.is_right(variant, ())
        finally:
            variant.release()
    finally:
        harness.release()
