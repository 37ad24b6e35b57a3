"""Tries repairs in a pipeline file: another tensor bound, another layout, another size; the shader may be right.

Bindings that the file may have meant are tensors that a pass's nodes need, or two exchanged ones.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.repairs import LineEdit, Repair, edited, unified_files
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.importers.planned_file import plan_file
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import Pass, Plan, UniformValue
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.pipeline_file_repairs.lines import (
    laid_out_otherwise_in,
    set_in,
    sized_otherwise_in,
    stored_otherwise_in,
    switched_otherwise_in,
)

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Names that a shader tests for a definition, and that it defines; names of drivers.
_ASKED = re.compile(
    r"#\s*ifn?def\s+(\w+)|\bdefined\s*\(?\s*(\w+)|#\s*(?:el)?if\s+!?\s*([A-Za-z_]\w*)\s*$", re.MULTILINE
)
_DEFINED, _RESERVED, _MOST_ASKED = re.compile(r"#\s*define\s+(\w+)"), ("GL_", "__", "defined"), 6
# At most this many of each kind are tried.
_MOST = 8
Bindings = tuple[tuple[str, str], ...]


def planned_with(plan: Plan, edits: Sequence[LineEdit]) -> Plan | None:
    """Returns the plan of the pipeline file with edits made, of the file or of shaders in other languages.

    None if none of them are of such files, or if they make one invalid. Nothing is saved. Passes that run with another
    text than that of their file keep it.
    """
    if not isinstance(plan, FilePlan):
        return None
    path = plan.path
    folder = Folder(path.parent)
    own = [edit for edit in edits if edit.file == path.name]
    others = dict.fromkeys(edit.file for edit in edits if language_of(edit.file) is not None)
    try:
        text = edited(plan.file_text(), own) if own else ""
        texts = {file.path: file.text for each in plan.passes for file in each.program.files}
        instead = {
            file: edited(
                texts.get(file) or folder.text(folder.file(file)), [each for each in edits if each.file == file]
            )
            for file in others
        }
        changed = {file: after for file, after in instead.items() if after is not None}
        if text is None or len(changed) < len(instead) or not (own or others):
            return None
        planned = plan_file(path, plan.options, plan, text=text, instead=changed)
    except TexelscopeError:
        return None
    return _with_texts_of(plan, planned, changed).at(plan.frames.moment)


def _with_texts_of(plan: Plan, planned: FilePlan, changed: Collection[str]) -> FilePlan:
    """Returns `planned` with the programs of `plan` whose files have other texts, apart from the `changed` files."""
    passes = []
    for now in planned.passes:
        was = plan.find(now.name)
        is_edited = any(file.path in changed for file in now.program.files)
        is_other = was is not None and was.program.files != now.program.files
        passes.append(dataclasses.replace(now, program=was.program) if was and is_other and not is_edited else now)
    return dataclasses.replace(planned, passes=tuple(passes))


def rebound(
    session: Session, shader_pass: Pass, bindings: Sequence[tuple[str, str]]
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns repairs that bind other tensors to samplers; `bindings` are uniforms with the right tensors."""
    lines = [_binding(session.plan, shader_pass, uniform, needed) for uniform, needed in bindings]
    edits = tuple(line for line in lines if line is not None)
    if not edits or len({edit.line for edit in edits}) < len(lines):
        return ()
    return (yield from repair_of_file(session, shader_pass, edits))


