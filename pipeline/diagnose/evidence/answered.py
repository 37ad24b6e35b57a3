"""What a wrong pass answers to designed inputs, drawn or dispatched as it is, with other numbers. GL thread only."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.interventions import Intervention, Redrawer
from texelscope.pipeline.diagnose.probes.answers import Answers
from texelscope.pipeline.diagnose.probes.asking import REFUSALS, Draw, Textures, ask
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.plan import Pass, Plan

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# A part of the target that takes so long is asked, many times.
ASKED_MS = 6.0
# Whatever a part was thought to take, one that takes longer is not asked; nor a dispatch, which is run whole.
_DRAW_SECONDS, _DISPATCH_SECONDS = 0.3, 0.05
# A machine with other work on it may be slow once.
_TRIES = 2


def answered(
    session: Session, plan: Plan, each: Pass, whole: Redrawer, rows: slice, wrong: NDArray[np.bool_]
) -> Generator[None, None, Answers | None]:
    """Step by step, of `rows` of the target; None where the driver refuses or the model does not say what is asked."""
    redrawer = whole.of_rows(rows)

    def draw(textures: Textures) -> NDArray[np.float32]:
        return redrawer.draw(Intervention(inputs=textures)).texels

    try:
        return (yield from ask(session, plan, each, rows, wrong, draw)) if _is_quick(draw, _DRAW_SECONDS) else None
    except REFUSALS:
        return None


def answered_by_dispatch(
    session: Session, plan: Plan, each: Pass, wrong: NDArray[np.bool_]
) -> Generator[None, None, Answers | None]:
    """The same of a compute pass, whole: numbers lie in its own textures, which hold what they held after each step."""
    rows = slice(0, session.plan.textures[each.output].texture_shape[0])

    def draw(textures: Textures) -> NDArray[np.float32]:
        held = {key: session.texture(key).read(alignment=1) for key in (*textures, *each.outputs)}
        try:
            for key, texture in textures.items():
                values = np.frombuffer(texture.read(alignment=1), dtype=np.float32)
                session.texture(key).write(values.astype(session.plan.textures[key].storage), alignment=1)
            if not session.run_pass(each.name):
                raise UnsupportedError(f"pass '{each.name}'", "a pass that runs", "one that does not", "Run it first.")
            return session.texels(each.output)
        finally:
            for key, data in held.items():
                session.texture(key).write(data, alignment=1)

    try:
        return (yield from ask(session, plan, each, rows, wrong, draw)) if _is_quick(draw, _DISPATCH_SECONDS) else None
    except REFUSALS:
        return None


def _is_quick(draw: Draw, seconds: float) -> bool:
    """Whether a draw of what the pass reads takes less; one of a loop that never ends takes seconds."""
    for _ in range(_TRIES):
        start = time.perf_counter()
        draw({})
        if time.perf_counter() - start < seconds:
            return True
    return False
