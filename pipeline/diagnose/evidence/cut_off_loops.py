"""Finds loops that the shader does not end itself: the driver cuts them off, and what is written then means nothing.

A variant of the shader notes where each loop ends: by its condition, or by a jump out of it. A loop that ended by
neither was cut off, and the variant writes its number in place of the result. Its own limit is far beyond that of
software drivers (65,535 turns of all loops together in Mesa's), and saves other drivers from a loop without an end.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import CutOffLoops
from texelscope.pipeline.diagnose.evidence.interventions import Intervention, Redrawer
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import Line, behind_head, line_map
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    Identifier,
    NumberLiteral,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.outputs import BUILT_IN_OUTPUTS, declared_outputs
from texelscope.pipeline.glsl.semantics.parsing import parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import WORD, condition_of, names_in, target_of
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    Declaration,
    ForLoop,
    LoopStatement,
    MacroDefinition,
    SwitchStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable
from texelscope.pipeline.glsl.source_text import Edits, without_comments
from texelscope.pipeline.plan import ProgramSource

# Turns of all loops together, after which the variant ends them itself.
MOST_TURNS = 1 << 20
# No row of texels is drawn after this, or this if none had such a loop: one that is cut off may take long for each row.
_SECONDS, _SECONDS_IN_VAIN = 1.5, 0.3
# A limit of so many steps is not plainly one that is reached.
_PLAINLY_FEW = 1 << 14
# A text with more loops is not followed: the variant has variables for each.
_MOST_LOOPS = 64
_JUMPS = frozenset({"break", "return", "for", "while", "do"})


@dataclass(frozen=True)
class _Watched:
    program: ProgramSource
    lines: tuple[Line, ...]


def cut_off_loops(redrawer: Redrawer, program: ProgramSource, rows: list[int]) -> CutOffLoops | None:
    """Draws the variant row by row, `rows` (with wrong elements) first; None if no loop was cut off, or none may be."""
    watched = _watched(program)
    if watched is None or not rows:
        return None
    numbers: NDArray[np.int64] | None = None
    turns, start = 0, time.monotonic()
    for row in rows:
        drawn = _drawn(redrawer, watched.program, row, is_turns=False)
        if numbers is None:
            numbers = np.full(drawn.shape[:2], -1, dtype=np.int64)
        numbers[row] = drawn[row, :, 0].astype(np.int64)
        if not turns and (numbers[row] > 0).any():
            column = int(np.flatnonzero(numbers[row] > 0)[0])
            turns = int(_drawn(redrawer, watched.program, row, is_turns=True)[row, column, 0])
        if time.monotonic() - start > (_SECONDS if turns else _SECONDS_IN_VAIN):
            break
    return CutOffLoops(numbers, watched.lines, turns) if numbers is not None and (numbers > 0).any() else None


def _drawn(redrawer: Redrawer, program: ProgramSource, row: int, *, is_turns: bool) -> NDArray[np.float32]:
    uniforms = {"u_loops_most": MOST_TURNS, "u_loops_turns_asked": is_turns}
    return redrawer.of_rows(slice(row, row + 1)).draw(Intervention(program=program, uniforms=uniforms)).texels


def may_be_cut_off(program: ProgramSource) -> bool:
    """Whether the text has a loop that is not plainly one that ends: a counter that steps towards its limit."""
    return any(not _ends(loop) for loop in _root(program).of_type(LoopStatement))


def _root(program: ProgramSource) -> SyntaxNode:
    return parse(without_precisions(program.fragment.encode()))


def _ends(loop: SyntaxNode) -> bool:
    """Whether a loop counts up or down to a limit in steps of a literal, and its body changes neither."""
    if not isinstance(loop, ForLoop) or loop.update is None:
        return False
    condition, counter, step = loop.condition, target_of(loop.update), _step_of(loop.update)
    if not isinstance(condition, BinaryExpression) or counter is None or not step:
        return False
    is_left, is_right = condition.left.text == counter.text, condition.right.text == counter.text
    up, down = ({"<", "<="}, {">", ">="}) if is_left else ({">", ">="}, {"<", "<="})
    if is_left == is_right or condition.operator not in (up if step > 0 else down):
        return False
    limit = condition.right if is_left else condition.left
    if isinstance(limit, NumberLiteral) and _number(limit.text) > _PLAINLY_FEW * abs(step):
        return False
    asked = {*names_in(condition)}
    changed = {name for node in loop.body.walk() if (target := target_of(node)) for name in names_in(target)}
    return asked.isdisjoint(changed)


def _step_of(update: SyntaxNode) -> float:
    """Returns what an update adds to its variable each time; 0 if its text does not say."""
    if isinstance(update, UpdateExpression):
        return 1.0 if "++" in update.text else -1.0
    if isinstance(update, Assignment) and isinstance(update.right, NumberLiteral):
        value = _number(update.right.text)
        return {"+=": value, "-=": -value}.get(update.operator, 0.0)
    return 0.0


def _number(text: str) -> float:
    """Returns the value of a literal; 0 if it is not decimal."""
    try:
        return float(text.rstrip("uUfF"))
    except ValueError:
        return 0.0


def _watched(program: ProgramSource) -> _Watched | None:
    """Returns the variant; None if the text cannot be followed: macros that jump, outputs of other types."""
    root, places = _root(program), line_map(program)
    loops = [*root.of_type(LoopStatement)]
    macros = {word for node in root.of_type(MacroDefinition) for word in WORD.findall(node.meaning)}
    written = _written(root, without_comments(program.fragment))
    if not 0 < len(loops) <= _MOST_LOOPS or not written or macros & _JUMPS:
        return None
    edits, numbers = Edits(), {loop.start_byte: number for number, loop in enumerate(loops)}
    for number, loop in enumerate(loops):
        _watch(edits, loop, number)
    for jump in root.of_type(BreakStatement):
        within = jump.enclosing(LoopStatement, SwitchStatement)
        if isinstance(within, LoopStatement):
            edits.insert(jump.start_byte, f"{{ loop_left_{numbers[within.start_byte]} = true; ", (1,))
            edits.insert(jump.end_byte, " }", _inside_out(jump))
    text = edits.apply(program.fragment.encode())
    longest = "".join(f"highp int loop_longest_{number} = 0;\n" for number in range(len(loops)))
    head = f"{read_shader('diagnose/loops.glsl')}\n{longest}#define main authors_main"
    own = f"#define LOOPS_WRITTEN {written}\n{read_shader('diagnose/loops_main.glsl')}"
    text = f"{behind_head(text, head)}\n{own}\n"
    return _Watched(dataclasses.replace(program, fragment=text), tuple(places[loop.row] for loop in loops))


def _watch(edits: Edits, loop: SyntaxNode, number: int) -> None:
    now, is_open, is_left = f"loop_now_{number}", f"loop_open_{number}", f"loop_left_{number}"
    edits.insert(loop.start_byte, f"{{ highp int {now} = 0; bool {is_open} = true, {is_left} = false; ", (1,))
    ends = f" loop_ends({number + 1}.0, {now}, {is_open} && !{is_left}, loop_longest_{number}); }}"
    edits.insert(loop.end_byte, ends, _inside_out(loop))
    condition, is_for = condition_of(loop), isinstance(loop, ForLoop)
    if condition is None:
        edits.insert(_after_first_semicolon(loop), f"loop_turns({now}, {is_open}, true)")
        return
    edits.insert(condition.start_byte, f"{'' if is_for else '('}loop_turns({now}, {is_open}, ", (-1,))
    edits.insert(condition.end_byte, f"){'' if is_for else ')'}", (1,))


def _after_first_semicolon(loop: SyntaxNode) -> int:
    """Returns the offset behind the initialisation of `for (…;;…)`; a declaration has its semicolon in it."""
    initializer = loop.initializer if isinstance(loop, ForLoop) else None
    if isinstance(initializer, Declaration):
        return initializer.end_byte
    return next(each.end_byte for each in loop.children if not each.children and each.text == ";")


def _inside_out(node: SyntaxNode) -> tuple[int, ...]:
    """Returns the rank of what is inserted behind a node: several may end at one place, as `for (…) for (…) x;`."""
    return (-1, -node.start_byte)


def _written(root: SyntaxNode, text: str) -> str:
    """Returns the statements that write the loop found to every output; empty if one has another type."""
    outputs = [*declared_outputs(root)]
    if any(each.sizes or each.type not in ("float", "vec2", "vec3", "vec4") for each in outputs):
        return ""
    names = {node.text for node in root.of_type(Identifier)}
    if not outputs:
        old = {name: first for name, first in BUILT_IN_OUTPUTS.items() if name in names and name in text}
        outputs = [DeclaredVariable("vec4", first) for first in old.values()]
    return " ".join(f"{each.name} = {each.type}(found);" for each in outputs)


def rows_first(wrong: NDArray[np.bool_]) -> list[int]:
    """Returns the rows of texels with wrong ones, [height, width], the middle one first, then all that are left."""
    rows = [int(row) for row in np.flatnonzero(wrong.any(axis=1))]
    middle = len(rows) // 2
    return [*rows[middle:], *rows[:middle]]