def newly_set(
    session: Session, shader_pass: Pass, values: Sequence[tuple[str, str]]
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns the repair that adds values of uniforms to the pass, by their keys in the file."""
    file, lines = lines_of(session.plan)
    for added in set_in(lines, shader_pass.name, values):
        edits = tuple(LineEdit(file, *each) for each in added)
        if found := (yield from repair_of_file(session, shader_pass, edits)):
            return found
    return ()


def otherwise_bound(
    session: Session, shader_pass: Pass, is_late: Callable[[], bool]
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns repairs with other storage, sampling or order of outputs or inputs; if none, with other layouts."""
    file, lines = lines_of(session.plan)
    constants = [
        stored.tensor for key in shader_pass.reads if (stored := session.plan.textures[key]).role == "constant"
    ]
    found: list[Repair] = []
    for otherwise in (stored_otherwise_in, laid_out_otherwise_in):
        for number, after in otherwise(lines, shader_pass.name, constants):
            if is_late():
                break
            if any(repair.line == number for repair in found):  # of layouts that are equal here the likeliest is enough
                continue
            try:
                found += yield from repair_of_file(
                    session, shader_pass, (LineEdit(file, number, lines[number - 1], after),)
                )
            except TexelscopeError:
                continue
        if found:
            break
    return tuple(found)


def otherwise_switched(
    session: Session, shader_pass: Pass, is_late: Callable[[], bool]
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns repairs that negate a uniform or a define."""
    file, lines = lines_of(session.plan)
    found: list[Repair] = []
    for number, before, after in switched_otherwise_in(
        lines, shader_pass.name, _asked_for(shader_pass.program.fragment)
    ):
        if is_late():
            break
        try:
            found += yield from repair_of_file(
                session, shader_pass, (LineEdit(file, number, before, after),), is_as_written=False
            )
        except TexelscopeError:
            continue
    return tuple(found)


def _asked_for(shader: str) -> list[str]:
    """Returns names that a shader tests for a definition, and does not define."""
    text = without_comments(shader)
    asked = dict.fromkeys(name for match in _ASKED.finditer(text) for name in match.groups() if name)
    defined = {*_DEFINED.findall(text)}
    return [name for name in asked if name not in defined and not name.startswith(_RESERVED)][:_MOST_ASKED]


def otherwise_sized(
    session: Session, shader_pass: Pass, plain: Variant, evaluator: Evaluator, is_late: Callable[[], bool]
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns repairs that give a uniform another size or component and that are right in the unedited `plain`."""
    file, lines = lines_of(session.plan)
    named = dict.fromkeys((*(name for pair in shader_pass.bound_reads for name in pair), *shader_pass.outputs))
    seen: set[tuple[tuple[str, UniformValue], ...]] = set()
    found: list[Repair] = []
    for number, after in sized_otherwise_in(lines, shader_pass.name, tuple(named)):
        if is_late():
            break
        edit = LineEdit(file, number, lines[number - 1], after)
        plan = planned_with(session.plan, (edit,))
        again = plan.find(shader_pass.name) if plan is not None else None
        other = {name: value for name, value in (again.uniforms if again is not None else shader_pass.uniforms).items()
                 if value != shader_pass.uniforms.get(name)}  # fmt: skip
        if not other or (key := tuple(sorted(other.items()))) in seen:
            continue
        seen.add(key)
        if evaluator.is_right_first(plain, (), other) and evaluator.is_right(plain, (), settings=other):
            found += yield from repair_of_file(session, shader_pass, (edit,))
        yield
    return tuple(found)


def repair_of_file(
    session: Session, shader_pass: Pass, edits: tuple[LineEdit, ...], *, is_as_written: bool = True
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns the repair made of the edits, planned and drawn as the file would be; none if any value is wrong.

    None also if the pass would run another text, unless the edits are meant to do that.
    """
    plan = planned_with(session.plan, edits)
    again = plan.find(shader_pass.name) if plan is not None else None
    if plan is None or again is None or (is_as_written and again.program.fragment != shader_pass.program.fragment):
        return ()
    if not _others_read_the_same(session.plan, plan, shader_pass.name):
        return ()
    yield
    harness = Harness(session, again, plan, is_rehearsed=False)
    try:
        evaluator = Evaluator(harness, Standard(plan, again))
        plain = harness.variant(harness.program.fragment)
        try:
            if not evaluator.is_right(plain, ()):
                return ()
            inputs = 1
            for wanted in evaluator.on_others():
                if not evaluator.is_right(plain, (), wanted):
                    return ()
                inputs += 1
                yield
        finally:
            plain.release()
        diff = unified_files(edits, lambda file: _text(session.plan, file))
        return (Repair(edits, diff, evaluator.elements, inputs),) if diff else ()
    finally:
        harness.release()


def _others_read_the_same(plan: Plan, other: Plan, name: str) -> bool:
    """Whether the inputs of other passes lie at the same places of their textures in both plans."""
    return all(
        (here := plan.textures[key]).layout == (there := other.textures[key]).layout and here.shape == there.shape
        for each in plan.passes
        if each.name != name
        for key in each.reads
        if key in other.textures
    )


def lines_of(plan: Plan) -> tuple[str, list[str]]:
    """Returns name and lines of the pipeline file; none if the plan has no such file."""
    path = plan.path if isinstance(plan, FilePlan) else Path()
    text = _text(plan, path.name) if path.name else None
    return path.name, text.split("\n") if text is not None else []


def _text(plan: Plan, file: str) -> str | None:
    return plan.file_text() if isinstance(plan, FilePlan) and plan.path.name == file else None


def _line_of(plan: Plan, shader_pass: Pass, name: str) -> tuple[str, int, str] | None:
    """Returns file, number and text of the line that binds a sampler, or sets a uniform."""
    at = plan.bound_at.get((shader_pass.name, name))
    text = _text(plan, at[0]) if at is not None else None
    return None if at is None or text is None else (*at, text.split("\n")[at[1] - 1].rstrip("\r"))


def _binding(plan: Plan, shader_pass: Pass, uniform: str, needed: str) -> LineEdit | None:
    """Returns the line with that tensor in place of the bound one; None if it is bound in another form."""
    found, key = _line_of(plan, shader_pass, uniform), dict(shader_pass.bound_reads).get(uniform)
    if found is None or key is None:
        return None
    file, number, line = found
    bound, is_weights = plan.textures[key].tensor, plan.constant(needed) is not None
    if is_weights != (plan.constant(bound) is not None):
        return None
    known = [name for name, stored in plan.textures.items() if stored.tensor == needed and not is_weights]
    start = line.find("=", line.find(uniform))
    for old in (bound, key):
        at = line.find(f'"{old}"', start)
        if start >= 0 and at >= 0:
            new = known[0] if known else needed
            return LineEdit(file, number, line, f'{line[:at]}"{new}"{line[at + len(old) + 2 :]}')
    return None


def bound_otherwise(
    session: Session, shader_pass: Pass, is_late: Callable[[], bool], *, exchanged: bool
) -> Generator[None, None, tuple[Repair, ...]]:
    """Returns the first of these bindings that fixes the pass; exchanged ones too if `exchanged`. GL thread."""
    plan = session.plan
    for bindings in (
        *needed_bindings(plan, shader_pass),
        *(exchanged_bindings(plan, shader_pass) if exchanged else ()),
    ):
        if is_late():
            break
        try:
            found = yield from rebound(session, shader_pass, bindings)
        except TexelscopeError:
            continue
        if found:
            return found
    return ()


def needed_bindings(plan: Plan, shader_pass: Pass) -> Iterator[Bindings]:
    """Yields a tensor that the pass's nodes need and that is not bound, in place of each that none of them needs."""
    bound = _bound(plan, shader_pass)
    needed, made = set[str](), set[str]()
    for node in plan.graph.nodes if plan.graph is not None else ():
        if node.name in shader_pass.nodes:
            needed |= {name for name in node.inputs if name}
            made |= {*node.outputs}
    lost = sorted(needed - made - {tensor for _, tensor in bound})
    spare = [name for name, tensor in bound if tensor not in needed]
    pairs = itertools.product(lost, spare)
    yield from itertools.islice((((name, tensor),) for tensor, name in pairs), _MOST)


def exchanged_bindings(plan: Plan, shader_pass: Pass) -> Iterator[Bindings]:
    """Yields two tensors of one shape, each bound in place of the other."""
    alike = (
        ((one, second), (other, first))
        for (one, first), (other, second) in itertools.combinations(_bound(plan, shader_pass), 2)
        if first != second and _shape(plan, first) == _shape(plan, second)
    )
    yield from itertools.islice(alike, _MOST)


def _bound(plan: Plan, shader_pass: Pass) -> list[tuple[str, str]]:
    return [(name, plan.textures[key].tensor) for name, key in shader_pass.bound_reads]


def _shape(plan: Plan, tensor: str) -> tuple[int, ...] | None:
    constant = plan.constant(tensor)
    if constant is not None:
        return constant.shape
    return next((stored.shape for stored in plan.textures.values() if stored.tensor == tensor), None)
