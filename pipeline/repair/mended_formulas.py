"""Compares the formulas of a wrong pass with those of the repaired one: what each edit of a repair changes.

Each edit is looked at as if its fault were the only one: the text with all other edits made is the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.symbolic.canonical import Forms
from texelscope.pipeline.symbolic.pass_divergences import (
    LIMITS,
    Array,
    DivergenceLimits,
    PassComparison,
    PassDivergences,
    constants_read,
    flat_constants,
    nodes_of_pass,
    spread,
)
from texelscope.pipeline.symbolic.running import SymbolicPass
from texelscope.pipeline.symbolic.terms import value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session


@dataclass(frozen=True, eq=False)
class EditChange:
    """What an edit of a repair changes: the pass's formulas, and the `plan` if the edit is of the pipeline file.

    `formulas` is None where they are not known, `plan` for an edit of a shader.
    """

    edit: LineEdit
    formulas: PassDivergences | None
    plan: Plan | None = None


@dataclass(frozen=True)
class _Known:
    """Formulas that were made before, by element."""

    terms: Mapping[int, Any]
    lines: Sequence[Line]

    def element(self, element: int) -> Any:
        """Returns a term or a number. Raises UnknownTextError where there is none."""
        if element not in self.terms:
            raise UnknownTextError(f"element {element}")
        return self.terms[element]


def changes_of(
    harness: Harness, session: Session, repair: Repair, wrong: Array, limits: DivergenceLimits = LIMITS
) -> tuple[EditChange, ...]:
    """Returns for each edit of a repair what it changes.

    `wrong` masks the wrong elements of the output in view. The harness keeps its own program; `session` is its session.
    GL thread.
    """
    elements = spread(wrong.reshape(-1), limits.wrong)
    files = {file.path for file in harness.program.files}
    if not elements:
        return ()
    if {edit.file for edit in repair.edits} <= files:
        mended = _formulas(harness, repair.edits, elements)
        return tuple(
            EditChange(edit, _of_edit(harness, session, repair, edit, mended, wrong, limits)) for edit in repair.edits
        )
    if len(repair.edits) == 1 and (plan := planned_with(session.plan, repair.edits)) is not None:
        return (EditChange(repair.edits[0], _of_plan(harness, session, plan, wrong, limits), plan),)
    return ()


def _of_edit(
    harness: Harness,
    session: Session,
    repair: Repair,
    edit: LineEdit,
    mended: _Known | None,
    wrong: Array,
    limits: DivergenceLimits,
) -> PassDivergences | None:
    rest = tuple(other for other in repair.edits if other != edit)
    got = _formulas(harness, rest, spread(wrong.reshape(-1), limits.wrong)) if mended is not None else None
    if got is None or mended is None:
        return None
    return _compared(session, harness.plan, harness.shader_pass, (got, mended), wrong, limits)


def _of_plan(
    harness: Harness, session: Session, plan: Plan, wrong: Array, limits: DivergenceLimits
) -> PassDivergences | None:
    again = plan.find(harness.shader_pass.name)
    if again is None or plan.textures.keys() != session.plan.textures.keys():
        return None
    elements = spread(wrong.reshape(-1), limits.wrong)
    try:
        other = Harness(session, again, plan)
    except TexelscopeError:
        return None
    try:
        got, mended = _formulas(harness, (), elements), _formulas(other, (), elements)
        if got is None or mended is None:
            return None
        return _compared(session, plan, again, (got, mended), wrong, limits)
    except (TexelscopeError, KeyError):  # the repaired pass may read what is not bound
        return None
    finally:
        other.release()


def _formulas(harness: Harness, edits: Sequence[LineEdit], elements: Sequence[int]) -> _Known | None:
    """Returns the formulas of the harness's program with some edits; None where its text is not known."""
    scratch, shader_pass = harness.scratch, harness.shader_pass
    recorder = DispatchRecorder(scratch, follows_reads=False)
    program = applied(harness.program, edits) if edits else harness.program
    try:
        if edits:
            scratch.replace_program(shader_pass.name, program)
        symbolic = SymbolicPass(
            harness.plan, shader_pass, program, scratch.texels,
            lambda tx, ty, lane: recorder.writer(shader_pass, tx, ty, lane),
        )  # fmt: skip
        terms: dict[int, Any] = {}
        for element in elements:
            try:
                terms[element] = symbolic.element(element)
            except Exception:  # noqa: BLE001 - a text may hold anything, and one element says nothing of others
                continue
        return _Known(terms, tuple(symbolic.lines)) if terms else None
    except Exception:  # noqa: BLE001 - a text may hold anything, and formulas are one witness of several
        return None
    finally:
        recorder.release()
        if edits:
            scratch.replace_program(shader_pass.name, harness.program)


def _compared(
    session: Session,
    plan: Plan,
    shader_pass: Pass,
    sides: tuple[_Known, _Known],
    wrong: Array,
    limits: DivergenceLimits,
) -> PassDivergences | None:
    got, mended = sides
    whole = session.plan
    constants = constants_read(session, whole, whole.pass_called(shader_pass.name))
    nodes: tuple[Node, ...] = ()
    if whole.graph is not None:
        constants = {**constants, **flat_constants(whole.graph.constants)}
        try:
            nodes = nodes_of_pass(whole, shader_pass)
        except UnknownTextError:
            nodes = ()
    tensors = {key: stored.tensor for key, stored in {**plan.textures, **whole.textures}.items()}
    stored = whole.textures[shader_pass.output]
    forms = Forms(tensors, constants)
    values = {element: float(value_of(term)) for element, term in got.terms.items()}
    actual = session.tensor(shader_pass.output).reshape(-1).astype("float64")
    for element, value in values.items():  # without the other edits' faults, the pass would give these
        actual[element] = value
    comparison = PassComparison(got, mended, forms, actual)
    steps = comparison.of_elements([*got.terms], limits.seconds)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found, unclear = end.value
            break
    shapes = {each.tensor: each.shape for each in whole.textures.values()}
    return PassDivergences(
        stored.shape, shapes, nodes, found, unclear, tuple(got.lines), wrong.reshape(-1), actual, constants,
        comparison.has_formula_of,
    )  # fmt: skip
