"""Finds the statement that first made a NaN or an infinity, in traces of texels that hold one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import NotFinite, NotFiniteOrigin
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.step_trace.recorder import WINDOW, TraceRecorder
from texelscope.pipeline.step_trace.trace import Number, TraceStep

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Texels of each kind that are traced: several may have their NaN from different lines.
_TRACED = 3
# Assignments that use the old value.
_KEEPS = re.compile(r"[-+*/]=|\+\+|--")
_WORD = re.compile(r"[A-Za-z_]\w*")


def origins(
    session: Session, shader_pass: Pass, values: NDArray[np.float32], wrong: NDArray[np.bool_]
) -> Iterator[NotFiniteOrigin]:
    """Yields where some wrong NaN and infinities of the pass's output began; nothing where the trace does not say.

    `values` and `wrong` are flat, by element. A step is one trace: a draw or two.
    """
    stored, recorder = session.plan.textures[shader_pass.output], TraceRecorder(session)
    kinds: tuple[tuple[NotFinite, NDArray[np.bool_]], ...] = (("NaN", np.isnan(values)), ("infinity", np.isinf(values)))
    try:
        for kind, there in kinds:
            elements = np.flatnonzero(there & wrong)
            for position in dict.fromkeys(
                [0, len(elements) // 2, len(elements) - 1][:_TRACED] if elements.size else []
            ):
                tx, ty, lane = stored.layout.texel_of(stored.shape, int(elements[position]))
                step = _first(recorder, shader_pass, (tx, ty), lane, kind)
                if step is not None:
                    yield NotFiniteOrigin(kind, (tx, ty), step.line, step.text)
    except TexelscopeError:  # a shader that cannot be followed, or a window that cannot be reached
        return
    finally:
        recorder.release()


def _first(
    recorder: TraceRecorder, shader_pass: Pass, texel: tuple[int, int], lane: int, kind: NotFinite
) -> TraceStep | None:
    """Returns the step from which the texel's value is not finite; None if its run shows none."""
    trace = recorder.trace(shader_pass.name, texel, lane)
    if not any(_is(value, kind) for value in trace.outputs.values()):
        return None
    if (found := _origin(trace.steps, kind)) is None and trace.total > WINDOW:
        later = recorder.trace(shader_pass.name, texel, lane, window=(trace.total - WINDOW, trace.total))
        is_older = any(_is(each.value, kind) for each in later.before)
        found = None if is_older else _origin(later.steps, kind)
    return found


def _origin(steps: Sequence[TraceStep], kind: NotFinite) -> TraceStep | None:
    """Follows the last such value back through the variables, and functions, that its statement names."""
    makers = [number for number, step in enumerate(steps) if _makes(step, kind)]
    # Steps of a call come behind the step that calls: the last of the outermost is nearest to the result.
    position = max(makers, key=lambda number: (-steps[number].depth, number), default=None)
    seen: set[int] = set()
    while position is not None and position not in seen:
        seen.add(position)
        if any(_is(read.value, kind) for read in steps[position].reads):
            return None  # an input has it
        earlier = _assigning(steps, position, kind)
        earlier = _returning(steps, position, kind) if earlier is None else earlier
        if earlier is None:
            return steps[position]
        position = earlier
    return steps[position] if position is not None else None


def _returning(steps: Sequence[TraceStep], position: int, kind: NotFinite) -> int | None:
    """Returns the last return of such a value in a call that the step at `position` makes; its steps come behind it."""
    depth, found = steps[position].depth, None
    for number in range(position + 1, len(steps)):
        if steps[number].depth <= depth:
            break
        if steps[number].depth == depth + 1 and _is(steps[number].returned, kind):
            found = number
    return found


def _assigning(steps: Sequence[TraceStep], position: int, kind: NotFinite) -> int | None:
    """Returns the last step before `position` that gave such a value to a variable that is named there."""
    words, call = _operands(steps[position]), steps[position].call
    before = range(position - 1, -1, -1)
    return next((number for number in before if words & _names(steps[number], call, kind)), None)


def _operands(step: TraceStep) -> set[str]:
    """Returns the names in a statement, without the variable that it only gives a value."""
    names = Counter(_WORD.findall(step.text))
    if not _KEEPS.search(step.text):
        for each in step.assigned:
            names -= Counter(_WORD.findall(each.name)[:1])
    return {*names}


def _makes(step: TraceStep, kind: NotFinite) -> bool:
    return _is(step.returned, kind) or any(_is(each.value, kind) for each in step.assigned)


def _names(step: TraceStep, call: int, kind: NotFinite) -> set[str]:
    """Returns the variables known in a call to which a step gives such a value."""
    given = [each for each in step.assigned if _is(each.value, kind) and (each.call == call or not each.function)]
    return {name for each in given for name in _WORD.findall(each.name)[:1]}


def _is(value: Sequence[Number], kind: NotFinite) -> bool:
    numbers = [each for each in value if isinstance(each, float)]
    return bool(np.isnan(numbers).any() if kind == "NaN" else np.isinf(numbers).any())
